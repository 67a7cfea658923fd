// Nothing that came from a person, a row or another service reaches the log, whatever fails: every
// endpoint and every job is driven with marked values on a database and on services that fail in
// every way, at the most talkative level, and the lines are searched for the mark.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createScheduler } from '../src/adapters/jobs/scheduler.ts'
import { Repeats } from '../src/adapters/log/log-deduplication.ts'
import { eventSecret } from '../src/features/watch/live.ts'
import { productJobs } from '../src/jobs.ts'
import { createTestDeps, emptyDatabase, type Person, type TestDeps } from './deps.ts'
import { answer, answers, services } from './echoing-services.ts'
import { everyday } from './everyday.ts'
import { type LocalServer, listenLocally } from './local-server.ts'
import { database, failingDatabase, failures } from './marked-failures.ts'
import { address, mark, sendMarked } from './marked-requests.ts'
import { placesOf } from './registered-endpoints.ts'
import { sessionCookie } from './sessions.ts'
import { signedEvent } from './signed-event.ts'
import { emptyTestDatabase } from './test-database.ts'

const lines: string[] = []

let outside: LocalServer
let t: TestDeps
let people: readonly Person[] = []

beforeAll(async () => {
  outside = await listenLocally(createServer(answer))
  const origin = `http://127.0.0.1:${outside.port}`
  const db = failingDatabase(await emptyTestDatabase())
  t = await createTestDeps(
    db,
    {
      LOG_LEVEL: 'trace',
      SEED_DEMO: 'off',
      LOCAL_ADMIN_USERNAME: 'keeper',
      LOCAL_ADMIN_PASSWORD: 'correct horse battery',
      TWITCH_ID_URL: `${origin}/id`,
      TWITCH_API_URL: `${origin}/helix`,
      TWITCH_CLIENT_ID: `${mark}-client`,
      TWITCH_CLIENT_SECRET: `${mark}-client-secret`,
      DISCORD_API_URL: `${origin}/api/v10`,
      DISCORD_BOT_TOKEN: `${mark}-bot-token`,
      LOG_DISCORD_CHANNEL_ID: '123456789',
    },
    { write: (line) => void lines.push(line) },
  )
}, 90_000)
afterAll(async () => {
  await t.close()
  await outside.close()
})
beforeEach(async () => {
  database.failure = 'none'
  await emptyDatabase(t.db)
  await scene()
  // Every line is to be seen, also one that would be counted.
  vi.spyOn(Repeats.prototype, 'take').mockImplementation((line) => line.write(line.fields))
  lines.length = 0
  services.answering = 'echo'
})

/** People and rows whose every text carries the mark. */
async function scene(): Promise<void> {
  const gold = await t.packType(`${mark} pack`)
  await t.prize(`${mark} prize`, { packTypeIds: [gold], totalPacks: 1 })
  const start = { coins: 100, packs: { [gold]: 50 } }
  const viewer = await t.person(`${mark}-viewer`, start)
  const boss = await t.person(`${mark}-boss`, { ...start, role: 'super_user' })
  people = [viewer, boss]
  await t.rows(
    `UPDATE users SET email = username || '@example.org', solana_wallet = username, bio = username,
       twitch_id = 1000 + id, discord_id = '1' || id, discord_username = username`,
  )
  await viewer.open(gold, 5)
  const stream = {
    displayName: mark,
    channelName: `${mark}_live`,
    twitchChannelId: '4242',
    watchTimeRequired: 1,
    completionMessage: `${mark} {username}`,
  }
  await boss.send('POST', '/api/admin/twitch/streams', stream)
  await t.rows(
    `INSERT INTO twitch_sign_ins (user_id, tokens, checked_at)
     VALUES ($1, $2::jsonb, now() - interval '1 day')`,
    [
      viewer.id,
      t.deps.encryption.seal(
        JSON.stringify({ accessToken: `${mark}-a`, refreshToken: `${mark}-r` }),
        `twitch_sign_ins|tokens|${viewer.id}`,
      ),
    ],
  )
}

interface ReadLine {
  readonly level: number
  readonly msg: string
  readonly event?: string
  readonly err?: { readonly type: string; readonly code?: string; readonly stack?: string }
}

/** Searches what was logged; answers the lines for a look at what they do say. */
function expectNoMark(): ReadLine[] {
  const read = lines.map((line) => JSON.parse(line) as ReadLine)
  expect(lines.filter((line) => line.toLowerCase().includes(mark))).toEqual([])
  expect(lines.filter((line) => Buffer.byteLength(line) > 2_000)).toEqual([])
  const withAddress = read.filter((_line, index) => lines[index]?.includes(address))
  const mayHave = ['local_sign_in_failed', 'second_factor_failed']
  expect(withAddress.filter(({ event }) => !mayHave.includes(event ?? ''))).toEqual([])
  const warnings = read.filter(({ level }) => level < 50)
  expect(warnings.filter(({ err }) => err?.stack !== undefined)).toEqual([])
  const wordless = read.filter(({ msg }) => msg === 'a fault without a sentence')
  expect(wordless.filter(({ err }) => err === undefined)).toEqual([])
  return read
}

describe('no line of the log holds what came from outside', () => {
  it.each(failures.map((how, turn) => [how, turn] as const))(
    'when the database fails with %s under any endpoint',
    async (how, turn) => {
      // Each day an endpoint meets every third failure.
      const served = placesOf(t.app).served.filter(
        (_place, index) => how === 'none' || everyday((index + turn) % 3 === 0, true),
      )
      // Who calls changes what is logged of what succeeds; staff come as far as every statement.
      const everybody = [undefined, ...people]
      const callersOf = (index: number) =>
        everyday(how === 'none' ? [everybody[index % 3]] : people.slice(-1), everybody)
      for (const [index, place] of served.entries()) {
        for (const person of callersOf(index)) {
          database.failure = 'none'
          // A session of its own for each call: some of them end it.
          const cookie = person === undefined ? `sid=${mark}` : await sessionCookie(t, person.id)
          database.failure = how
          await sendMarked(t.app, place, cookie, person === undefined ? `${mark}-id` : '1')
        }
      }
      database.failure = 'none'
      const read = expectNoMark()
      const failed = read.filter(({ err }) => err !== undefined)
      // What reads badly is the sender's fault, and no line.
      if (how !== 'none' && how !== '22P02')
        expect(failed.length).toBeGreaterThan(everyday(20, 150))
      const passes = ['57014', '57P01', 'ECONNREFUSED']
      const requests = failed.filter(({ msg }) => /^request|^no database/.test(msg))
      if (passes.includes(how))
        expect(new Set(requests.map(({ level }) => level))).toEqual(new Set([40]))
      for (const { msg, level, err } of failed.filter(
        ({ msg: said }) => said === 'request failed',
      )) {
        expect([msg, level, typeof err?.stack]).toEqual(['request failed', 50, 'string'])
      }
    },
    120_000,
  )

  it.each(answers)(
    'when services answer with "%s"',
    async (how) => {
      services.answering = how
      const [, boss] = people
      await boss!.send('POST', '/api/admin/twitch/bot-credentials', {
        botUsername: mark,
        botUserId: '5',
        clientId: `${mark}-client`,
        accessToken: `${mark}-access-token`,
        refreshToken: `${mark}-refresh-token`,
      })
      const scheduler = createScheduler(t.deps, productJobs())
      for (const which of ['none', '23505', 'wrapped'] as const) {
        database.failure = which
        t.clock.advance(4_000)
        await scheduler.runDueJobs().catch(() => undefined)
      }
      database.failure = 'none'
      for (const path of ['twitch', 'discord']) {
        const started = await t.visitor.get(`/api/auth/${path}`, { cookie: people[0]!.cookie })
        const state = /state=([\w-]+)/.exec(String(started.headers.location))?.[1]
        const given = started.cookies.map(({ name, value }) => `${name}=${value}`)
        await t.visitor.get(`/api/auth/${path}/callback?state=${state}&code=${mark}-code`, {
          cookie: [people[0]!.cookie, ...given].join('; '),
        })
      }
      expect(expectNoMark().filter(({ err }) => err !== undefined).length).toBeGreaterThan(1)
    },
    60_000,
  )

  it('when signed webhooks meet a database that fails', async () => {
    for (const how of failures) {
      database.failure = how
      const event = { broadcaster_user_id: mark, user_id: mark, user_name: mark }
      await t.app.inject(
        signedEvent(eventSecret(t.deps), t.clock.now(), {
          id: `${mark}-${how}`,
          type: 'notification',
          subscriptionType: 'stream.offline',
          body: { event },
        }),
      )
    }
    expect(expectNoMark().length).toBeGreaterThan(8)
  })

  it('when an open page sends nonsense', async () => {
    const { cookie } = await t.person(`${mark}-page`)
    await t.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = t.app.server.address() as AddressInfo
    const url = `ws://127.0.0.1:${port}/api/realtime?token=${mark}`
    for (const payload of [mark, `{"type":"${mark}"}`, Buffer.from(mark), 'x'.repeat(200_000)]) {
      const headers = { cookie, 'user-agent': mark }
      const socket = new WebSocket(url, mark, { headers })
      socket.on('error', () => undefined)
      socket.on('open', () => socket.send(payload, () => socket.close()))
      await once(socket, 'close')
    }
    expect((await fetch(`http://127.0.0.1:${port}/${mark}?${mark}=1`)).status).toBe(404)
    expectNoMark()
  })
})
