// Calls to outside services: one time-out, no redirects, JSON back, and one kind of failure.

import { parsed } from '@redpack/fair/bytes'
import type * as z from 'zod/mini'
import { Unavailable } from '../../shared/domain-error.ts'

const timeoutMillis = 5_000
/** Far more than any answer that the product asks for. */
const answerLengthMax = 5 * 1024 * 1024

export interface JsonAnswer {
  readonly status: number
  readonly body: unknown
}

type Init = Omit<RequestInit, 'redirect' | 'signal'>

/**
 * Calls an outside service and reads its answer as JSON; an answer without a body is undefined.
 * @throws Unavailable when it cannot be reached, takes longer than 5 s, redirects, fails (5xx) or
 * does not speak JSON
 */
export async function callJson(service: string, url: string, init: Init = {}): Promise<JsonAnswer> {
  const failed = (cause: unknown) =>
    new Unavailable(`${service} cannot be reached right now`, { cause })
  const { status, text } = await call(url, init).catch((error: unknown) => {
    throw failed(error)
  })
  const body = text === '' ? undefined : parsed(text)
  if (status >= 500 || (text !== '' && body === undefined)) {
    throw failed(new Error(`${service} answered ${status}, not as expected`))
  }
  return { status, body }
}

/** One call: at most 5 s, no redirects. @throws Error also for an answer that is too long */
export async function call(url: string, init: Init) {
  const signal = AbortSignal.timeout(timeoutMillis)
  const response = await fetch(url, { ...init, redirect: 'error', signal })
  const { status, headers } = response
  return { status, headers, text: await textOf(response) }
}

/** The body of an answer. @throws Error for one of more than five million characters, unpacked */
export async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > answerLengthMax) throw new Error('The answer is too long')
  }
  return text + decoder.decode()
}

/**
 * The body of an answer in the shape that is expected of it.
 * @throws Unavailable with `refusal` for any other shape or status; the cause leaves out the body,
 * which may carry a token
 */
export function readAnswer<Schema extends z.ZodMiniType>(
  schema: Schema,
  { status, body }: JsonAnswer,
  refusal: string,
): z.output<Schema> {
  const result = schema.safeParse(body)
  if (status === 200 && result.success) return result.data
  throw new Unavailable(refusal, {
    cause: new Error(`status ${status}, ${result.success ? 'refused' : 'unknown shape'}`),
  })
}
