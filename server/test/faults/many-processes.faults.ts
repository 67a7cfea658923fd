// Three processes on one port over PostgreSQL, with Redis and without: whichever is asked, it is
// one product.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { statement } from '../../src/adapters/db/database.ts'
import { usePrograms } from '../programs.ts'
import { hasPostgres } from '../test-database.ts'
import { expectTrueBooks, tell } from './fault-table.ts'
import {
  keeperOf,
  type ManyProcesses,
  playerOf,
  processes,
  type RoamingBrowser,
  startMany,
} from './many-processes.ts'
import { hasRedisServer, type OwnRedis, ownRedis } from './own-redis.ts'

const programs = usePrograms('many')
const cases = [
  { carrier: 'PostgreSQL alone', needsRedis: false },
  { carrier: 'PostgreSQL and Redis', needsRedis: true },
]

for (const { carrier, needsRedis } of cases) {
  const missing = [
    ...(hasPostgres ? [] : ['no PostgreSQL']),
    ...(needsRedis && !hasRedisServer ? ['no Redis'] : []),
  ]
  describe.skipIf(missing.length > 0)(
    `three processes over ${[carrier, ...missing].join(', ')}`,
    () => play(carrier, needsRedis),
  )
}

function play(carrier: string, needsRedis: boolean): void {
  let many: ManyProcesses
  let redis: OwnRedis | undefined
  let keeper: RoamingBrowser
  let url = ''
  let packTypeId = 0

  beforeAll(async () => {
    redis = needsRedis ? await ownRedis() : undefined
    many = await startMany(programs, redis === undefined ? {} : { REDIS_URL: redis.url })
    url = many.product.url
    keeper = await keeperOf(url)
    const types = await keeper.json<{ id: number }[]>('/api/packs/types')
    packTypeId = types[0]!.id
  })
  afterAll(async () => {
    await programs.kill()
    await redis?.kill()
  })

  const give = (names: string[], quantity: number) =>
    keeper.json('/api/admin/distribute-packs', { usernames: names, packTypeId, quantity })

  const rows = <Row>(name: string, sql: string): Promise<Row[]> =>
    many.database.db.run<Row>(statement(name, sql), [])

  async function heldBy(player: RoamingBrowser): Promise<number> {
    const held = await player.json<{ packTypeId: number; quantity: number }[]>('/api/user/packs')
    return held.find((one) => one.packTypeId === packTypeId)?.quantity ?? 0
  }

  it('signs people in, whichever process answers each step', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `roamer${index}`)
    const players = await Promise.all(names.map((name) => playerOf(url, name)))
    for (const player of players) {
      const authorize = await player.redirectOf('/api/auth/discord')
      expect(await player.redirectOf(await player.consent(authorize, 'dis'))).not.toContain('Error')
      break
    }
    const metrics = await (await keeper.open('/metrics')).text()
    for (let process = 1; process <= processes; process += 1) {
      expect(metrics).toMatch(
        new RegExp(`http_requests_total.*auth/twitch/callback.*process="${process}"`),
      )
    }
    expect(metrics).toContain(`redpack_processes{state="serving"} ${processes}`)
  })

  it('opens what there is and no more, and counts a key once', async () => {
    const racer = await playerOf(url, 'racer')
    const before = await heldBy(racer)
    await give(['racer'], 50)
    const open = async (key?: string) => {
      const answer = await racer.open('/api/packs/open', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        body: JSON.stringify({ packTypeId, quantity: 1 }),
      })
      return { status: answer.status, text: await answer.text() }
    }
    const keyed = await Promise.all(
      Array.from({ length: 60 }, (_, index) => open(`race-${index % 5}`)),
    )
    const answered = keyed.filter(({ status }) => status === 200).map(({ text }) => text)
    expect(keyed.filter(({ status }) => ![200, 409].includes(status))).toEqual([])
    expect(new Set(answered).size).toBe(5)
    const all = await Promise.all(Array.from({ length: 150 }, () => open()))
    const opened = all.filter(({ status }) => status === 200).length
    const expected = 50 + before - 5
    expect([opened, all.filter(({ status }) => status === 400).length]).toEqual([
      expected,
      150 - expected,
    ])
  })

  it('tells every open page, and answers no poll with what was', async () => {
    const watcher = await playerOf(url, 'watcher')
    const { cookie } = watcher
    const address = `${url.replace('http', 'ws')}/api/realtime`
    const pages = Array.from({ length: 2 * processes }, () => {
      const socket = new WebSocket(address, { headers: { cookie, origin: url } })
      const heard: string[] = []
      socket.on('message', (data) => heard.push(...JSON.parse(String(data)).changed))
      return { socket, heard }
    })
    await Promise.all(pages.map(({ socket }) => once(socket, 'open')))
    let held = await heldBy(watcher)
    for (let round = 0; round < 15; round += 1) {
      const tags = await Promise.all(
        Array.from({ length: processes }, async () => {
          const answer = await watcher.open('/api/user/packs')
          return answer.headers.get('etag') ?? ''
        }),
      )
      await give(['watcher'], 1)
      held += 1
      const polls = await Promise.all(
        tags.map((tag) => watcher.open('/api/user/packs', { headers: { 'if-none-match': tag } })),
      )
      expect(polls.map(({ status }) => status)).toEqual(tags.map(() => 200))
      expect(await heldBy(watcher)).toBe(held)
    }
    await expect
      .poll(() => pages.filter(({ heard }) => heard.includes('holdings')).length)
      .toBe(pages.length)
    for (const { socket } of pages) socket.terminate()
  })

  it('moves one clock, throws one set of dice, and does each job once', async () => {
    const seeds = [1, 2, 3, 4].map((byte) => Buffer.alloc(32, byte))
    await keeper.json('/sandbox/control/dice', {
      serverSeeds: seeds.map((seed) => seed.toString('hex')),
    })
    for (const name of ['dicer0', 'dicer1']) {
      const dicer = await playerOf(url, name)
      await dicer.json('/api/packs/open', { packTypeId, quantity: 1 })
    }
    await keeper.json('/sandbox/control/dice', { reset: true })
    const hashes = seeds.map((seed) => createHash('sha256').update(seed).digest('hex'))
    const used = await rows<{ hash: string }>(
      'seeds_of_many',
      `SELECT first_commitment AS hash FROM draw_chains
         UNION ALL SELECT next_commitment FROM opening_requests`,
    )
    const times = hashes.map((hash) => used.filter((one) => one.hash === hash).length)
    expect(times).toEqual([1, 1, 1, 1])

    await keeper.json('/api/admin/discord/servers', {
      serverName: 'Server',
      serverId: '8901',
      channelId: '901',
      channelName: 'drops',
    })
    await keeper.json(
      '/api/admin/discord/bot-settings',
      { rewardAmount: 40, isActive: true, postSchedule: [2, 8, 14, 20] },
      { method: 'PUT' },
    )
    const start = await keeper.json<{ now: string }>('/sandbox/control/clock')
    for (let hour = 0; hour < 24; hour += 1) {
      await keeper.json('/sandbox/control/clock', { advanceSeconds: 3_600 })
    }
    for (let turn = 0; turn < processes; turn += 1) {
      const { now } = await keeper.json<{ now: string }>('/sandbox/control/clock')
      const hours = (Date.parse(now) - Date.parse(start.now)) / 3_600_000
      expect(hours).toBeGreaterThan(23.99)
      expect(hours).toBeLessThan(24.1)
    }
    const posts = await keeper.json<unknown[]>('/sandbox/control/discord/messages?channelId=901')
    expect(posts).toHaveLength(4)
  })

  it('has true books in the end', async () => {
    await expectTrueBooks(many.settings)
    tell({
      fault: `Calls, sockets and jobs meet three processes in turn, over ${carrier}`,
      promise: 'One product: nothing twice, nothing stale, a sign-in may change the process',
      seen: 'openings, purchases, keys, polls, sockets, jobs, clock and dice as with one process',
    })
  })
}
