// Sends mails to the mail server, or to the mailbox of the sandbox.

import { createTransport } from 'nodemailer'
import type { MailSettings } from '../../config/config.ts'
import { DeliveryFault } from '../../shared/far-side-faults.ts'
import { callJson } from '../outbound/call-json.ts'

/** A mail as both ways send it. */
export interface Mail {
  readonly to: { readonly name: string; readonly address: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The same for every try, so that the far side may know a second one; no host. */
  readonly id: string
  /** Address that takes the person off by a POST (RFC 8058); undefined outside of lists. */
  readonly unsubscribeUrl: string | undefined
}

export interface Mailer {
  /** False where no mail can be sent. */
  readonly isSetUp: boolean
  /** @throws DeliveryFault when the far side has not taken it, or its answer never came */
  send(mail: Mail): Promise<void>
}

const connectMillisMax = 10_000
const silenceMillisMax = 20_000
/** Whatever the far side does, a try ends after this time. */
export const tryMillisMax = 60_000

/** `tryMillis` is how long one try may take, in milliseconds. */
export function openMailer(
  settings: MailSettings | undefined,
  tryMillis: number = tryMillisMax,
): Mailer {
  if (settings === undefined) {
    const send = () => Promise.reject(new DeliveryFault('unreachable', 'No mail server is set'))
    return { isSetUp: false, send }
  }
  const byHttp = settings.url.startsWith('http')
  const send = byHttp ? mailboxSender(settings) : smtpSender(settings, tryMillis)
  return { isSetUp: true, send }
}

/** What both ways are handed; names in headers are of one line whatever they hold. */
function composed({ to, subject, text, html, id, unsubscribeUrl }: Mail, from: string) {
  const host = from.slice(from.lastIndexOf('@') + 1).replace('>', '')
  const list = {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  return {
    from,
    to: { name: oneLine(to.name), address: to.address },
    subject: oneLine(subject),
    text,
    html,
    messageId: `<${id}@${host}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl === undefined ? {} : list),
    },
  }
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/** One connection a mail: a pool sends anew by itself, which would double what it cannot know. */
function smtpSender({ url, from }: MailSettings, tryMillis: number): Mailer['send'] {
  const transport = createTransport({
    url,
    connectionTimeout: Math.min(connectMillisMax, tryMillis),
    greetingTimeout: Math.min(connectMillisMax, tryMillis),
    dnsTimeout: Math.min(connectMillisMax, tryMillis),
    socketTimeout: Math.min(silenceMillisMax, tryMillis),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async (mail) => {
    // Quoted-printable lines have 76 characters at most (RFC 5322 allows 998).
    const data = { ...composed(mail, from), textEncoding: 'quoted-printable' as const }
    try {
      await transport.sendMail({ ...data, signal: AbortSignal.timeout(tryMillis) })
    } catch (error) {
      throw faultOf(error as SmtpError)
    }
  }
}

interface SmtpError extends Error {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly response?: string
}

/** The first enhanced code of an answer (RFC 3463), which no part of an address is. */
const enhanced = /(?<![\d.])5\.\d{1,3}\.\d{1,3}(?!\.?\d)/
/** Those about the mailbox: it is not there, has moved, or takes no mail. */
const ofMailbox = /^5\.(1\.([1236]|10)|2\.[0-4])$/

/**
 * A refusal is the mailbox's own where its enhanced code says so, or without one where the server
 * refuses the recipient by 550, 551 or 553. Everything else, such as a sender that is not allowed
 * or a limit for the day, is about us: then everybody's mail fares like that.
 */
function faultOf(error: SmtpError): DeliveryFault {
  const { command = '', responseCode = 0, code = 'unknown' } = error
  const where = command === '' ? '' : ` at ${command.split(' ', 2).join(' ')}`
  const words = responseCode === 0 ? code : `SMTP ${responseCode}`
  const isOfMessage = /^(RCPT|DATA)/.test(command) && responseCode > 0
  const [said] = enhanced.exec(error.response ?? '') ?? []
  const isBare = /^RCPT/.test(command) && [550, 551, 553].includes(responseCode)
  const isOwn = said === undefined ? isBare : ofMailbox.test(said)
  const kind = () => {
    if (code === 'EENVELOPE' && responseCode === 0) return 'refused'
    if (!isOfMessage || responseCode === 421) return 'unreachable'
    if (responseCode < 500) return 'later'
    return isOwn ? 'recipient' : 'refused'
  }
  // The server's own words may repeat the address, so they stay out.
  return new DeliveryFault(kind(), `${words}${where}`)
}

function mailboxSender({ url, from }: MailSettings): Mailer['send'] {
  return async (mail) => {
    const { to, subject, text, html, messageId, headers } = composed(mail, from)
    const sent = { 'Message-ID': messageId, From: from, ...headers }
    const { status } = await callJson('The mailbox', url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ to: to.address, subject, text, html, headers: sent }),
    }).catch((cause: unknown) => {
      throw new DeliveryFault('unreachable', 'The mailbox of the sandbox does not answer', {
        cause,
      })
    })
    if (status >= 400) throw new DeliveryFault('later', `The mailbox answered ${status}`)
  }
}
