// News by push and by Discord, and what shipments and the clock make news of.

import { createECDH } from 'node:crypto'
import type { NotificationsResponse } from '@redpack/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { grantCoins } from '../../../test/commands.ts'
import { type Person, useTestDeps } from '../../../test/deps.ts'
import { jobsNamed } from '../../../test/jobs.ts'
import { type PushService, pushService } from '../../../test/push-service.ts'
import type { Deps } from '../../adapters/deps.ts'
import { openPusher, type Pusher, publicLookup } from '../../adapters/push/pusher.ts'
import { DiscordFault } from '../../shared/far-side-faults.ts'

const pair = createECDH('prime256v1')
pair.generateKeys()
const privateKey = Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString(
  'base64url',
)
const t = useTestDeps({ VAPID_PRIVATE_KEY: privateKey })
let service: PushService
let pusher: Pusher
let told: { to: string; text: string; nonce: string }[]
let discordFails: DiscordFault | undefined
let ana: Person

beforeAll(async () => {
  service = await pushService(() => pair.getPublicKey('base64url'))
  pusher = openPusher(
    { privateKey, subject: 'mailto:a@packs.example', ownService: service.url },
    500,
  )
  // Routes ask it whether an address is allowed.
  Object.assign(t.deps, { pusher })
})
afterAll(() => service.close())
beforeEach(async () => {
  told = []
  discordFails = undefined
  ana = await t.person('ana', { coins: 100 })
})

const deps = (): Deps => ({
  ...t.deps,
  pusher,
  discord: {
    ...t.deps.discord,
    async tell(to, text, nonce) {
      if (discordFails !== undefined) throw discordFails
      told.push({ to, text, nonce })
    },
  },
})
async function runJobs(seconds = 0): Promise<void> {
  t.clock.advance(seconds)
  // What the clock makes of shipments stands in their timelines, which news is read from.
  const jobs = jobsNamed('delivery-', 'outbox-')
  for (const job of jobs) await job.run(deps()).catch(() => undefined)
}

const path = '/api/user/notifications/push'
let made = 0
function next(): number {
  made += 1
  return made
}
const browser = () => service.browser(`b${next()}`)
const register = (person: Person, { subscription }: ReturnType<typeof browser>, agent = '') =>
  person.send('POST', path, { ...subscription, expirationTime: null }, { 'user-agent': agent })
const settings = async (person: Person): Promise<NotificationsResponse> =>
  (await person.get('/api/user/notifications')).json()
const boss = () => t.person(`boss${next()}`, { role: 'admin' })
const grant = ({ id }: Person, amount = 5) => grantCoins(t.db, id, t.clock.now(), amount)

describe('push', () => {
  it('reaches every device of the person, sealed for it and by nobody else', async () => {
    const { publicKey } = (await ana.get('/api/notifications/push-key')).json()
    expect(publicKey).toBe(pair.getPublicKey('base64url'))
    const [phone, desk] = [browser(), browser()]
    await register(ana, phone, 'Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36')
    const { channels } = (
      await register(ana, desk, 'Mozilla/5.0 (X11; Linux) Firefox/140.0')
    ).json()
    expect(channels.push.map(({ label }: { label: string }) => label).toSorted()).toEqual([
      'Chrome on Android',
      'Firefox on Linux',
    ])
    expect(JSON.stringify(channels)).not.toContain(service.url)
    await grant(ana)
    await runJobs()
    const shown = { title: 'You received 5 RedCoin', body: '', path: '/history' }
    expect(phone.shown).toEqual([{ ...shown, tag: expect.stringMatching(/^outbox-\d+$/) }])
    expect(desk.shown).toEqual(phone.shown)
    const [row] = await t.rows<{ text: string }>('SELECT o::text AS text FROM outbox_messages o')
    expect(row?.text).not.toContain('RedCoin')
  })

  it('forgets a device that is gone and goes on with the others', async () => {
    const [gone, left] = [browser(), browser()]
    for (const one of [gone, left]) await register(ana, one)
    gone.status = 410
    await grant(ana)
    await runJobs()
    expect(left.shown).toHaveLength(1)
    expect((await settings(ana)).channels.push).toHaveLength(1)
    left.status = 404
    await grant(ana)
    await runJobs()
    expect((await settings(ana)).channels.push).toEqual([])
    expect(await t.rows('SELECT problem FROM outbox_messages ORDER BY id DESC LIMIT 1')).toEqual([
      { problem: 'No device is left' },
    ])
  })

  it.each([503, 429, 0])('asks again after %i, under the tag that was shown', async (status) => {
    const [one, other] = [browser(), browser()]
    for (const device of [one, other]) await register(ana, device)
    one.status = status
    await grant(ana)
    await runJobs()
    one.status = 201
    await runJobs(60)
    await runJobs(60)
    expect([one, other].map(({ shown }) => shown.length)).toEqual([status === 0 ? 2 : 1, 2])
    expect(new Set([...one.shown, ...other.shown].map(({ tag }) => tag)).size).toBe(1)
  })

  it('asks again when a service says so, in its own time where that is soon or never', async () => {
    const devices = [browser(), browser(), browser()]
    const people = [ana, await t.person('ben'), await t.person('cid')]
    for (const [at, device] of devices.entries()) {
      await register(people[at]!, device)
      Object.assign(device, { status: 429, retryAfter: ['600', '1', '99999999'][at] })
      await grant(people[at]!)
    }
    await runJobs()
    for (const device of devices) device.status = 201
    const shown: string[] = []
    for (const seconds of [20, 20, 500, 60, 3_000]) {
      await runJobs(seconds)
      shown.push(devices.map((device) => device.shown.length).join(''))
    }
    expect(shown).toEqual(['000', '010', '010', '110', '111'])
  })

  it('belongs to who registered the browser last with its keys, and to nobody by its address', async () => {
    const one = browser()
    const ben = await t.person('ben', { coins: 100 })
    await register(ana, one)
    await grant(ana)
    const { endpoint } = one.subscription
    const guess = { endpoint, keys: browser().subscription.keys }
    expect((await ben.send('POST', path, guess)).statusCode).toBe(409)
    await ben.send('DELETE', path, { endpoint })
    expect((await settings(ana)).channels.push).toHaveLength(1)
    expect((await register(ben, one)).statusCode).toBe(200)
    expect((await settings(ana)).channels.push).toEqual([])
    await grant(ben, 7)
    await runJobs()
    expect(one.shown.map(({ title }) => title)).toEqual(['You received 7 RedCoin'])
    await ben.send('DELETE', path, one.subscription)
    await grant(ben)
    await runJobs()
    expect(one.shown).toHaveLength(1)
  })

  it('ends on every device with a sign-out everywhere', async () => {
    const [one, other, bens] = [browser(), browser(), browser()]
    const ben = await t.person('ben')
    for (const mine of [one, other]) await register(ana, mine)
    await register(ben, bens)
    await ana.send('POST', '/api/auth/logout-everywhere')
    for (const person of [ana, ben]) await grant(person)
    await runJobs()
    expect([one, other, bens].map(({ shown }) => shown.length)).toEqual([0, 0, 1])
  })

  it('begins on no device by a session that has ended elsewhere a moment ago', async () => {
    expect((await ana.get('/api/auth/me')).statusCode).toBe(200)
    // As another process does it: this one still takes her for signed in.
    await t.rows('DELETE FROM sessions WHERE user_id = $1', [ana.id])
    expect((await ana.get('/api/auth/me')).statusCode).toBe(200)
    expect((await register(ana, browser())).statusCode).toBe(401)
    expect(await t.rows('SELECT id FROM push_subscriptions')).toEqual([])
  })

  it('keeps ten devices and forgets the oldest', async () => {
    const all = Array.from({ length: 11 }, browser)
    for (const one of all) {
      t.clock.advance(1)
      await register(ana, one)
    }
    expect((await settings(ana)).channels.push).toHaveLength(10)
    await grant(ana)
    await runJobs()
    expect(all.map(({ shown }) => shown.length)).toEqual([0, ...Array(10).fill(1)])
  })

  it.each([
    'http://push.example/1',
    'https://127.0.0.1/1',
    'https://[::1]/1',
    'https://[::ffff:10.0.0.1]/1',
    'https://2130706433/1',
    'https://169.254.169.254/latest',
    'https://localhost/1',
    'https://user:pass@push.example/1',
    'https://push.example:8443/1',
    'file:///etc/passwd',
    'push',
  ])('goes to no address like %s', async (endpoint) => {
    const { keys } = browser().subscription
    expect((await ana.send('POST', path, { endpoint, keys })).statusCode).toBe(400)
    await expect(pusher.send({ endpoint, ...keys }, '{}', 'a')).rejects.toMatchObject({
      kind: 'recipient',
    })
  })

  it('goes to no name that leads into this network', async () => {
    const lookedUp = new Promise((resolve) => publicLookup('localhost', {}, resolve))
    expect(String(await lookedUp)).toContain('not public')
  })

  it('takes no keys that nothing can be sealed with', async () => {
    const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) }
    const { endpoint } = browser().subscription
    await ana.send('POST', path, { endpoint, keys })
    await grant(ana)
    await runJobs()
    expect((await settings(ana)).channels.push).toEqual([])
    expect((await ana.send('POST', path, { endpoint, keys: {} })).statusCode).toBe(400)
  })
})

describe('Discord', () => {
  const link = (person: Person) =>
    t.rows(`UPDATE users SET discord_id = '7700' WHERE id = $1`, [person.id])
  const switchOn = (person: Person, discord = true) =>
    person.send('PUT', '/api/user/notifications', { channels: { discord } })
  const lastTry = () =>
    t.rows(`SELECT state, problem FROM outbox_messages WHERE channel = 'discord'`)

  it('carries messages to linked people who have switched it on', async () => {
    await switchOn(ana)
    expect(await settings(ana)).toMatchObject({ isDiscordPossible: false })
    await grant(ana)
    await link(ana)
    expect(await settings(ana)).toMatchObject({ isDiscordPossible: true })
    await runJobs()
    await grant(ana, 9)
    await runJobs()
    expect(told.map(({ to, text }) => [to, text.split('\n')[0]])).toEqual([
      ['7700', 'You received 5 RedCoin.'],
      ['7700', 'You received 9 RedCoin.'],
    ])
    await ana.send('PUT', '/api/user/notifications', {
      preferences: { granted: { discord: false } },
    })
    await ana.send('PUT', '/api/user/notifications', { preferences: { granted: { push: true } } })
    expect((await settings(ana)).preferences.granted).toMatchObject({ discord: false, push: true })
    await grant(ana)
    await runJobs()
    expect(told).toHaveLength(2)
  })

  it('switches itself off when the person takes no messages, and the bell says so', async () => {
    await link(ana)
    await switchOn(ana)
    await grant(ana)
    discordFails = new DiscordFault('forbidden', 'no', { code: 50_007 })
    await runJobs()
    const { channels } = await settings(ana)
    expect(channels).toMatchObject({ discord: false, discordRefusedAt: expect.any(String) })
    const { notices } = (await ana.get('/api/user/notices')).json()
    expect(notices.map(({ kind }: { kind: string }) => kind)).toContain('discord_refused')
    discordFails = undefined
    await switchOn(ana)
    expect((await settings(ana)).channels).toMatchObject({ discord: true, discordRefusedAt: null })
  })

  it('waits for another token once Discord has refused the one of the bot', async () => {
    await link(ana)
    await switchOn(ana)
    await grant(ana)
    discordFails = new DiscordFault('token', 'no')
    for (let hour = 0; hour < 4; hour += 1) await runJobs(3_600)
    expect(await t.rows('SELECT attempts, state FROM outbox_messages')).toEqual([
      { attempts: 1, state: 'waiting' },
    ])
    discordFails = undefined
    await t.rows(`UPDATE app_settings SET value = value || '{"tokenMark": "of another"}'
      WHERE key = 'discord_bot_stop'`)
    await runJobs()
    expect(told).toHaveLength(1)
  })

  it('stays on for an account that was linked while another one refused a message', async () => {
    await link(ana)
    await switchOn(ana)
    await grant(ana)
    const tell = async () => {
      await t.rows(`UPDATE users SET discord_id = '7701' WHERE id = $1`, [ana.id])
      throw new DiscordFault('forbidden', 'no', { code: 50_007 })
    }
    const slow = { ...deps(), discord: { ...t.deps.discord, tell } }
    for (const job of jobsNamed('outbox-')) await job.run(slow).catch(() => undefined)
    expect((await settings(ana)).channels).toMatchObject({ discord: true, discordRefusedAt: null })
  })

  it('waits as long as Discord asks it to', async () => {
    await link(ana)
    await switchOn(ana)
    await grant(ana)
    discordFails = new DiscordFault('rate_limited', 'wait', { waitSeconds: 300 })
    await runJobs()
    discordFails = undefined
    await runJobs(299)
    expect(told).toEqual([])
    await runJobs(1)
    expect(told).toHaveLength(1)
  })

  it('waits where Discord is away, and push goes out all the same', async () => {
    await link(ana)
    await switchOn(ana)
    const one = browser()
    await register(ana, one)
    await grant(ana)
    discordFails = new DiscordFault('unreachable', 'away')
    await runJobs()
    expect(one.shown).toHaveLength(1)
    expect(await lastTry()).toEqual([{ state: 'waiting', problem: 'away' }])
    discordFails = undefined
    await runJobs(60)
    expect(told).toHaveLength(1)
  })

  it('is asked no more for a message that it refuses, and staff read its number', async () => {
    await link(ana)
    await switchOn(ana)
    await grant(ana)
    discordFails = new DiscordFault('refused', 'no', { code: 50_035 })
    await runJobs()
    expect(await lastTry()).toEqual([{ state: 'failed', problem: 'Discord refused this (50035)' }])
    expect((await settings(ana)).channels).toMatchObject({ discord: true, discordRefusedAt: null })
  })
})

describe('what becomes of a prize', () => {
  const day = 86_400
  let one: ReturnType<typeof browser>
  let claim: { readonly id: number; readonly name: string }
  const titles = () => one.shown.map(({ title }) => title)
  const ship = async (change: object) =>
    (await boss()).send('PATCH', '/api/admin/shipments', { claimIds: [claim.name], ...change })

  beforeEach(async () => {
    one = browser()
    await register(ana, one)
    const gold = await t.packType('Gold')
    await t.prize('Hoodie', { packTypeIds: [gold], winFrequency: 1, totalPacks: 1 })
    await t.rows('UPDATE prizes SET deadline_days = 10')
    await t.insert('user_packs', { user_id: ana.id, pack_type_id: gold, quantity: 1 })
    await ana.send('POST', '/api/packs/open', { packTypeId: gold, quantity: 1 })
    const [won] = await t.rows<{ id: number; name: string }>(
      `SELECT id, coalesce(claim_id, 'PR-' || id) AS name FROM prize_claims`,
    )
    claim = won ?? { id: 0, name: '' }
    await runJobs()
    one.shown.length = 0
  })

  it('is told a week and a day before it is given up, once each', async () => {
    for (let days = 0; days < 10; days += 1) {
      await runJobs(day - 3_600)
      await runJobs(3_600)
    }
    const now = t.clock.now()
    const due = now.toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' })
    const moment = `${due}, ${now.toISOString().slice(11, 16)} UTC`
    expect(titles()).toEqual(Array(2).fill(`Your Hoodie needs an address by ${moment}`))
    expect(one.shown[0]?.body).toMatch(/without an address by then, you lose the prize/)
  })

  it('is told when it was sent, when it came back, and is asked for after three weeks', async () => {
    await t.rows(`UPDATE prize_claims SET contact_info = '{"sealed": "x"}' WHERE id = $1`, [
      claim.id,
    ])
    await ship({ state: 'ready' })
    await ship({ state: 'sent', courier: 'DHL', trackingNumber: 'JD01' })
    await runJobs()
    await runJobs(60)
    expect(titles()).toEqual(['Your Hoodie is on its way with DHL, number JD01'])
    await runJobs(20 * day)
    await runJobs(day)
    await runJobs(60)
    expect(titles().slice(1)).toEqual(['Has your Hoodie arrived? Let us know in My Prizes'])
    await ship({ state: 'returned' })
    await runJobs()
    await runJobs(60)
    await ship({ state: 'address_wanted' })
    await runJobs(60)
    expect(titles().slice(2)).toEqual([
      'Your Hoodie came back to us',
      'Your Hoodie needs an address',
    ])
  })

  it('is not told to give an address once it is given', async () => {
    await t.rows(`UPDATE shipments SET state = 'returned' WHERE id = $1`, [claim.id])
    await t.rows(`UPDATE prize_claims SET status = 'processing' WHERE id = $1`, [claim.id])
    const at = (hours: number) =>
      new Date(t.clock.now().getTime() + hours * 3_600_000).toISOString().slice(11, 16)
    const quiet = { quietHours: { from: at(-1), until: at(1) } }
    expect((await ana.send('PUT', '/api/user/notifications', quiet)).statusCode).toBe(200)
    await ship({ state: 'address_wanted' })
    await runJobs()
    await t.rows(`UPDATE shipments SET state = 'ready' WHERE id = $1`, [claim.id])
    await runJobs(2 * 3_600)
    await runJobs(60)
    expect(titles().filter((title) => title.includes('needs an address'))).toEqual([])
  })

  it.each([
    ['it was declined', 'POST', 'decline', undefined],
    [
      'its winner said where to send it',
      'PUT',
      'delivery',
      { name: 'Ana', addressLines: ['Street 1'], city: 'Porto', country: 'Portugal' },
    ],
  ] as const)('is not told any more when %s before', async (_what, method, act, body) => {
    await t.rows(
      `UPDATE shipments SET deadline = $2::timestamptz + interval '23 hours' WHERE id = $1`,
      [claim.id, t.clock.now()],
    )
    await t.rows(
      `UPDATE prize_claims SET created_at = created_at - interval '9 days' WHERE id = $1`,
      [claim.id],
    )
    for (const job of jobsNamed('delivery-', 'outbox-collect')) await job.run(deps())
    const waiting = `SELECT kind FROM outbox_messages WHERE state = 'waiting'`
    expect(await t.rows(waiting)).toEqual([{ kind: 'deadline_near' }])
    const path = `/api/user/prize-claims/${claim.name}/${act}`
    expect((await ana.send(method, path, body)).statusCode).toBe(200)
    await runJobs()
    expect(titles()).toEqual([])
  })
})

it('tells those who have asked of their streams that go live, once a broadcast', async () => {
  const [ben, one, other] = [await t.person('ben'), browser(), browser()]
  await register(ana, one)
  await register(ben, other)
  await ana.send('PUT', '/api/user/notifications', { preferences: { stream_live: { push: true } } })
  await t.rows(
    `INSERT INTO twitch_streams (twitch_channel_id, channel_name, display_name, is_live,
       current_stream_id, stream_started_at) VALUES ('1', 'luna', 'Luna', true, 's1', $1)`,
    [t.clock.now()],
  )
  await runJobs(10)
  await runJobs(60)
  expect(one.shown.map(({ title, path: place }) => [title, place])).toEqual([
    ['Luna is live', '/twitch-streams'],
  ])
  expect(other.shown).toEqual([])
  const [stream] = await t.rows<{ id: number }>('SELECT id FROM twitch_streams')
  const again = async (liveStreams: unknown) => {
    const saved = await ana.send('PUT', '/api/user/notifications', { liveStreams })
    await t.rows('UPDATE twitch_streams SET current_stream_id = $1, stream_started_at = $2', [
      `s${next()}`,
      t.clock.now(),
    ])
    await runJobs(60)
    return saved.json().liveStreams
  }
  expect(await again([(stream?.id ?? 0) + 1])).toHaveLength(1)
  expect(one.shown).toHaveLength(1)
  expect(await again([stream?.id])).toEqual([stream?.id])
  expect(one.shown).toHaveLength(2)
  const asks = { preferences: { stream_live: { push: true } } }
  await ben.send('PUT', '/api/user/notifications', asks)
  expect(await again(null)).toBeNull()
  // One broadcast is news to each of them.
  expect([one.shown.length, other.shown.length]).toEqual([3, 1])
})

it('leaves no event for one place twice', async () => {
  const leave = () =>
    t.insert('outbox_messages', {
      ...{ place: 'luna', channel: 'chat', kind: 'watch_completed', event: 'completion-1' },
      ...{ next_try_at: t.clock.now(), created_at: t.clock.now() },
    })
  await leave()
  await expect(leave()).rejects.toMatchObject({ code: '23505' })
})
