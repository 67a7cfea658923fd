// An SMTP server of the tests' own: it speaks the protocol as far as it goes, and fails on demand.

import { createServer, type Socket } from 'node:net'
import { listenLocally } from './local-server.ts'

/** How a mail fares: taken, refused with a reply at a step, or cut off. */
export type Fate =
  | 'take'
  /** Takes the whole message and closes without an answer. */
  | 'take-and-close'
  /** Closes when the message begins. */
  | 'close'
  /** Says nothing any more from the recipient on. */
  | 'hang'
  | { readonly at: 'greeting' | 'MAIL' | 'RCPT' | 'end'; readonly reply: string }

export interface TakenMail {
  readonly from: string
  readonly to: string
  /** Header and body as they came, dots undone. */
  readonly raw: string
}

export interface SmtpServer {
  readonly url: string
  /** Everything that was taken, whether the sender heard of it or not. */
  readonly taken: TakenMail[]
  /** Decides about the next mails. */
  fate: (to: string) => Fate
  close(): Promise<void>
}

export async function smtpServer(): Promise<SmtpServer> {
  const state: Omit<SmtpServer, 'url' | 'close'> = { taken: [], fate: () => 'take' }
  const server = createServer((socket) => converse(socket, state))
  const { port, close } = await listenLocally(server)
  return Object.assign(state, { url: `smtp://127.0.0.1:${port}`, close })
}

function converse(socket: Socket, state: Pick<SmtpServer, 'taken' | 'fate'>): void {
  let buffer = ''
  let from = ''
  let to = ''
  let message: string[] | undefined
  const say = (line: string) => socket.write(`${line}\r\n`)
  const planned = (at: string) => {
    const fate = state.fate(to)
    return typeof fate === 'object' && fate.at === at ? fate.reply : undefined
  }
  const onLine = (line: string) => {
    if (message !== undefined) {
      if (line !== '.') return void message.push(line.replace(/^\.\./, '.'))
      const raw = message.join('\r\n')
      message = undefined
      const fate = state.fate(to)
      const refused = planned('end')
      if (refused !== undefined) return void say(refused)
      state.taken.push({ from, to, raw })
      if (fate === 'take-and-close') return void socket.destroy()
      return void say('250 2.0.0 taken')
    }
    const address = /<([^>]*)>/.exec(line)?.[1] ?? ''
    switch (line.slice(0, 4).toUpperCase()) {
      case 'EHLO':
        return void say('250-test\r\n250 8BITMIME')
      case 'MAIL':
        from = address
        return void say(planned('MAIL') ?? '250 ok')
      case 'RCPT':
        to = address
        if (state.fate(to) === 'hang') return undefined
        return void say(planned('RCPT') ?? '250 ok')
      case 'DATA':
        if (state.fate(to) === 'close') return void socket.destroy()
        message = []
        return void say('354 go on')
      case 'QUIT':
        say('221 bye')
        return void socket.end()
      default:
        return void say('250 ok')
    }
  }
  say(planned('greeting') ?? '220 test ESMTP')
  socket.on('data', (bytes) => {
    buffer += bytes.toString('latin1')
    for (let end = buffer.indexOf('\r\n'); end !== -1; end = buffer.indexOf('\r\n')) {
      const line = buffer.slice(0, end)
      buffer = buffer.slice(end + 2)
      onLine(line)
    }
  })
}
