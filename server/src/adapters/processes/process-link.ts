// Questions and answers between the processes of one installation, over the channel that Node keeps
// between a process and its children.

import { withinMillis } from '../clock/clock.ts'

/** What a question may be about. */
export type Subject = 'clock' | 'metrics' | 'metrics_of_all' | 'place' | 'ready' | 'run_due_jobs'

/** The way to the other side. */
export interface Channel {
  /** What cannot be sent is lost; whoever asked is told by the time-out. */
  send(message: object): void
  listen(take: (message: unknown) => void): void
}

type Handler = (content: unknown) => unknown

interface Message {
  readonly redpack: 'question' | 'answer' | 'fault'
  readonly id: number
  readonly subject?: Subject
  readonly content?: unknown
}

/** One side of the channel between two processes; both sides may ask. */
export class ProcessLink {
  readonly #channel: Channel
  readonly #handlers = new Map<Subject, Handler>()
  readonly #asked = new Map<number, { done(answer: unknown): void; fail(error: Error): void }>()
  #lastId = 0

  constructor(channel: Channel) {
    this.#channel = channel
    channel.listen((message) => this.#take(message))
  }

  /** Answers the other side's questions about `subject`; what it throws reaches them as a fault. */
  on(subject: Subject, handler: Handler): void {
    this.#handlers.set(subject, handler)
  }

  /**
   * Asks the other side.
   * @throws when it does not answer within `millisMax`, or has failed to
   */
  async ask(subject: Subject, content: unknown, millisMax: number): Promise<unknown> {
    this.#lastId += 1
    const id = this.#lastId
    const answer = new Promise<unknown>((done, fail) => {
      this.#asked.set(id, { done, fail })
    })
    try {
      this.#channel.send({ redpack: 'question', id, subject, content } satisfies Message)
      return await withinMillis(answer, millisMax)
    } finally {
      this.#asked.delete(id)
    }
  }

  #take(message: unknown): void {
    if (!isMessage(message)) return
    const { redpack, id, subject, content } = message
    if (redpack === 'question') {
      if (subject !== undefined) void this.#answer(id, subject, content)
      return
    }
    const asked = this.#asked.get(id)
    if (redpack === 'answer') asked?.done(content)
    else asked?.fail(new Error('The other process could not answer'))
  }

  async #answer(id: number, subject: Subject, content: unknown): Promise<void> {
    try {
      const handler = this.#handlers.get(subject)
      if (handler === undefined) throw new Error(`Nobody answers about ${subject}`)
      const answer = await handler(content)
      this.#channel.send({ redpack: 'answer', id, content: answer } satisfies Message)
    } catch {
      this.#channel.send({ redpack: 'fault', id } satisfies Message)
    }
  }
}

function isMessage(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'redpack' in message
}
