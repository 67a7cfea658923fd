// News by email, from the event to the mail: addresses, choices, pace, and what fails.

import type { NotificationsResponse } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { grantCoins } from '../../../test/commands.ts'
import { type Person, told, useTestDeps } from '../../../test/deps.ts'
import { jobsNamed } from '../../../test/jobs.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { Mail } from '../../adapters/mail/mailer.ts'
import { DeliveryFault } from '../../shared/far-side-faults.ts'

const t = useTestDeps({ LOCAL_ADMIN_USERNAME: 'root', LOCAL_ADMIN_PASSWORD: 'a long secret here' })
let mails: Mail[]
let fails: DeliveryFault['kind'] | 'no server' | undefined
let ana: Person

const deps = (): Deps => ({
  ...t.deps,
  mailer: {
    isSetUp: fails !== 'no server',
    async send(mail) {
      if (fails && fails !== 'no server') throw new DeliveryFault(fails, 'SMTP 550 at RCPT TO')
      mails.push(mail)
    },
  },
})

/** Both jobs, as often as the clock says. */
async function runJobs(seconds = 0): Promise<void> {
  t.clock.advance(seconds)
  for (const job of jobsNamed('outbox-')) await job.run(deps()).catch(() => undefined)
}

const settings = async (person: Person): Promise<NotificationsResponse> =>
  (await person.get('/api/user/notifications')).json()
const ask = (person: Person, address: unknown) =>
  person.send('POST', '/api/user/notifications/email', { address })
const save = (person: Person, body: object) => person.send('PUT', '/api/user/notifications', body)
const linkIn = (mail: Mail | undefined, path: string) =>
  new RegExp(`(${path}\\?token=\\S+)`).exec(mail?.text ?? '')?.[1] ?? 'none'
/** What the button of the page says to which the link of a mail leads. */
const confirm = async (url: string) => {
  const answer = await t.app.inject({ method: 'POST', url })
  return `${answer.statusCode} ${answer.json().message}`
}
const expired = '404 This link was used or has expired. Get a new one from your profile.'
const subjects = () => mails.map(({ subject }) => subject)
const wallets = [2, 3].map((last) => `${'1'.repeat(31)}${last}`)

async function proven(person: Person): Promise<void> {
  await ask(person, `${person.name}@example.org`)
  await runJobs()
  await confirm(linkIn(mails.at(-1), '/api/notifications/verify'))
  mails.length = 0
}

const grant = ({ id }: Person, amount = 5, now = t.clock.now()) => grantCoins(t.db, id, now, amount)

beforeEach(async () => {
  mails = []
  fails = undefined
  ana = await t.person('ana', { coins: 100 })
})

describe('an address', () => {
  it('is used once the page of the link was told so, which works once', async () => {
    const asked = await ask(ana, ' ana@example.org ')
    expect(asked.json().channels.email).toMatchObject({
      address: 'ana@example.org',
      verified: false,
      isLinkOver: false,
    })
    await runJobs()
    expect(mails.map(({ to }) => to.address)).toEqual(['ana@example.org'])
    expect(mails[0]?.unsubscribeUrl).toBeUndefined()
    // A stranger may be meant: none of the words that whoever asks can choose.
    expect(JSON.stringify(mails[0]).replaceAll('ana@example.org', '')).not.toMatch(/ana/i)
    const link = linkIn(mails[0], '/api/notifications/verify')
    // As a mail gateway does that looks at every link.
    const opened = await t.app.inject({ method: 'GET', url: link })
    expect(opened.headers.location).toBe(
      link.replace('/api/', '/').replace('/verify?token', '?verify'),
    )
    expect((await settings(ana)).channels.email).toMatchObject({ verified: false })
    const heard: unknown[] = []
    t.deps.events.subscribe((event) => heard.push(event))
    expect(await confirm(link)).toBe('200 Your address is confirmed')
    expect(heard).toEqual([{ type: 'user_changed', userId: ana.id }])
    expect((await settings(ana)).channels.email).toMatchObject({ verified: true })
    expect(await confirm(link)).toBe(expired)
  })

  it('is not proven after a day, by an earlier link, or by a token of somebody else', async () => {
    await ask(ana, 'old@example.org')
    await runJobs()
    await ask(ana, 'ana@example.org')
    await runJobs()
    const [old = '', link = ''] = mails.map((mail) => linkIn(mail, '/api/notifications/verify'))
    const forged = link.replace(/token=\d+/, `token=${ana.id + 1}`)
    const path = '/api/notifications/verify'
    for (const bad of [old, forged, `${path}?token=`, path])
      expect(await confirm(bad)).toBe(expired)
    t.clock.advance(24 * 3_600 + 1)
    expect(await confirm(link)).toBe(expired)
    const { email } = (await settings(ana)).channels
    expect(email).toMatchObject({ verified: false, isLinkOver: true })
  })

  it('is asked for where mail can be sent', async () => {
    const { mailer } = t.deps
    Object.assign(t.deps, { mailer: { ...mailer, isSetUp: false } })
    expect(await told(ask(ana, 'ana@example.org'))).toBe('503 Email is not set up here')
    Object.assign(t.deps, { mailer })
    expect((await settings(ana)).channels.email.address).toBeNull()
  })

  it('gets ten links a day from one person, which are forgotten then', async () => {
    const asked: number[] = []
    for (let count = 0; count < 12; count += 1) {
      asked.push((await ask(ana, `${count}@example.org`)).statusCode)
      t.clock.advance(3_600)
    }
    expect(asked).toEqual([...Array(10).fill(200), 429, 429])
    expect((await settings(ana)).channels.email.address).toBe('9@example.org')
    await runJobs()
    expect((await ask(ana, 'other@example.org')).json().message).toBe(
      'Too many links were sent, try again tomorrow',
    )
    t.clock.advance(14 * 3_600)
    expect((await ask(ana, 'other@example.org')).statusCode).toBe(200)
    t.clock.advance(24 * 3_600)
    await runJobs()
    expect(await t.rows('SELECT * FROM address_link_marks')).toEqual([])
  })

  it('stays in use until another one is proven, and can be forgotten', async () => {
    await proven(ana)
    await ask(ana, 'new@example.org')
    expect((await settings(ana)).channels.email).toMatchObject({
      address: 'ana@example.org',
      verified: true,
      pending: 'new@example.org',
    })
    const forgotten = await save(ana, { channels: { email: null } })
    expect(forgotten.json().channels.email).toMatchObject({ address: null, verified: false })
  })

  it.each(['', 'ana', 'a@b\r\nBcc: eve@example.org', 'a@example.org, b@example.org', 7, null])(
    'cannot be %j',
    async (address) => {
      expect((await ask(ana, address)).statusCode).toBe(400)
      await runJobs()
      expect(mails).toEqual([])
    },
  )
})

describe('news', () => {
  it('is told once of each event, to those alone who have proven an address', async () => {
    const ben = await t.person('ben')
    await proven(ana)
    await grant(ana)
    await grant(ana, -3)
    await grant(ben)
    await runJobs(10)
    await runJobs(10)
    expect(subjects()).toEqual([
      'You received 5 RedCoin (Redpack)',
      'Staff took back 3 RedCoin (Redpack)',
    ])
    expect(mails[0]?.text).toContain('Hello ana,')
    expect(mails[0]?.html).toContain('You received 5 RedCoin.')
  })

  it('tells of a prize to be sent, of its status, of the wallet and of a sign-in', async () => {
    const gold = await t.packType('Gold')
    await t.prize('Hoodie <b>', { packTypeIds: [gold], winFrequency: 1, totalPacks: 1 })
    await proven(ana)
    await t.insert('user_packs', { user_id: ana.id, pack_type_id: gold, quantity: 1 })
    await ana.send('POST', '/api/packs/open', { packTypeId: gold, quantity: 1 })
    await runJobs()
    const boss = await t.person('boss', { role: 'admin' })
    const [claim] = await t.rows<{ id: number }>('SELECT id FROM prize_claims')
    await boss.send('PATCH', `/api/admin/prize-claims/${claim!.id}`, { status: 'processing' })
    const walletAddress = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
    await ana.send('PUT', '/api/user/wallet', { walletAddress })
    // The same one again is no change.
    await ana.send('PUT', '/api/user/profile', { solanaWallet: walletAddress })
    await runJobs()
    expect(subjects()).toEqual([
      'You won: Hoodie <b> (Redpack)',
      'Your wallet was changed (Redpack)',
      'Your Hoodie <b> is being processed (Redpack)',
    ])
    expect(mails[0]?.html).toContain('Hoodie &lt;b&gt;')
    expect(mails[0]?.html).not.toContain('<b>')
    const signIn = { username: 'root', password: 'a long secret here' }
    const local = () => t.app.inject({ method: 'POST', url: '/api/auth/local', payload: signIn })
    const user = (await local()).json().user
    await t.insert('notification_settings', { user_id: user.id, address: 'r@x.org' })
    await local()
    await runJobs()
    expect(subjects().at(-1)).toBe('New sign-in to your account (Redpack)')
  })

  it('tells of a code without the code, and asks nobody where to send it', async () => {
    const gold = await t.packType('Gold')
    const boss = await t.person('boss', { role: 'admin' })
    const key = { name: 'Game Key', packTypeIds: [gold], winFrequency: 1, totalPacks: 1 }
    const made = await boss.send('POST', '/api/admin/prizes', { ...key, deliversCodes: true })
    const path = `/api/admin/prizes/${made.json().id}/codes`
    expect((await boss.send('POST', path, { codes: ['SECRET-1'] })).json().added).toBe(1)
    await proven(ana)
    await t.insert('user_packs', { user_id: ana.id, pack_type_id: gold, quantity: 1 })
    await ana.send('POST', '/api/packs/open', { packTypeId: gold, quantity: 1 })
    await runJobs()
    expect(subjects()).toEqual(['You won: Game Key (Redpack)'])
    expect(mails[0]?.text).toContain('Your code is in My Prizes.')
    expect(JSON.stringify(mails)).not.toMatch(/SECRET-1|where to send/)
  })

  it('holds no text in the database', async () => {
    await proven(ana)
    await grant(ana)
    await runJobs()
    const rows = await t.rows(`SELECT kind, event FROM outbox_messages WHERE kind = 'granted'`)
    expect(rows).toEqual([{ kind: 'granted', event: expect.stringMatching(/^red_coin-\d+$/) }])
  })

  it('is not told of what somebody does not want to hear of', async () => {
    await proven(ana)
    await save(ana, { preferences: { granted: { email: false } } })
    expect((await settings(ana)).preferences).toMatchObject({
      granted: { email: false },
      taken: { email: true },
    })
    await grant(ana)
    await grant(ana, -1)
    await runJobs()
    await ana.send('PUT', '/api/user/profile', { notifications: { rewards: false } })
    await grant(ana, -1)
    await ana.send('PUT', '/api/user/profile', {
      notifications: { rewards: true, email: false },
    })
    await grant(ana, -1)
    await runJobs()
    expect(subjects()).toEqual(['Staff took back 1 RedCoin (Redpack)'])
  })

  it('waits for the end of quiet hours in the zone of the person', async () => {
    await proven(ana)
    await ana.send('PUT', '/api/user/profile', { timezone: 'Europe/Berlin' })
    const hour = (hours: number) => {
      const then = new Date(t.clock.now().getTime() + hours * 3_600_000)
      return new Intl.DateTimeFormat('en-GB', {
        timeZone: 'Europe/Berlin',
        hour: '2-digit',
        minute: '2-digit',
      }).format(then)
    }
    const quiet = (until: number) =>
      save(ana, { quietHours: { from: hour(-1), until: hour(until) } })
    expect((await quiet(2)).json()).toMatchObject({ timezone: 'Europe/Berlin' })
    await grant(ana)
    await runJobs()
    await runJobs(3_600)
    expect(mails).toEqual([])
    await runJobs(3_600)
    expect(subjects()).toEqual(['You received 5 RedCoin (Redpack)'])
    // Also where they go on for longer than news is news.
    await quiet(22)
    await grant(ana, 7)
    for (const hours of [0, 21, 3]) {
      await runJobs(hours * 3_600)
      if (hours === 21) await quiet(4)
      expect(mails).toHaveLength(1)
    }
    await runJobs(3_600)
    expect(subjects().slice(1)).toEqual(['You received 7 RedCoin (Redpack)'])
    expect((await save(ana, { quietHours: null })).json().quietHours).toBeNull()
  })

  it('of a broadcast that another one has followed meanwhile is told of the other alone', async () => {
    await proven(ana)
    const now = t.clock.now().getTime()
    const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString().slice(11, 16)
    const preferences = { stream_live: { email: true } }
    await save(ana, { preferences, quietHours: { from: at(-1), until: at(1) } })
    await t.rows(`INSERT INTO twitch_streams (twitch_channel_id, channel_name, display_name)
      VALUES ('1', 'luna', 'Luna')`)
    for (const broadcast of ['s1', 's2']) {
      await t.rows(
        'UPDATE twitch_streams SET is_live = true, current_stream_id = $1, stream_started_at = $2',
        [broadcast, t.clock.now()],
      )
      await runJobs(60)
    }
    await runJobs(3_600)
    expect(subjects()).toEqual(['Luna is live (Redpack)'])
  })

  it('of one kind becomes one where there are more than five in an hour', async () => {
    await proven(ana)
    for (let count = 0; count < 12; count += 1) await grant(ana, count + 1)
    await runJobs()
    expect(subjects()).toEqual(['12 messages: You received 1 RedCoin (Redpack)'])
    expect(mails[0]?.text).toContain('You received 10 RedCoin.\nAnd 2 more.')
    for (let count = 0; count < 4; count += 1) {
      await grant(ana)
      await runJobs()
    }
    expect(mails).toHaveLength(5)
    await grant(ana)
    await grant(ana)
    await runJobs()
    expect(mails).toHaveLength(5)
    await runJobs(3_601)
    expect(mails).toHaveLength(7)
  })

  it('of the account is bundled as well, and many of one person keep nobody else waiting', async () => {
    const bea = await t.person('bea')
    await proven(ana)
    await proven(bea)
    for (let count = 0; count < 60; count += 1) {
      const body = { walletAddress: wallets[count % 2] }
      expect((await ana.send('PUT', '/api/user/wallet', body)).statusCode).toBe(200)
      // What goes out at first goes one by one.
      if (count < 5) await runJobs(5)
    }
    const due = `SELECT count(*)::int AS due FROM outbox_messages
      WHERE state = 'waiting' AND bundled_into IS NULL AND next_try_at <= $1`
    await runJobs()
    expect(await t.rows(due, [t.clock.now()])).toEqual([{ due: 0 }])
    expect(mails).toHaveLength(5)
    await grant(bea)
    await runJobs(5)
    expect(mails.at(-1)?.to.address).toBe('bea@example.org')
    await runJobs(3_600)
    expect(subjects().at(-1)).toBe('55 messages: Your wallet was changed (Redpack)')
  })

  it('goes out five at a time to a person, and five of a kind again after they failed', async () => {
    await proven(ana)
    for (let count = 0; count < 4; count += 1) {
      await grant(ana, 2)
      await grant(ana, -1)
    }
    await runJobs()
    expect(mails).toHaveLength(5)
    await runJobs(5)
    expect(mails).toHaveLength(8)
    await runJobs(3_600)
    for (let count = 0; count < 5; count += 1) await grant(ana, 3)
    fails = 'later'
    await runJobs()
    fails = undefined
    await runJobs(60)
    expect(subjects().slice(8)).toEqual(Array(5).fill('You received 3 RedCoin (Redpack)'))
  })

  it('is told of what a process with a clock that runs ahead has written', async () => {
    await proven(ana)
    await grant(ana, 5, new Date(t.clock.now().getTime() + 100))
    await runJobs()
    expect(subjects()).toEqual(['You received 5 RedCoin (Redpack)'])
  })

  it('is no news any more a day later, also where nothing could carry it meanwhile', async () => {
    await proven(ana)
    await grant(ana)
    await runJobs(25 * 3_600)
    await grant(ana)
    fails = 'unreachable'
    await runJobs()
    fails = 'no server'
    // Such news is left at once, whatever is set up.
    await ana.send('PUT', '/api/user/wallet', { walletAddress: wallets[0] })
    const left = () => t.rows(`SELECT state, problem FROM outbox_messages WHERE state <> 'sent'`)
    await runJobs(23 * 3_600)
    expect(await left()).toHaveLength(2)
    await runJobs(2 * 3_600)
    const problem = 'SMTP 550 at RCPT TO. Its time was over'
    expect(await left()).toEqual([{ state: 'failed', problem }])
    fails = undefined
    await runJobs()
    expect(mails).toEqual([])
  })
})

it('forgets all that is over, and not a part of it', async () => {
  await t.rows(`INSERT INTO outbox_messages (place, channel, kind, event, state, next_try_at,
    created_at) SELECT 'place', 'chat', 'kind', 'event-' || i, 'failed', to_timestamp(0),
      to_timestamp(0) FROM generate_series(1, 1001) i`)
  await runJobs()
  expect(await t.rows('SELECT id FROM outbox_messages')).toEqual([])
})

describe('a far side that fails', () => {
  const messages = async (state: string) => {
    const boss = await t.person(`boss-${state}-${mails.length}`, { role: 'admin' })
    return (await boss.get(`/api/admin/outbox?state=${state}`)).json()
  }

  it('is asked again for a day, then staff can have it sent again', async () => {
    await proven(ana)
    await grant(ana)
    fails = 'unreachable'
    await runJobs()
    expect((await messages('waiting')).messages).toMatchObject([
      { kind: 'granted', attempts: 1, lastError: 'SMTP 550 at RCPT TO' },
    ])
    for (let hours = 0; hours < 26; hours += 1) await runJobs(3_601)
    const failed = await messages('failed')
    expect(failed.counts).toEqual({ waiting: 0, sent: 1, failed: 1 })
    expect(JSON.stringify(failed)).not.toContain('ana')
    fails = undefined
    const boss = await t.person('boss', { role: 'admin' })
    const { id } = failed.messages[0]
    const again = () => boss.send('POST', `/api/admin/outbox/${id}/again`)
    expect((await again()).statusCode).toBe(200)
    await runJobs()
    expect(mails).toHaveLength(1)
    expect((await again()).statusCode).toBe(409)
    expect((await boss.send('POST', '/api/admin/outbox/999999/again')).statusCode).toBe(404)
  })

  it('is sent again one by one: what went together may go with others now', async () => {
    await proven(ana)
    fails = 'unreachable'
    for (let count = 0; count < 5; count += 1) {
      await grant(ana)
      await runJobs(5)
    }
    await runJobs(3_600)
    // More than five within the hour: one of these, after five that stand alone, takes the others.
    for (let count = 0; count < 8; count += 1) await grant(ana)
    for (let hours = 0; hours < 60; hours += 1) await runJobs(3_601)
    const boss = await t.person('boss', { role: 'admin' })
    for (const { id } of (await messages('failed')).messages) {
      expect((await boss.send('POST', `/api/admin/outbox/${id}/again`)).statusCode).toBe(200)
    }
    fails = undefined
    for (let hours = 0; hours < 3; hours += 1) await runJobs(3_601)
    const nested = `SELECT 1 FROM outbox_messages m JOIN outbox_messages h ON h.id = m.bundled_into
      WHERE h.bundled_into IS NOT NULL`
    expect(await t.rows(nested)).toEqual([])
    const waiting = `SELECT 1 FROM outbox_messages WHERE state <> 'sent'`
    expect(await t.rows(waiting)).toEqual([])
  })

  it('keeps an address that was given while mail to an earlier one was under way', async () => {
    await ask(ana, 'ana@gmial.example')
    const send = async (mail: Mail) => {
      if (mail.to.address === 'ana@example.org') return void mails.push(mail)
      await ask(ana, 'ana@example.org')
      throw new DeliveryFault('recipient', 'SMTP 550 at RCPT TO')
    }
    const slow = { ...deps(), mailer: { isSetUp: true, send } }
    for (const job of jobsNamed('outbox-')) await job.run(slow).catch(() => undefined)
    await runJobs()
    expect(mails.map(({ to }) => to.address)).toEqual(['ana@example.org'])
  })

  it('switches the address off when it refuses it, and the bell says so', async () => {
    await proven(ana)
    await grant(ana)
    fails = 'recipient'
    await runJobs()
    const { email } = (await settings(ana)).channels
    expect(email).toMatchObject({ address: null, verified: false, refusedAt: expect.any(String) })
    const { notices } = (await ana.get('/api/user/notices')).json()
    expect(notices.map(({ kind }: { kind: string }) => kind)).toContain('email_refused')
    fails = undefined
    await grant(ana)
    await runJobs()
    expect(mails).toEqual([])
    await proven(ana)
    expect((await settings(ana)).channels.email).toMatchObject({ verified: true, refusedAt: null })
  })
})

it('erases what waits with the account; the export says what was sent', async () => {
  await proven(ana)
  await grant(ana)
  await runJobs()
  const { tables } = (await ana.get('/api/user/export')).json()
  expect(tables.outboxMessages).toMatchObject([
    { kind: 'verify_address', channel: 'email', sentAt: expect.any(String) },
    { kind: 'granted', channel: 'email', sentAt: expect.any(String) },
  ])
  await grant(ana)
  const left = await ana.send('DELETE', '/api/user', { confirm: 'ana' })
  expect(left.statusCode).toBe(200)
  await runJobs()
  expect(mails).toHaveLength(1)
  expect(await t.rows('SELECT 1 FROM outbox_messages')).toEqual([])
  expect(await t.rows('SELECT 1 FROM notification_settings')).toEqual([])
})
