// Drives the Firefox of this machine by WebDriver BiDi, as far as a short journey needs it: the
// library of the other journeys asks for commands that Debian's version does not know.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'

const named = process.env['FIREFOX_PATH']
const usual = ['/usr/bin/firefox-esr', '/usr/bin/firefox']
/** Where Firefox is; undefined on a machine without one. */
export const firefoxPath = [...(named ? [named] : []), ...usual].find((path) => existsSync(path))

const startMillisMax = 45_000
const answerMillisMax = 30_000

interface Answer {
  readonly id: number | null
  readonly type: 'success' | 'error' | 'event'
  readonly result: unknown
  readonly message?: string
}

/** One page of a Firefox with a profile of its own. */
export class FirefoxPage {
  readonly #socket: WebSocket
  #context = ''
  #lastId = 0

  constructor(socket: WebSocket) {
    this.#socket = socket
  }

  async begin(): Promise<void> {
    await this.#send('session.new', { capabilities: {} })
    const tree = await this.#send<{ contexts: { context: string }[] }>(
      'browsingContext.getTree',
      {},
    )
    this.#context = tree.contexts[0]?.context ?? ''
  }

  /** Loads an address and waits until all of it is there. */
  async goto(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' })
  }

  /** What an expression is worth in the page; promises are waited for. Throws what it throws. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const answer = await this.#send<{
      type: string
      result?: { value: string }
      exceptionDetails?: { text: string }
    }>('script.evaluate', {
      expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
      target: { context: this.#context },
      awaitPromise: true,
      userActivation: true,
    })
    if (answer.type !== 'success') throw new Error(answer.exceptionDetails?.text)
    return JSON.parse(answer.result?.value ?? 'null') as Value
  }

  async #send<Result>(method: string, params: object): Promise<Result> {
    this.#lastId += 1
    const id = this.#lastId
    const answer = new Promise<Answer>((resolve, reject) => {
      const impatience = setTimeout(
        () => reject(new Error(`${method} took too long`)),
        answerMillisMax,
      )
      const listen = (data: Buffer) => {
        const message = JSON.parse(data.toString()) as Answer
        if (message.id !== id) return
        clearTimeout(impatience)
        this.#socket.off('message', listen)
        resolve(message)
      }
      this.#socket.on('message', listen)
    })
    this.#socket.send(JSON.stringify({ id, method, params }))
    const { type, result, message } = await answer
    if (type === 'error') throw new Error(`${method}: ${message}`)
    return result as Result
  }
}

async function socketTo(url: string, firefox: ChildProcess): Promise<WebSocket> {
  const deadline = Date.now() + startMillisMax
  while (Date.now() < deadline) {
    if (firefox.exitCode !== null) throw new Error(`Firefox ended with ${firefox.exitCode}`)
    const socket = new WebSocket(url)
    const isOpen = await once(socket, 'open').then(
      () => true,
      () => false,
    )
    if (isOpen) return socket
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('Firefox did not listen in time')
}

/** Runs `work` with a page of a Firefox that listens on `port`, and ends it afterwards. */
export async function withFirefox(
  port: number,
  work: (page: FirefoxPage) => Promise<void>,
): Promise<void> {
  if (firefoxPath === undefined) throw new Error('There is no Firefox here')
  const profile = mkdtempSync(join(tmpdir(), 'redpack-firefox-'))
  const words = ['--headless', '--no-remote', '--profile', profile]
  const firefox = spawn(firefoxPath, [...words, '--remote-debugging-port', String(port)], {
    stdio: 'ignore',
    env: { ...process.env, HOME: profile },
  })
  try {
    const socket = await socketTo(`ws://127.0.0.1:${port}/session`, firefox)
    const page = new FirefoxPage(socket)
    await page.begin()
    await work(page)
    socket.close()
  } finally {
    if (firefox.exitCode === null) {
      const end = once(firefox, 'exit')
      firefox.kill('SIGKILL')
      await end
    }
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}
