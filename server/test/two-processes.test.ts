// The whole way of a day on two processes over one PostgreSQL: live, watched, paid, greeted,
// posted, claimed. Each step is asked of one process or of both at once; nothing happens twice.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyday } from './everyday.ts'
import { buildServer, freePort, type ProductProcess, startProgram } from './product-process.ts'
import { Browser } from './sign-in.ts'
import { isPostgresReachable, postgresTestDatabase } from './test-database.ts'

const hasPostgres = await isPostgresReachable()
const password = 'correct horse battery'
const folder = mkdtempSync(join(tmpdir(), 'redpack-two-'))
const channels = ['901', '902']
/** How often both processes ask themselves on the same day whether to post. */
const lookSeconds = everyday(3_600, 900)

/** What one process knows of a session may be two seconds behind the other. */
const settled = { timeout: 5_000 }

let database: Awaited<ReturnType<typeof postgresTestDatabase>> | undefined
let processes: readonly ProductProcess[] = []

/** Two programs on one database; the stand-ins of the first serve both. */
async function startBoth(): Promise<void> {
  await buildServer()
  database = await postgresTestDatabase()
  const ports = [await freePort(), await freePort()]
  const sandbox = `http://127.0.0.1:${ports[0]}/sandbox`
  const outside = {
    TWITCH_ID_URL: `${sandbox}/twitch/id`,
    TWITCH_API_URL: `${sandbox}/twitch/helix`,
    DISCORD_API_URL: `${sandbox}/discord/api/v10`,
    DISCORD_AUTHORIZE_URL: `${sandbox}/discord/oauth2/authorize`,
  }
  const [first, second] = ports.map((port, index) =>
    startProgram('main', {
      PORT: String(port),
      DATA_DIR: join(folder, String(index)),
      DATABASE_URL: database!.url,
      ENCRYPTION_KEY: '7c'.repeat(32),
      LOG_SIGNING_KEY: '1a'.repeat(32),
      SANDBOX: 'on',
      SEED_DEMO: 'off',
      RATE_LIMITS: 'off',
      LOCAL_ADMIN_USERNAME: 'keeper',
      LOCAL_ADMIN_PASSWORD: password,
      // As behind one proxy: browsers know one address, whoever answers.
      PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
      ...(index === 0 ? {} : outside),
    }),
  )
  processes = [first!, second!]
  await Promise.all(processes.map((each) => each.ready()))
}

afterAll(async () => {
  for (const { child, exit } of processes) {
    child.kill('SIGKILL')
    await exit
  }
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function call<Answer>(
  who: Browser,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
): Promise<{ status: number; answer: Answer }> {
  const response = await who.open(path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, answer: (await response.json()) as Answer }
}

async function ask<Answer>(
  who: Browser,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
): Promise<Answer> {
  const { status, answer } = await call<Answer>(who, method, path, body)
  expect([path, status, status === 200 ? '' : answer]).toEqual([path, 200, ''])
  return answer
}

const browserOf = (index: number) => new Browser(processes[index]!.url)

/** Moves both clocks at once; each process then runs the jobs that it thinks are due. */
async function advance(seconds: number): Promise<void> {
  await Promise.all(
    processes.map((_, index) =>
      ask(browserOf(index), 'POST', '/sandbox/control/clock', { advanceSeconds: seconds }),
    ),
  )
}

async function until<Value>(
  read: () => Promise<Value>,
  isThere: (value: Value) => boolean,
  seconds = 15,
): Promise<Value> {
  for (let round = 0; ; round += 1) {
    const value = await read()
    if (isThere(value) || round >= 20) return value
    await advance(seconds)
  }
}

async function staffOf(index: number): Promise<Browser> {
  const staff = browserOf(index)
  await ask(staff, 'POST', '/api/auth/local', { username: 'keeper', password })
  return staff
}

describe.skipIf(!hasPostgres)('a day on two processes over PostgreSQL', () => {
  beforeAll(startBoth, 120_000)

  it('credits, pays once and greets in chat', { timeout: 120_000 }, async () => {
    const staff = await staffOf(0)
    const bot = await ask<{ accessToken: string; refreshToken: string; clientId: string }>(
      browserOf(0),
      'POST',
      '/sandbox/control/twitch/bot-token',
      { login: 'redbot', scopes: ['moderator:read:chatters', 'user:write:chat'] },
    )
    const { userId, ...tokens } = bot as typeof bot & { userId: string }
    await ask(staff, 'POST', '/api/admin/twitch/bot-credentials', {
      botUsername: 'redbot',
      botUserId: userId,
      ...tokens,
    })
    const stream = await ask<{ id: number }>(staff, 'POST', '/api/admin/twitch/streams', {
      displayName: 'Partner One',
      channelName: 'partner_one',
      twitchChannelId: '4242',
      watchTimeRequired: 3,
      completionMessage: 'Well watched, {username}!',
      rewardRedCoinAmount: 70,
    })
    await ask(browserOf(0), 'POST', '/sandbox/control/twitch/live', {
      twitchChannelId: '4242',
      isLive: true,
    })
    const [twin, viewer] = await viewerOnBoth('mira')
    type Seen = { id: number; isLive: boolean; currentStreamId: string | null }
    const seen = await until(
      () => ask<Seen[]>(viewer, 'GET', '/api/twitch/active-streams'),
      (list) => list.some(({ isLive }) => isLive),
    )
    expect(seen).toMatchObject([{ id: stream.id, isLive: true }])

    const watched = { streamId: stream.id, streamSessionId: seen[0]!.currentStreamId }
    await ask(viewer, 'POST', '/api/twitch/watch-sessions', watched)
    const startedAt = await now()
    let total = 0
    let isCompleted = false
    for (let beat = 0; beat < 12 && !isCompleted; beat += 1) {
      await advance(60)
      const answers = await Promise.all(
        [viewer, twin, viewer, twin].map((tab) =>
          call<{ totalWatchTime?: number; isCompleted?: boolean }>(
            tab,
            'POST',
            '/api/twitch/heartbeat',
            watched,
          ),
        ),
      )
      expect(answers.every(({ status }) => status < 500)).toBe(true)
      total = Math.max(total, ...answers.map(({ answer }) => answer.totalWatchTime ?? 0))
      isCompleted = answers.some(({ answer }) => answer.isCompleted === true)
      expect(total).toBeLessThanOrEqual(((await now()) - startedAt) / 1000 + 1)
    }
    expect(isCompleted).toBe(true)
    await expect.poll(() => balanceOf(viewer), settled).toBe(70)
    expect(await ask<unknown[]>(twin, 'GET', '/api/twitch/watch-completions')).toHaveLength(1)

    const messages = await until(chatMessages, (list) => list.length > 0)
    expect(messages.map(({ message }) => message)).toEqual(['Well watched, mira!'])
    await advance(120)
    expect(await chatMessages()).toHaveLength(1)
  })

  it('posts four times a day on each channel, pays each click once', {
    timeout: 240_000,
  }, async () => {
    // Far from any of these hours, since real time passes as well; and the schedule is there before
    // the channels are, or the bot would catch up on an hour that is over.
    await advance((29 * 3_600 - (((await now()) / 1_000) % 86_400)) % 86_400)
    const staff = await staffOf(1)
    await ask(staff, 'PUT', '/api/admin/discord/bot-settings', {
      rewardAmount: 40,
      isActive: true,
      postSchedule: [2, 8, 14, 20],
    })
    for (const channelId of channels) {
      await ask(staff, 'POST', '/api/admin/discord/servers', {
        serverName: `Server ${channelId}`,
        serverId: `8${channelId}`,
        channelId,
        channelName: 'drops',
      })
    }
    const before = await Promise.all(channels.map(postsIn))
    for (let passed = 0; passed < 86_400; passed += lookSeconds) await advance(lookSeconds)
    const after = await Promise.all(channels.map(postsIn))
    expect(after.map((list, index) => list.length - before[index]!.length)).toEqual([4, 4])

    const [there, viewer] = await viewerOnBoth('noor')
    await linkDiscord(there, 'noor_discord')
    const discordUserId = (await ask<{ discordId: string }>(viewer, 'GET', '/api/auth/me'))
      .discordId
    const newest = after[0]!.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    const click = (messageId: string) =>
      ask<{ content: string }>(browserOf(0), 'POST', '/sandbox/control/discord/click', {
        messageId,
        discordUserId,
        username: 'noor_discord',
      })
    const clicks = await Promise.all([1, 2, 3].map(() => click(newest.at(-1)!.id)))
    expect(new Set(clicks.map(({ content }) => content)).size).toBe(2)
    await expect.poll(() => balanceOf(viewer), settled).toBe(40)
    expect((await click(newest[0]!.id)).content).toMatch(/expired/i)
    expect(await balanceOf(there)).toBe(40)
  })
})

/** One person with two tabs, whose calls reach the first process and the second. */
async function viewerOnBoth(login: string): Promise<[Browser, Browser]> {
  const tabs: [Browser, Browser] = [browserOf(0), browserOf(1)]
  expect(await tabs[0].signIn(login)).toBe('/dashboard')
  for (const [name, value] of tabs[0].cookies) tabs[1].cookies.set(name, value)
  return tabs
}

async function balanceOf(who: Browser): Promise<number> {
  return (await ask<{ redCoinBalance: number }>(who, 'GET', '/api/auth/me')).redCoinBalance
}

async function now(): Promise<number> {
  const { now } = await ask<{ now: string }>(browserOf(1), 'GET', '/sandbox/control/clock')
  return Date.parse(now)
}

const chatMessages = () =>
  ask<{ message: string }[]>(browserOf(0), 'GET', '/sandbox/control/twitch/chat-messages')

const postsIn = (channelId: string) =>
  ask<{ id: string; createdAt: string }[]>(
    browserOf(0),
    'GET',
    `/sandbox/control/discord/messages?channelId=${channelId}`,
  )

async function linkDiscord(viewer: Browser, login: string): Promise<void> {
  const authorize = await viewer.redirectOf('/api/auth/discord')
  await viewer.redirectOf(await viewer.consent(authorize, login))
}
