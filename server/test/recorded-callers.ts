// Who calls in the recorded story, and how each call and its answer are handed on.

import type { InjectOptions, LightMyRequestResponse } from 'fastify'

/** One call and what it was answered, as it is kept. */
export interface RecordedAnswer {
  readonly role: string
  readonly method: string
  readonly path: string
  readonly key?: string
  readonly sent?: unknown
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

export interface Sent {
  /** JSON, or the bytes of a form together with its headers. */
  readonly body?: unknown
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What the story needs of the product. */
export interface Stage {
  inject(options: InjectOptions): Promise<LightMyRequestResponse>
  person(
    name: string,
    start?: { role?: 'user' | 'admin' | 'super_user'; coins?: number },
  ): Promise<{ id: number; cookie: string }>
  /** Moves the one clock, that of the database included. */
  advance(seconds: number): void
  /** A control call of the sandbox. */
  control(path: string, body: unknown): Promise<Record<string, string>>
}

/** Tells the story; `keep` gets each call with its whole answer. */
export type Keep = (role: string, method: Method, path: string, sent: Sent, answer: Answer) => void
type Answer = LightMyRequestResponse

/** Calls by role: each call is one second after the one before. */
export class Callers {
  readonly cookies = new Map<string, string>()
  private readonly stage: Stage
  private readonly keep: Keep

  constructor(stage: Stage, keep: Keep) {
    this.stage = stage
    this.keep = keep
  }

  async call(role: string, method: Method, path: string, sent: Sent = {}): Promise<Answer> {
    this.stage.advance(1)
    const cookie = this.cookies.get(role)
    const headers = {
      ...(cookie === undefined ? {} : { cookie }),
      ...(sent.key === undefined ? {} : { 'idempotency-key': sent.key }),
      ...sent.headers,
    }
    const payload = sent.body as NonNullable<InjectOptions['payload']> | undefined
    const options = { method, url: path, headers }
    const answer = await this.stage.inject(
      payload === undefined ? options : { ...options, payload },
    )
    this.keep(role, method, path, sent, answer)
    return answer
  }

  get(role: string, ...paths: readonly string[]): Promise<void> {
    return paths.reduce(async (before, path) => {
      await before
      await this.call(role, 'GET', path)
    }, Promise.resolve())
  }

  post(role: string, path: string, body?: unknown, key?: string): Promise<Answer> {
    return this.call(role, 'POST', path, key === undefined ? { body } : { body, key })
  }

  put(role: string, path: string, body: unknown, key?: string): Promise<Answer> {
    return this.call(role, 'PUT', path, key === undefined ? { body } : { body, key })
  }

  remove(role: string, path: string): Promise<Answer> {
    return this.call(role, 'DELETE', path)
  }
}

export interface Scene {
  readonly c: Callers
  readonly stage: Stage
  readonly id: Readonly<Record<'ana' | 'ben' | 'cleo' | 'boss' | 'root', number>>
}
