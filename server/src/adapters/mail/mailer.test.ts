// Mails on the wire, judged by a server that speaks the protocol and a parser that is not ours.

import { type ParsedMail, simpleParser } from 'mailparser'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Fate, type SmtpServer, smtpServer } from '../../../test/smtp-server.ts'
import { DeliveryFault } from '../../shared/far-side-faults.ts'
import { type Mail, openMailer } from './mailer.ts'

let server: SmtpServer

beforeAll(async () => {
  server = await smtpServer()
})
beforeEach(() => {
  server.taken.length = 0
  server.fate = () => 'take'
})
afterAll(() => server.close())

const from = 'Redpack <news@packs.example>'
const mailer = (tryMillis = 20_000) => openMailer({ url: server.url, from }, tryMillis)
const mail = (change: Partial<Mail> = {}): Mail => ({
  to: { name: 'Ana', address: 'ana@example.org' },
  subject: 'You won: Hoodie',
  text: 'Hello Ana,\n\nYou won.\n.\n..dots',
  html: '<p>You won</p>',
  id: 'outbox-7',
  unsubscribeUrl: 'https://packs.example/api/notifications/unsubscribe?token=1.ab',
  ...change,
})

async function sent(change: Partial<Mail> = {}): Promise<ParsedMail> {
  await mailer().send(mail(change))
  return simpleParser(server.taken.at(-1)?.raw ?? '')
}

async function faultOf(fate: Fate): Promise<DeliveryFault> {
  server.fate = () => fate
  const error: unknown = await mailer(fate === 'hang' ? 500 : undefined)
    .send(mail())
    .then(() => undefined)
    .catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(DeliveryFault)
  return error as DeliveryFault
}

describe('a mail', () => {
  it('arrives with both texts, one id for every try, and the headers of RFC 8058', async () => {
    const parsed = await sent()
    expect(parsed.from?.text).toBe('"Redpack" <news@packs.example>')
    expect(parsed.to).toMatchObject({ value: [{ name: 'Ana', address: 'ana@example.org' }] })
    expect(parsed.text?.trim()).toBe('Hello Ana,\n\nYou won.\n.\n..dots')
    expect(parsed.html).toContain('<p>You won</p>')
    expect(parsed.messageId).toBe('<outbox-7@packs.example>')
    const list = parsed.headerLines.map(({ line }) => line.replace(/\r\n\s+/g, ' '))
    expect(list).toContain(
      'List-Unsubscribe: <https://packs.example/api/notifications/unsubscribe?token=1.ab>',
    )
    expect(list).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    expect(list).toContain('Auto-Submitted: auto-generated')
  })

  it('has no list headers where nobody is on a list', async () => {
    expect((await sent({ unsubscribeUrl: undefined })).headers.has('list')).toBe(false)
  })

  it.each([
    'Ana\r\nBcc: eve@example.org',
    'Ana\nSubject: other',
    'Ana\u2028Bcc: eve@example.org',
    '"Ana" <eve@example.org>, Bob',
    'Ana <eve@example.org>',
    'Ana\\", eve@example.org, "',
    '=?utf-8?Q?=0D=0ABcc:_eve@example.org?=',
    'Ana\u0000\u0007',
    '\u202eana',
    '名前🎁'.repeat(12),
    'x'.repeat(300),
  ])('goes to one mailbox and gains no header by the name %j', async (name) => {
    const parsed = await sent({ to: { name, address: 'ana@example.org' }, subject: name })
    expect(server.taken.at(-1)?.to).toBe('ana@example.org')
    expect(server.taken).toHaveLength(1)
    expect(parsed.headers.has('bcc')).toBe(false)
    const recipients = [parsed.to].flat().flatMap((one) => one?.value ?? [])
    expect(recipients.map(({ address }) => address)).toEqual(['ana@example.org'])
    const names = parsed.headerLines.map(({ key }) => key)
    expect(new Set(names).size).toBe(names.length)
  })

  it('has no line longer than RFC 5322 allows, and header lines of 78', async () => {
    const word = 'ä'.repeat(5_000)
    await sent({ text: word, html: `<p>${word}</p>`, subject: 'Übergröße '.repeat(30) })
    const [head = '', ...body] = (server.taken.at(-1)?.raw ?? '').split('\r\n\r\n')
    const longest = (text: string) => Math.max(...text.split('\r\n').map(({ length }) => length))
    expect(longest(body.join('\r\n\r\n'))).toBeLessThanOrEqual(998)
    // The address that takes somebody off cannot be broken.
    const folded = head.replace(/ <https:\S+/, '')
    expect(longest(folded)).toBeLessThanOrEqual(78)
  })
})

describe('a mail that is not taken', () => {
  it.each<[Fate, DeliveryFault['kind']]>([
    [{ at: 'RCPT', reply: '550 5.1.1 <ana@example.org> unknown' }, 'recipient'],
    [{ at: 'end', reply: '552 5.2.2 full' }, 'recipient'],
    [{ at: 'RCPT', reply: '554 5.7.1 relay denied' }, 'refused'],
    [{ at: 'RCPT', reply: '550 no such user' }, 'recipient'],
    [{ at: 'RCPT', reply: '550 5.1.8 bad sender' }, 'refused'],
    [{ at: 'end', reply: '550 5.4.5 daily limit exceeded' }, 'refused'],
    [{ at: 'RCPT', reply: '550 5.7.1 [5.2.0.17] is on a list, see code 5.1.1' }, 'refused'],
    [{ at: 'end', reply: '554 [5.2.0.17] is on a list' }, 'refused'],
    [{ at: 'end', reply: '550-5.1.1 nobody here\r\n550 5.7.1 see also' }, 'recipient'],
    [{ at: 'end', reply: '550 this sender is not verified' }, 'refused'],
    [{ at: 'RCPT', reply: '451 4.7.1 come back' }, 'later'],
    [{ at: 'end', reply: '452 busy' }, 'later'],
    [{ at: 'MAIL', reply: '530 5.7.0 sign in first' }, 'unreachable'],
    [{ at: 'greeting', reply: '554 go away' }, 'unreachable'],
    [{ at: 'RCPT', reply: '421 closing' }, 'unreachable'],
    ['close', 'unreachable'],
    ['take-and-close', 'unreachable'],
    ['hang', 'unreachable'],
  ])('%j is a fault of the kind %s, without the address in it', async (fate, kind) => {
    const fault = await faultOf(fate)
    expect(fault.kind).toBe(kind)
    expect(fault.message).not.toContain('ana')
  })

  it('is one of a server that nobody has started', async () => {
    const nobody = openMailer({ url: 'smtp://127.0.0.1:9', from }, 500)
    await expect(nobody.send(mail())).rejects.toMatchObject({ kind: 'unreachable' })
  })
})
