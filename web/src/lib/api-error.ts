// What a refused or failed call becomes in the browser.

/** Words for statuses: over HTTP/2 the browser gets none. */
const statusTexts: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** Words for a status, also where the protocol carries none. */
export function statusTextOf(response: Pick<Response, 'status' | 'statusText'>): string {
  return response.statusText || statusTexts[response.status] || 'Error'
}

/** An answer that is not a success. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly statusText: string
  /** The answer's text as it came; may be empty. */
  readonly body: string
  /** The server's own sentence: field `message`, else `error`, else the text as it came. */
  readonly serverMessage: string
  /** The server's code for the reason, for example `insufficient_packs`. */
  readonly code: string | undefined
  /** Sentences for single fields, by path. */
  readonly fields: Readonly<Record<string, string>>

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`)
    const problem = problemOf(body)
    this.status = status
    this.statusText = statusText
    this.body = body
    this.serverMessage = textOf(problem.message) ?? textOf(problem.error) ?? body
    this.code = textOf(problem.code)
    this.fields = fieldsOf(problem.errors)
  }
}

/** No answer came. What the browser says of that differs, and is no sentence for people. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'

  constructor(cause: unknown) {
    super('The server could not be reached. Check your connection and try again.', { cause })
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function problemOf(body: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch {
    return {}
  }
}

function fieldsOf(errors: unknown): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const entry of Array.isArray(errors) ? errors : []) {
    const path = textOf(entry?.path)
    const message = textOf(entry?.message)
    if (path && message && !(path in fields)) fields[path] = message
  }
  return fields
}

/**
 * The sentence to show for a failure: the server's, else the error's own, else the fallback. A
 * session that is over shows itself in whatever is done next, wherever that leads.
 */
export function messageOf(error: unknown, fallback: string): string {
  if (error instanceof ApiError && error.code === 'unauthorized') {
    return 'Your session has ended. Please log in again.'
  }
  if (error instanceof ApiError && error.serverMessage) return error.serverMessage
  return error instanceof Error && error.message ? error.message : fallback
}

/** How many reasons a message lists; more of them say only how many they are. */
const reasonsMax = 50

/** A refusal whose sentence lists the reasons that came with it, one a line. */
export function withReasons(error: unknown): unknown {
  const reasons = error instanceof ApiError ? Object.entries(error.fields) : []
  if (reasons.length === 0) return error
  const lines = reasons.slice(0, reasonsMax).map(([path, reason]) => `${path}: ${reason}`)
  const more = reasons.length - lines.length
  return new Error(
    [messageOf(error, ''), ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
  )
}

/** 'HTTP 409: Conflict' for an answer that is not a success, else the error's own sentence. */
export function httpTextOf(error: unknown): string {
  if (error instanceof ApiError) return `HTTP ${error.status}: ${error.statusText}`
  return messageOf(error, 'No answer')
}

/** True when what failed may still have happened: no answer, or one that decides nothing. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true
  return error.status >= 500 || error.code === 'idempotency_in_flight'
}
