// Reads bodies from strangers: JSON is scanned in one pass before it is parsed.

import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { bodyDepthMax } from '@redpack/contract/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../shared/domain-error.ts'
import type { Deps } from '../deps.ts'
import { addressKey } from './caller-address.ts'
import { statusOf } from './problem-answers.ts'
import { callHeaders } from './security-headers.ts'

const quote = 34
const comma = 44
const colon = 58
const openList = 91
const backslash = 92
const closeList = 93
const openObject = 123
const closeObject = 125

/** Keys that could reach into prototypes when an object is merged. */
const refusedKeys = new Set(['__proto__', 'constructor', 'prototype'])
/** Length of the longest of them with every letter written as an escape, and its quotes. */
const refusedKeyMax = 11 * 6 + 2
/** Most letters between texts and marks: white space, digits, `true`, `false` and `null`. */
const blanksMax = 512 * 1024

/**
 * The value of a JSON text; a blank text is an empty object. What would cost much to read is
 * refused by its marks of structure alone (brackets, commas, colons, escaped quotes), so nothing is
 * built from it: neither ten million numbers nor lists without end.
 * @throws DomainError payload_too_large above `marksMax` marks, invalid_input for what is nested
 * too
 * deeply, has a key that is not allowed or is not JSON
 */
export function readJson(text: string, marksMax: number): unknown {
  // The specification's client logs out with a JSON content type and no body at all.
  if (text.trim() === '') return {}
  lookOver(text, marksMax)
  try {
    return JSON.parse(text)
  } catch {
    throw new DomainError('invalid_input', 'The request body is not valid JSON')
  }
}

function lookOver(text: string, marksMax: number): void {
  let depth = 0
  let marks = 0
  let blanks = 0
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote: {
        const start = at
        at = text.indexOf('"', start + 1)
        while (at !== -1 && isEscaped(text, at)) {
          marks += 1
          if (marks > marksMax) throw tooMany()
          at = text.indexOf('"', at + 1)
        }
        // A text without an end is no JSON; the parser says so.
        if (at === -1) return
        refuseKey(text, start, at + 1)
        break
      }
      case openList:
      case openObject:
        depth += 1
        marks += 1
        if (depth > bodyDepthMax) {
          throw new DomainError('invalid_input', 'The request body is nested too deeply')
        }
        break
      case closeList:
      case closeObject:
        depth -= 1
        break
      case comma:
      case colon:
        marks += 1
        break
      default:
        blanks += 1
    }
    if (marks > marksMax || blanks > blanksMax) throw tooMany()
  }
}

const tooMany = () => new DomainError('payload_too_large', 'The request body holds too many values')

/** An odd number of backslashes before a quote makes it part of the text. */
function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1
  return backslashes % 2 === 1
}

function refuseKey(text: string, start: number, end: number): void {
  if (end - start > refusedKeyMax || !isKey(text, end)) return
  const key = text.slice(start, end)
  const name = key.includes('\\') ? unescaped(key) : key.slice(1, -1)
  if (refusedKeys.has(name)) {
    throw new DomainError('invalid_input', `The field name ${name} is not allowed`)
  }
}

/** A text is a key when a colon follows. */
function isKey(text: string, end: number): boolean {
  let at = end
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1
  return text.charCodeAt(at) === colon
}

function unescaped(key: string): string {
  try {
    return String(JSON.parse(key))
  } catch {
    return ''
  }
}

/** Bodies that one address may have under way at once. */
export const unfinishedPerAddressMax = 100
/** A body of a call, and a file of staff over a slow line. */
const bodyMillisMax = 10_000
const fileMillisMax = 30_000
const lookMillis = 1_000

interface Arrival {
  readonly raw: IncomingMessage
  readonly deadlineMillis: number
}

/** Looks before anything else does, on every path, and before a byte of the body is waited for. */
export function limitUnfinishedBodies(
  app: FastifyInstance,
  deps: Pick<Deps, 'config' | 'random'>,
): void {
  const arrivals = new Map<string, Set<Arrival>>()
  const prune = (address: string, own: Set<Arrival>) => {
    for (const arrival of own) {
      if (arrival.raw.complete || arrival.raw.destroyed) own.delete(arrival)
    }
    if (own.size === 0) arrivals.delete(address)
  }
  const look = setInterval(() => {
    const now = performance.now()
    for (const [address, own] of arrivals) {
      prune(address, own)
      for (const { raw, deadlineMillis } of own) if (deadlineMillis < now) endLate(raw, deps)
    }
  }, lookMillis)
  look.unref()
  app.addHook('onClose', (_app, done) => {
    clearInterval(look)
    done()
  })
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    if (raw.complete || !sendsBody(request)) return done()
    const address = addressKey(request.ip)
    const own = arrivals.get(address) ?? new Set()
    if (own.size >= unfinishedPerAddressMax) prune(address, own)
    if (own.size >= unfinishedPerAddressMax) {
      // What is left of the body is not waited for.
      reply.header('connection', 'close')
      return done(
        new DomainError('rate_limited', 'Too many unfinished requests, try again in a moment', {
          retryAfterSeconds: 1,
        }),
      )
    }
    const arrival = { raw, deadlineMillis: performance.now() + millisMax(request) }
    arrivals.set(address, own.add(arrival))
    reply.raw.once('close', () => {
      own.delete(arrival)
      if (own.size === 0 && arrivals.get(address) === own) arrivals.delete(address)
    })
    done()
  })
}

/** By its headers, as RFC 9112 section 6.3 tells a request with a body from one without. */
function sendsBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
}

function millisMax({ routeOptions }: FastifyRequest): number {
  const { bodyLimit } = routeOptions.config ?? {}
  return bodyLimit === 'file' || bodyLimit === 'picture' ? fileMillisMax : bodyMillisMax
}

function endLate(raw: IncomingMessage, deps: Pick<Deps, 'config' | 'random'>): void {
  const late = Object.assign(new Error('Body too late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  answerBrokenRequest(late, raw.socket, deps)
}

/**
 * True for public calls that take no body: a plain form that posts to a way out signs out, though
 * its content type is one that nothing reads.
 */
export function ignoresBody({ routeOptions }: FastifyRequest): boolean {
  const { access, bodyKind } = routeOptions.config ?? {}
  return access === 'public' && bodyKind === 'none'
}

const invalid = 'invalid_input'
const timeOut = { status: 408, code: invalid, message: 'The request took too long to arrive' }
const unreadable = { status: 400, code: invalid, message: 'The request could not be read' }
const tooLarge = {
  status: statusOf('headers_too_large'),
  code: 'headers_too_large',
  message: 'The request headers are too large',
}

function answerFor(code: string | undefined) {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return timeOut
  return code === 'HPE_HEADER_OVERFLOW' ? tooLarge : unreadable
}

/** Writes an answer with the usual body and headers, and closes the connection. */
export function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { config, random }: Pick<Deps, 'config' | 'random'>,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return
  const { status, code, message } = answerFor(error.code)
  const body = JSON.stringify({ code, message, error: message, requestId: random.uuid() })
  const headers = {
    ...callHeaders(config),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'))
}

/** Bodies of this scope stay the bytes that came: to be proven by a signature, or handed on. */
export function leaveBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

/** The body of a call in such a scope; empty without one. */
export function bytesOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}
