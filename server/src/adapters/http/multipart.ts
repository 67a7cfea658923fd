// Bodies of type multipart/form-data: one file and a limited number of short text fields.

import multipart, { type MultipartValue } from '@fastify/multipart'
import type { BodyKind, EndpointShape } from '@redpack/contract'
import { bodyBytesMax, uploadBytesMax } from '@redpack/contract/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../shared/domain-error.ts'
import { ignoresBody } from './json-body.ts'

/** The file of a multipart body, held in memory whole. */
export interface UploadedFile {
  readonly bytes: Buffer
  /** File name as the sender gave it: for a look at its ending, never a path or a key. */
  readonly name: string
  /** Media type as the sender claimed it, lower case; the bytes decide what the file is. */
  readonly type: string
}

interface Form {
  readonly fields: Readonly<Record<string, unknown>>
  readonly file: UploadedFile | undefined
}

const fieldsMax = 30
const filesMax = 5
const fieldBytesMax = 32 * 1024
const fieldNameMax = 100
const mebibyte = 1024 * 1024

const isForm = (request: FastifyRequest) =>
  /^multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '')

/** Lets routes whose `bodyKind` says so read multipart bodies; all others refuse them with 415. */
export async function acceptMultipart(app: FastifyInstance): Promise<void> {
  // After access and limits, which routes decide when the request arrives.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const bodyKind = request.routeOptions.config?.bodyKind
    const takesForms = bodyKind === 'multipart' || bodyKind === 'json-or-multipart'
    const isRefused =
      request.method !== 'GET' && isForm(request) && !takesForms && !ignoresBody(request)
    done(isRefused ? wrongType('This content type is not supported') : null, payload)
  })
  await app.register(multipart, { throwFileSizeLimit: false })
}

/**
 * The body of a call and its file. A form becomes an object of texts, like a JSON body of them; its
 * first file counts whatever the field is called, and further ones are passed over. A body of JSON
 * is handed through where the endpoint takes it.
 */
export async function readBody(
  endpoint: Pick<EndpointShape, 'bodyKind' | 'bodyLimit' | 'file'>,
  request: FastifyRequest,
): Promise<{ readonly body: unknown; readonly file: UploadedFile | undefined }> {
  const bodyKind: BodyKind = endpoint.bodyKind
  if (bodyKind === 'none') return { body: undefined, file: undefined }
  if (!isForm(request)) {
    if (bodyKind === 'multipart') throw wrongType('Send the file as multipart/form-data')
    return { body: request.body ?? {}, file: undefined }
  }
  const overrun = watchLength(request, bodyBytesMax[endpoint.bodyLimit ?? 'fields'])
  try {
    const { fields, file } = await Promise.race([readForm(request), overrun.found])
    return { body: fields, file }
  } finally {
    overrun.stop()
  }
}

/** Refuses a call whose endpoint needs a file and that brought none. */
export function requireFile(
  endpoint: Pick<EndpointShape, 'file'>,
  file: UploadedFile | undefined,
): void {
  if (file !== undefined || endpoint.file?.isRequired !== true) return
  throw new DomainError('invalid_input', endpoint.file.missing ?? 'Please select a file')
}

/** Counts a body that has not said its length; what is left of it is not waited for. */
function watchLength(request: FastifyRequest, bytesMax: number) {
  let bytes = 0
  let refuse: (error: DomainError) => void = () => undefined
  const found = new Promise<never>((_resolve, reject) => {
    refuse = reject
  })
  const count = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > bytesMax) refuse(bodyTooLarge())
  }
  request.raw.on('data', count)
  return { found, stop: () => request.raw.off('data', count) }
}

async function readForm(request: FastifyRequest): Promise<Form> {
  const fields: Record<string, unknown> = Object.create(null)
  let file: UploadedFile | undefined
  try {
    const parts = request.parts({
      limits: {
        fields: fieldsMax,
        fieldSize: fieldBytesMax,
        files: filesMax,
        fileSize: uploadBytesMax,
        parts: fieldsMax + filesMax,
      },
    })
    for await (const part of parts) {
      if (part.type === 'field') {
        addField(fields, part)
      } else if (file !== undefined) {
        part.file.resume()
      } else {
        const bytes = await part.toBuffer()
        if (part.file.truncated) throw tooLarge()
        // A browser sends a file input that was left empty as a file without name and content.
        const isEmptyInput = bytes.length === 0 && (part.filename ?? '') === ''
        if (!isEmptyInput) {
          file = { bytes, name: part.filename ?? '', type: part.mimetype.toLowerCase() }
        }
      }
    }
  } catch (error) {
    throw refusalFor(error)
  }
  return { fields: { ...fields }, file }
}

function addField(fields: Record<string, unknown>, field: MultipartValue): void {
  const { fieldname: name, value, valueTruncated } = field
  if (valueTruncated || name.length > fieldNameMax) {
    throw new DomainError('payload_too_large', 'A field of the form is too large')
  }
  if (name in fields) {
    throw new DomainError('invalid_input', 'A field of the form is there twice')
  }
  fields[name] = value
}

/** Everything that goes wrong while a form is read lies in what was sent. */
function refusalFor(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (typeof code === 'string' && /^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(code)) {
    return new DomainError('payload_too_large', 'The form has too many fields')
  }
  return unreadable()
}

const unreadable = () => new DomainError('invalid_input', 'The form could not be read')
const wrongType = (message: string) => new DomainError('unsupported_media_type', message)

/** What a body over the limit of its call is answered with. */
export const bodyTooLarge = (): DomainError =>
  new DomainError('payload_too_large', 'The request body is too large')
const tooLarge = () =>
  new DomainError(
    'payload_too_large',
    `The file must be ${uploadBytesMax / mebibyte} MB or smaller`,
  )
