// The whole way of a day on two processes over one PostgreSQL: live, watched, paid, greeted,
// posted, claimed. Each step is asked of one process or of both at once; nothing happens twice.

import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { everyday } from './everyday.ts'
import { keeperPassword, loadSettings } from './faults/keyed-load.ts'
import { freePort, type ProductProcess } from './product-process.ts'
import { usePrograms } from './programs.ts'
import { Browser } from './sign-in.ts'
import { hasPostgres } from './test-database.ts'

const programs = usePrograms('two')
const channels = ['901', '902']
/** How often both processes ask themselves on the same day whether to post. */
const lookSeconds = everyday(7_200, 900)

/** What one process knows of a session may be two seconds behind the other. */
const settled = { timeout: 5_000 }

let processes: readonly ProductProcess[] = []

/** Two programs on one database; the stand-ins of the first serve both. */
async function startBoth(): Promise<void> {
  const { url } = await programs.database()
  const ports = [await freePort(), await freePort()]
  const sandbox = `http://127.0.0.1:${ports[0]}/sandbox`
  const outside = {
    TWITCH_ID_URL: `${sandbox}/twitch/id`,
    TWITCH_API_URL: `${sandbox}/twitch/helix`,
    DISCORD_API_URL: `${sandbox}/discord/api/v10`,
    DISCORD_AUTHORIZE_URL: `${sandbox}/discord/oauth2/authorize`,
  }
  processes = ports.map((port, index) =>
    programs.launch({
      ...loadSettings({ DATABASE_URL: url }, port, join(programs.folder, String(index))),
      SEED_DEMO: 'off',
      // As behind one proxy: browsers know one address, whoever answers.
      PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
      ...(index === 0 ? {} : outside),
    }),
  )
  await Promise.all(processes.map((each) => each.ready()))
}

const browserOf = (index: number) => new Browser(processes[index]!.url)

/** Moves both clocks at once; each process then runs the jobs that it thinks are due. */
async function advance(seconds: number): Promise<void> {
  await Promise.all(
    processes.map((_, index) =>
      browserOf(index).json('/sandbox/control/clock', { advanceSeconds: seconds }),
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
  await staff.json('/api/auth/local', { username: 'keeper', password: keeperPassword })
  return staff
}

describe.skipIf(!hasPostgres)('a day on two processes over PostgreSQL', () => {
  beforeAll(startBoth, 120_000)

  it('credits, pays once and greets in chat', { timeout: 120_000 }, async () => {
    const staff = await staffOf(0)
    const { userId, ...tokens } = await browserOf(0).json<Record<string, string>>(
      '/sandbox/control/twitch/bot-token',
      { login: 'redbot', scopes: ['moderator:read:chatters', 'user:write:chat'] },
    )
    await staff.json('/api/admin/twitch/bot-credentials', {
      botUsername: 'redbot',
      botUserId: userId,
      ...tokens,
    })
    const stream = await staff.json<{ id: number }>('/api/admin/twitch/streams', {
      displayName: 'Partner One',
      channelName: 'partner_one',
      twitchChannelId: '4242',
      watchTimeRequired: 3,
      completionMessage: 'Well watched, {username}!',
      rewardRedCoinAmount: 70,
    })
    const live = { twitchChannelId: '4242', isLive: true }
    await browserOf(0).json('/sandbox/control/twitch/live', live)
    const [twin, viewer] = await viewerOnBoth('mira')
    type Seen = { id: number; isLive: boolean; currentStreamId: string | null }
    const seen = await until(
      () => viewer.json<Seen[]>('/api/twitch/active-streams'),
      (list) => list.some(({ isLive }) => isLive),
    )
    expect(seen).toMatchObject([{ id: stream.id, isLive: true }])

    const watched = { streamId: stream.id, streamSessionId: seen[0]!.currentStreamId }
    await viewer.json('/api/twitch/watch-sessions', watched)
    const startedAt = await now()
    let total = 0
    let isCompleted = false
    for (let beat = 0; beat < 12 && !isCompleted; beat += 1) {
      await advance(60)
      const answers = await Promise.all(
        [viewer, twin, viewer, twin].map(async (tab) => {
          const answer = await tab.open('/api/twitch/heartbeat', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(watched),
          })
          expect(answer.status).toBeLessThan(500)
          return (await answer.json()) as { totalWatchTime?: number; isCompleted?: boolean }
        }),
      )
      total = Math.max(total, ...answers.map(({ totalWatchTime = 0 }) => totalWatchTime))
      isCompleted = answers.some((answer) => answer.isCompleted === true)
      expect(total).toBeLessThanOrEqual(((await now()) - startedAt) / 1000 + 1)
    }
    expect(isCompleted).toBe(true)
    await expect.poll(() => balanceOf(viewer), settled).toBe(70)
    expect(await twin.json('/api/twitch/watch-completions')).toHaveLength(1)

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
    await advance((28 * 3_600 - (((await now()) / 1_000) % 86_400)) % 86_400)
    const staff = await staffOf(1)
    const bot = { rewardAmount: 40, isActive: true, postSchedule: [2, 8, 14, 20] }
    await staff.json('/api/admin/discord/bot-settings', bot, { method: 'PUT' })
    for (const channelId of channels) {
      await staff.json('/api/admin/discord/servers', {
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
    const { discordId } = await viewer.json<{ discordId: string }>('/api/auth/me')
    const newest = after[0]!.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    const click = (messageId: string) =>
      browserOf(0).json<{ content: string }>('/sandbox/control/discord/click', {
        messageId,
        discordUserId: discordId,
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
  const first = browserOf(0)
  expect(await first.signIn(login)).toBe('/dashboard')
  return [first, first.tab(processes[1]!.url)]
}

async function balanceOf(who: Browser): Promise<number> {
  return (await who.json<{ redCoinBalance: number }>('/api/auth/me')).redCoinBalance
}

async function now(): Promise<number> {
  const { now } = await browserOf(1).json<{ now: string }>('/sandbox/control/clock')
  return Date.parse(now)
}

const chatMessages = () =>
  browserOf(0).json<{ message: string }[]>('/sandbox/control/twitch/chat-messages')

const postsIn = (channelId: string) =>
  browserOf(0).json<{ id: string; createdAt: string }[]>(
    `/sandbox/control/discord/messages?channelId=${channelId}`,
  )

async function linkDiscord(viewer: Browser, login: string): Promise<void> {
  const authorize = await viewer.redirectOf('/api/auth/discord')
  await viewer.redirectOf(await viewer.consent(authorize, login))
}
