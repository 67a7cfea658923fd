// Derives the OpenAPI document from the contract's endpoints.

import { addressesOf, type EndpointShape, type Method, Problem } from '@redpack/contract'
import type { DomainErrorCode } from '@redpack/contract/error-codes'
import { bodyBytesMax, idempotencyKeyMax } from '@redpack/contract/limits'
import * as z from 'zod/mini'

type JsonObject = { [key: string]: unknown }
type Schema = z.ZodMiniType

export interface NamedShape extends EndpointShape {
  readonly name: string
}

export interface OpenApiOptions {
  readonly title: string
  readonly version: string
  /** Address under which browsers reach the product. */
  readonly serverUrl?: string
  readonly sessionCookie?: string
  readonly statusOf: (code: DomainErrorCode) => number
}

/**
 * The OpenAPI 3.1 document of the endpoints: one operation for each endpoint and each alias. The
 * same input gives the same document. Throws when a path parameter has no schema or two operations
 * share method and path, since both are mistakes in the contract.
 */
export function openApiDocument(
  endpoints: readonly NamedShape[],
  options: OpenApiOptions,
): JsonObject {
  const paths: { [path: string]: JsonObject } = {}
  for (const endpoint of endpoints) {
    for (const place of placesOf(endpoint)) {
      const item = paths[place.path] ?? {}
      paths[place.path] = item
      const key = place.method.toLowerCase()
      if (item[key] !== undefined) throw new Error(`Two endpoints at ${place.method} ${place.path}`)
      item[key] = operation(endpoint, place, options)
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: options.title, version: options.version },
    ...(options.serverUrl === undefined ? {} : { servers: [{ url: options.serverUrl }] }),
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: jsonSchema(Problem, 'output') },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: options.sessionCookie ?? 'sid' },
        metricsToken: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

function placesOf(endpoint: NamedShape) {
  return addressesOf(endpoint).map(({ method, path }, index) => {
    const isAlias = index > 0
    const operationId = isAlias ? `${endpoint.name}.alias${index}` : endpoint.name
    return { method, path, operationId, isAlias }
  })
}

type Place = ReturnType<typeof placesOf>[number]

function tagOf(endpoint: NamedShape): string {
  return endpoint.name.split('.')[0] ?? endpoint.name
}

function operation(endpoint: NamedShape, place: Place, options: OpenApiOptions): JsonObject {
  const parameters = [
    ...pathParameters(endpoint, place.path),
    ...queryParameters(endpoint),
    ...idempotencyParameter(endpoint),
  ]
  const body = requestBody(endpoint)
  return {
    operationId: place.operationId,
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    ...(place.isAlias ? { description: `The same call as ${endpoint.name}.` } : {}),
    'x-access': endpoint.access,
    security: securityOf(endpoint.access),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { ...success(endpoint), ...domainErrors(endpoint, place.method, options.statusOf) },
  }
}

function securityOf(access: EndpointShape['access']): JsonObject[] {
  if (access === 'viewer' || access === 'staff') return [{ session: [] }]
  // An operator is staff, carries the token, or is on the loopback interface.
  return access === 'operator' ? [{ session: [] }, { metricsToken: [] }, {}] : []
}

function pathParameters(endpoint: NamedShape, path: string): JsonObject[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  if (names.length === 0) return []
  const properties = propertiesOf(endpoint.params)
  return names.map((name) => {
    const schema = properties[name]
    if (schema === undefined) throw new Error(`${endpoint.name} declares no parameter ${name}`)
    return { name, in: 'path', required: true, schema }
  })
}

function queryParameters(endpoint: NamedShape): JsonObject[] {
  const properties = propertiesOf(endpoint.query)
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
  }))
}

function idempotencyParameter(endpoint: NamedShape): JsonObject[] {
  if (endpoint.idempotent !== true) return []
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'The same key with the same input is answered from the first result.',
      schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyMax },
    },
  ]
}

function requestBody(endpoint: NamedShape): JsonObject | undefined {
  const { bodyKind } = endpoint
  if (bodyKind === 'none') return undefined
  if (bodyKind === 'raw') {
    const content = { 'application/json': { schema: {} } }
    return { description: lengthOf(endpoint), required: true, content }
  }
  const json = endpoint.body === undefined ? undefined : jsonSchema(endpoint.body, 'input')
  const content: JsonObject = {}
  if (bodyKind !== 'multipart') content['application/json'] = { schema: json ?? {} }
  if (bodyKind !== 'json') content['multipart/form-data'] = { schema: withFile(json, endpoint) }
  const isRequired = Array.isArray(json?.['required']) || endpoint.file?.isRequired === true
  return { description: lengthOf(endpoint), required: isRequired, content }
}

function lengthOf({ bodyLimit = 'fields' }: NamedShape): string {
  return `At most ${bodyBytesMax[bodyLimit] / 1024} KiB.`
}

function withFile(json: JsonObject | undefined, endpoint: NamedShape): JsonObject {
  const { file } = endpoint
  if (file === undefined) return json ?? { type: 'object' }
  const fields = { ...((json?.['properties'] ?? {}) as JsonObject) }
  fields[file.field] = { type: 'string', format: 'binary' }
  const required = [
    ...((json?.['required'] ?? []) as string[]),
    ...(file.isRequired ? [file.field] : []),
  ]
  return { type: 'object', properties: fields, ...(required.length === 0 ? {} : { required }) }
}

function success(endpoint: NamedShape): JsonObject {
  const { response } = endpoint
  if (response === 'redirect') {
    const location = { required: true, schema: { type: 'string' } }
    return { 302: { description: 'Redirect', headers: { Location: location } } }
  }
  const replayed = {
    description: 'Present when the answer is that of an earlier call with the same key.',
    schema: { type: 'string', enum: ['true'] },
  }
  const content =
    response === 'text'
      ? { 'text/plain': { schema: { type: 'string' } } }
      : { 'application/json': { schema: jsonSchema(response, 'output') } }
  return {
    200: {
      description: 'Success',
      ...(endpoint.idempotent === true ? { headers: { 'Idempotency-Replayed': replayed } } : {}),
      content,
    },
  }
}

const safeMethods: readonly Method[] = ['GET']

/** Every code the endpoint can answer: its own, and those that follow from what it takes. */
function codesOf(endpoint: NamedShape, method: Method): DomainErrorCode[] {
  const { access, idempotent } = endpoint
  // A body is read before anybody asks whether the call needs one.
  const readsBody = !safeMethods.includes(method)
  const takesInput = readsBody || endpoint.params !== undefined || endpoint.query !== undefined
  const codes: DomainErrorCode[] = [
    ...endpoint.domainErrors,
    'service_unavailable',
    'headers_too_large',
  ]
  // Supervisors ask after health under any name.
  if (!endpoint.path.startsWith('/health/')) codes.push('wrong_host')
  if (takesInput || idempotent === true) codes.push('invalid_input')
  if (readsBody) codes.push('unsupported_media_type', 'payload_too_large')
  if (access !== 'public') codes.push('unauthorized')
  if (access === 'staff' || access === 'operator') codes.push('forbidden')
  const isCall = endpoint.path.startsWith('/api/') && access !== 'signature'
  if (isCall && endpoint.fromAnySite !== true) codes.push('cross_site')
  if (endpoint.stoppedBySuspension === true) codes.push('suspended')
  if (idempotent === true) codes.push('idempotency_in_flight', 'idempotency_mismatch')
  // What staff have done to somebody who has left since.
  if (idempotent === true && access === 'staff') codes.push('already_completed')
  if (endpoint.rate !== 'none') codes.push('rate_limited')
  return [...new Set(codes)].sort()
}

function domainErrors(
  endpoint: NamedShape,
  method: Method,
  statusOf: OpenApiOptions['statusOf'],
): JsonObject {
  const byStatus = new Map<number, string[]>([[500, ['internal']]])
  for (const code of codesOf(endpoint, method)) {
    const status = statusOf(code)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const schema = { $ref: '#/components/schemas/Problem' }
  return Object.fromEntries(
    [...byStatus]
      .sort(([left], [right]) => left - right)
      .map(([status, codes]) => [
        status,
        { description: codes.join(', '), content: { 'application/json': { schema } } },
      ]),
  )
}

function propertiesOf(schema: Schema | undefined): JsonObject {
  if (schema === undefined) return {}
  return (jsonSchema(schema, 'input')['properties'] ?? {}) as JsonObject
}

function jsonSchema(schema: Schema, io: 'input' | 'output'): JsonObject {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // Drops what only repeats JavaScript's own bounds, and leaves room for further fields.
    override({ jsonSchema: node }) {
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum
      if (node.additionalProperties === false) delete node.additionalProperties
    },
  })
  return rest
}

/**
 * JSON Schema (draft 7) of an answer. `X or null` becomes `nullable`, since the serialiser would
 * otherwise validate every value to find the branch. Fields the schema does not name are left out
 * of the answer, so nothing leaks by being added to a row.
 */
export function answerSchema(schema: z.ZodMiniType): JsonObject {
  const known = answerSchemas.get(schema)
  if (known !== undefined) return known
  const { $schema, ...simple } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'output',
    unrepresentable: 'any',
    override({ jsonSchema: node }) {
      const [one, other, ...more] = node.anyOf ?? []
      const value = other?.type === 'null' ? one : other
      const mayBeNull = one?.type === 'null' || other?.type === 'null'
      if (value !== undefined && mayBeNull && more.length === 0) {
        delete node.anyOf
        Object.assign(node, value, { nullable: true })
      }
      // What is taken over may not have lost them yet.
      for (const keyword of ignoredKeywords) delete node[keyword]
    },
  })
  answerSchemas.set(schema, simple)
  return simple
}

const answerSchemas = new WeakMap<z.ZodMiniType, JsonObject>()

/** Bounds and patterns cost time and change nothing in an answer. */
const ignoredKeywords = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'additionalProperties',
] as const
