// Reward posts from two processes on one PostgreSQL, and through a crash between posting and
// recording: each message stands in its channel exactly once.

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Deps } from '../src/adapters/deps.ts'
import { createTestDeps, emptyDatabase, type Person, type TestDeps } from './deps.ts'
import { type DiscordScene, discordScene } from './discord-scene.ts'
import { jobsNamed } from './jobs.ts'
import { freePort } from './product-process.ts'
import { hasPostgres, postgresTestDatabase } from './test-database.ts'

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  let t: TestDeps
  let scene: DiscordScene
  let boss: Person
  let drop: () => Promise<void>

  beforeAll(async () => {
    const database = await postgresTestDatabase(16)
    drop = database.drop
    const port = await freePort()
    t = await createTestDeps(database.db, { PORT: String(port) })
    await t.app.listen({ port, host: '127.0.0.1' })
    scene = discordScene(t, `http://127.0.0.1:${port}`)
  }, 60_000)
  let staff = 0
  beforeEach(async () => {
    await emptyDatabase(t.db)
    await scene.fail(0, 500)
    scene.toNextSlot()
    t.clock.advance(3_600)
    staff += 1
    boss = await t.person(`boss-${staff}`, { role: 'admin' })
  })
  afterAll(async () => {
    await t.app.close()
    await drop()
  })

  const runJobs = async (deps: Deps = t.deps) => {
    for (const job of jobsNamed('discord-', 'outbox-')) await job.run(deps)
  }
  /** A process that is killed when it wants to write down what it has posted. */
  const killedWhenRecording = (): Deps => {
    let transactions = 0
    return {
      ...t.deps,
      db: {
        ...t.db,
        kind: t.db.kind,
        run: t.db.run.bind(t.db),
        transaction: (work) => {
          transactions += 1
          return transactions > 1 ? Promise.reject(new Error('killed')) : t.db.transaction(work)
        },
      },
    }
  }
  const rowsPerChannel = () =>
    t.rows<{ planned: number; posted: number }>(
      `SELECT count(*)::int AS planned, count(m.message_id)::int AS posted
       FROM discord_messages m JOIN discord_servers s USING (channel_id) GROUP BY channel_id`,
    )

  it('posts a slot to ten channels once, with eight runs of two processes at the same time', async () => {
    const channels: string[] = []
    for (let index = 0; index < 10; index += 1) channels.push(await scene.addServer(boss))
    scene.toNextSlot()
    await Promise.all(Array.from({ length: 8 }, () => runJobs({ ...t.deps })))
    for (const channelId of channels) expect(await scene.messages(channelId)).toHaveLength(1)
    expect(await rowsPerChannel()).toEqual(channels.map(() => ({ planned: 1, posted: 1 })))
  })

  it.each([
    ['at once, while Discord remembers the nonce', 121],
    ['much later, when only the channel itself tells', 3_600],
  ])('a crash after posting is taken over %s', async (_when, seconds) => {
    const channelId = await scene.addServer(boss)
    scene.toNextSlot()
    await expect(runJobs(killedWhenRecording())).rejects.toThrow('killed')
    const [posted] = await scene.messages(channelId)
    // As long as the lease lasts, nobody else touches the post.
    await runJobs()
    expect(await rowsPerChannel()).toEqual([{ planned: 1, posted: 0 }])
    t.clock.advance(seconds)
    await Promise.all([runJobs(), runJobs({ ...t.deps })])
    expect(await scene.messages(channelId)).toHaveLength(1)
    expect(await t.rows('SELECT message_id FROM discord_messages')).toEqual([
      { message_id: posted?.id },
    ])
  })

  it('a click on a message whose recording was cut off is paid, and the takeover finds it done', async () => {
    const channelId = await scene.addServer(boss)
    const ana = await t.person('ana')
    await t.rows(`UPDATE users SET discord_id = 'd-ana' WHERE id = $1`, [ana.id])
    scene.toNextSlot()
    await expect(runJobs(killedWhenRecording())).rejects.toThrow('killed')
    const [posted] = await scene.messages(channelId)
    expect((await scene.click(posted!.id, 'd-ana')).content).toContain('You received 25 RedCoin')
    t.clock.advance(121)
    await runJobs()
    expect(await scene.messages(channelId)).toHaveLength(1)
    expect(await rowsPerChannel()).toEqual([{ planned: 1, posted: 1 }])
  })

  it('pays 40 clicks of one person in the same moment once', async () => {
    const channelId = await scene.addServer(boss)
    const ana = await t.person('ana', { coins: 10 })
    await t.rows(`UPDATE users SET discord_id = 'd-ana' WHERE id = $1`, [ana.id])
    scene.toNextSlot()
    await runJobs()
    const [posted] = await scene.messages(channelId)
    // Discord would give up after three seconds, which a busy machine may need for 40.
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms * 10))
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => scene.click(posted!.id, 'd-ana')),
    )
    patience.mockRestore()
    expect(answers.filter(({ content }) => content.includes('You received'))).toHaveLength(1)
    expect(answers.filter(({ content }) => content.includes('already claimed'))).toHaveLength(39)
    expect(
      await t.rows('SELECT red_coin_balance AS balance FROM users WHERE id = $1', [ana.id]),
    ).toEqual([{ balance: 35 }])
    expect(await t.brokenBooks()).toEqual([])
  })

  it('adds a server once and saves settings as one row in 20 calls at the same time', async () => {
    const body = { serverName: 'S', serverId: '77', channelId: '78', channelName: 'c' }
    const added = await Promise.all(
      Array.from({ length: 20 }, () => boss.send('POST', '/api/admin/discord/servers', body)),
    )
    expect(added.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array(19).fill(409),
    ])
    await Promise.all([
      ...Array.from({ length: 10 }, (_, index) =>
        boss.send('PUT', '/api/admin/discord/bot-settings', { rewardAmount: 100 + index }),
      ),
      ...Array.from({ length: 10 }, () =>
        boss.send('PUT', '/api/admin/discord/bot-settings', { postSchedule: [9] }),
      ),
    ])
    const saved = await t.rows<{ amount: number }>(
      'SELECT reward_amount::int AS amount, post_schedule AS hours FROM discord_bot_settings',
    )
    expect(saved).toEqual([{ amount: expect.any(Number), hours: [9] }])
    expect(saved[0]?.amount).toBeGreaterThanOrEqual(100)
  })
})
