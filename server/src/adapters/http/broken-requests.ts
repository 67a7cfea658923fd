// Answers what the HTTP parser could not read: there is no request yet, only a socket.

import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Deps } from '../deps.ts'
import { statusOf } from './problem-answers.ts'
import { callHeaders } from './security-headers.ts'

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
