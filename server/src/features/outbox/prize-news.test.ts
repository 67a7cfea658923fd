// News of prizes, by mail and in the bell: true when it is read, and for whoever asks for it again.

import { notificationKinds } from '@redpack/contract/notification-kinds'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, told as said, useTestDeps } from '../../../test/deps.ts'
import { jobsNamed } from '../../../test/jobs.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { Mail } from '../../adapters/mail/mailer.ts'
import { moveDueShipments } from '../claims/change-shipments.ts'
import { noticesOf } from '../people/own-views.ts'

const t = useTestDeps()
const home = { name: 'Ana', addressLines: ['Street 7'], city: 'Malmö', country: 'Sweden' }
let mails: Mail[]
let ana: Person
let boss: Person
let claimId: string

/** Wins Ana a hoodie, with 30 days to say where to; news goes to her by mail. */
beforeEach(async () => {
  mails = []
  const gold = await t.packType('Gold')
  await t.prize('Hoodie', { packTypeIds: [gold], totalPacks: 1 })
  await t.rows('UPDATE prizes SET deadline_days = 30')
  boss = await t.person('boss', { role: 'admin' })
  ana = await t.person('ana', { packs: { [gold]: 1 } })
  await t.insert('notification_settings', { user_id: ana.id, address: 'a@x.org' })
  claimId = (await ana.open(gold)).json().results[0].claimId
})

const mailer = { isSetUp: true, send: async (mail: Mail) => void mails.push(mail) }
async function runJobs(seconds = 0): Promise<void> {
  t.clock.advance(seconds)
  const deps: Deps = { ...t.deps, mailer }
  for (const job of jobsNamed('outbox-')) await job.run(deps).catch(() => undefined)
}
const told = async () => {
  await runJobs(60)
  return mails.splice(0).map(({ subject }) => subject.replace(' (Redpack)', ''))
}
/** Past HTTP: sessions do not last as long as parcels are under way. */
const bell = async () =>
  (await noticesOf(t.db, ana.id, t.clock.now())).notices.map(({ kind, status }) => status ?? kind)
const unread = async () => (await noticesOf(t.db, ana.id, t.clock.now())).unreadCount
const readAll = () =>
  ana.send('PUT', '/api/user/notices/read', { readUntil: t.clock.now().toISOString() })
const claims = '/api/user/prize-claims'
const save = () => ana.send('PUT', `${claims}/${claimId}/delivery`, home)
const say = (what: 'decline' | 'received') => ana.send('POST', `${claims}/${claimId}/${what}`)
const ship = async (state: string, more = {}) => {
  t.clock.advance(1)
  const body = { claimIds: [claimId], state, ...more }
  const { verdicts } = (await boss.send('PATCH', '/api/admin/shipments', body)).json()
  expect(verdicts).toEqual([{ claimId, changed: true }])
}
const change = (body: object) => boss.send('PATCH', `/api/admin/prize-claims/${claimId}`, body)

it.each([
  ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
  [
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
  ],
])('ends with a POST to the address in the mail, without a sign-in: %s', async (type, payload) => {
  await runJobs()
  await change({ status: 'processing' })
  const { pathname, search } = new URL(mails[0]?.unsubscribeUrl ?? '')
  const page = await t.app.inject({ method: 'GET', url: pathname + search })
  expect(page.headers.location).toMatch(/^\/notifications\?unsub/)
  const post = async (url: string) => {
    // As a mail program in a browser sends it.
    const headers = { 'content-type': type, 'sec-fetch-site': 'cross-site' }
    return said(t.app.inject({ method: 'POST', url, headers, payload }))
  }
  const heard: unknown[] = []
  t.deps.events.subscribe((event) => heard.push(event))
  expect(await post(`${pathname}?token=${ana.id}.${'0'.repeat(64)}`)).toBe(
    '404 This link does not belong to anybody',
  )
  expect(heard).toEqual([])
  for (const url of [pathname + search, pathname + search]) {
    expect(await post(url)).toBe('200 You will get no more emails from us')
  }
  expect(heard).toEqual(Array(2).fill({ type: 'user_changed', userId: ana.id }))
  await runJobs()
  expect(mails).toHaveLength(1)
  expect((await ana.read('/api/user/profile')).notifications.email).toBe(false)
})

it('comes again to whoever has had enough mail and then confirms an address', async () => {
  await runJobs()
  const { pathname, search } = new URL(mails[0]?.unsubscribeUrl ?? '')
  expect((await ana.send('POST', pathname + search)).statusCode).toBe(200)
  await ana.send('POST', '/api/user/notifications/email', { address: 'ana@example.org' })
  await runJobs()
  const [link = ''] = /\/api\/notifications\/verify\?token=\S+/.exec(mails[1]?.text ?? '') ?? []
  const email = async () => (await ana.read('/api/user/profile')).notifications.email
  expect(await email()).toBe(false)
  expect((await ana.send('POST', link)).statusCode).toBe(200)
  expect(await email()).toBe(true)
  mails.length = 0
  await change({ status: 'processing' })
  expect(await told()).toEqual(['Your Hoodie is being processed'])
})

describe('a win that is told in the morning', () => {
  const asks = 'Tell us in My Prizes where to send it.'

  it.each<[string, () => Promise<unknown>, unknown[]]>([
    ['asks where to send it', async () => undefined, ['You won: Hoodie', true]],
    ['asks nothing that was said meanwhile', save, ['You won: Hoodie', false]],
    ['is not told when it was declined', () => say('decline'), [undefined, undefined]],
  ])('%s', async (_what, act, expected) => {
    const at = (hours: number) =>
      new Date(t.clock.now().getTime() + hours * 3_600_000).toISOString().slice(11, 16)
    const quietHours = { from: at(-1), until: at(1) }
    await ana.send('PUT', '/api/user/notifications', { quietHours })
    await runJobs()
    await act()
    await runJobs(2 * 3_600)
    expect([mails[0]?.subject.replace(' (Redpack)', ''), mails[0]?.text.includes(asks)]).toEqual(
      expected,
    )
  })
})

describe('a prize that needs an address again', () => {
  const wanted = 'delivery_wanted'
  it.each([
    ['staff ask for one', [], () => ship('address_wanted')],
    ['it came back', ['sent', 'returned'], () => ship('address_wanted')],
    ['staff take the address away', [], () => change({ contactInfo: null })],
  ] as const)('is told once and stays in the bell until it has one: %s', async (_, way, ask) => {
    await save()
    for (const state of way) await ship(state)
    await told()
    await readAll()
    t.clock.advance(60)
    await ask()
    expect(await told()).toEqual(['Your Hoodie needs an address'])
    expect([(await bell())[0], await unread()]).toEqual(['delivery_wanted', 1])
    await save()
    expect(await bell()).toEqual(way.length > 0 ? expect.not.arrayContaining([wanted]) : [])
    expect(await told()).toEqual([])
  })

  it('has no deadline to be near once staff take that off', async () => {
    t.clock.advance(24 * 86_400)
    await moveDueShipments(t.deps)
    expect(await bell()).toContain('deadline_near')
    await t.rows('UPDATE shipments SET deadline = NULL')
    expect(await bell()).toEqual(['delivery_wanted'])
  })
})

describe('a parcel', () => {
  it('on its way is told as that, with who carries it, and asked for after three weeks', async () => {
    await save()
    await ship('sent', { courier: 'DHL', trackingNumber: 'JD01' })
    const [sent, ...more] = (await noticesOf(t.db, ana.id, t.clock.now())).notices
    expect([sent?.kind, sent?.carriage, more]).toEqual(['shipment_sent', 'DHL, number JD01', []])
    t.clock.advance(21 * 86_400 - 1)
    expect(await bell()).toEqual(['shipment_sent'])
    t.clock.advance(1)
    expect(await bell()).toEqual(['delivery_asked', 'shipment_sent'])
  })

  it.each([
    ['its winner', false, () => say('received')],
    ['staff', true, () => ship('delivered')],
    [
      'the clock',
      true,
      () => {
        t.clock.advance(30 * 86_400)
        return moveDueShipments(t.deps)
      },
    ],
  ] as const)('that has arrived is no news to whoever said so: %s', async (_who, isNews, end) => {
    await save()
    await ship('sent')
    await told()
    await end()
    expect(await t.value('SELECT status FROM prize_claims')).toBe('completed')
    expect((await told()).includes('Your Hoodie has been delivered')).toBe(isNews)
    expect((await bell()).includes('completed')).toBe(isNews)
  })
})

describe('what staff see of each kind', () => {
  const kinds = async (person: Person) =>
    (await person.get('/api/admin/outbox/kinds')).json().kinds as Record<string, unknown>[]

  it('is every kind with example data, and goes out with their own sentence', async () => {
    expect(await kinds(boss)).toHaveLength(notificationKinds.length)
    const save = (sentence: unknown, kind = 'granted') =>
      boss.send('PUT', `/api/admin/outbox/kinds/${kind}`, { sentence })
    expect((await save('x'.repeat(301))).statusCode).toBe(400)
    expect((await save('x', 'nothing')).statusCode).toBe(400)
    expect((await save('Greetings from *Luna*!')).statusCode).toBe(200)
    const seen = (await kinds(boss)).find(({ kind }) => kind === 'granted')
    expect(seen).toMatchObject({
      sentence: 'Greetings from *Luna*!',
      email: { text: expect.stringMatching(/^Hello Ana,\n[\s\S]*Greetings from \*Luna\*!/) },
      push: { title: 'You received 250 RedCoin', body: 'Greetings from *Luna*!' },
      discord: expect.stringContaining('Greetings from \\*Luna\\*!'),
    })
    expect(JSON.stringify(seen)).not.toContain('token=')
    await save('Have a good day.', 'claim_status')
    await runJobs()
    await change({ status: 'processing' })
    await runJobs()
    expect(mails.at(-1)?.text).toContain('Have a good day.')
    await save(null)
    const after = (await kinds(boss)).find(({ kind }) => kind === 'granted')
    expect(after?.sentence).toBeNull()
    const audit = await t.rows(`SELECT target_type, target_id, before, after FROM audit_log
      WHERE action = 'outbox.sentence' ORDER BY id`)
    const [none, greetings] = [{ sentence: null }, { sentence: 'Greetings from *Luna*!' }]
    expect(audit).toEqual([
      { target_type: 'news', target_id: 'granted', before: none, after: greetings },
      {
        ...{ target_type: 'news', target_id: 'claim_status' },
        ...{ before: none, after: { sentence: 'Have a good day.' } },
      },
      { target_type: 'news', target_id: 'granted', before: greetings, after: none },
    ])
  })
})
