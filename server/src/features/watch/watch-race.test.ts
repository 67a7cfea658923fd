import { describe, expect, it } from 'vitest'
import { usePostgresDeps } from '../../../test/deps.ts'
import { hasPostgres } from '../../../test/test-database.ts'
import { addReward, addStream } from '../../../test/watch-scene.ts'
import { watchSessionsOf } from './session-views.ts'
import { creditHeartbeat, selectActiveStream, startSession } from './watch-sessions.ts'

/** The scenes have no super user, which I21 asks for. */
const notAboutStaff = (id: string) => id !== 'I21'

describe.skipIf(!hasPostgres)('on PostgreSQL (skipped when no server answers)', () => {
  const deps = usePostgresDeps(8)

  it('50 final heartbeats at once complete once and pay once', async () => {
    const ana = await deps.person('ana', { coins: 1 })
    const gold = await deps.packType('Gold')
    const streamId = await addStream(deps.rows, { watchSeconds: 60, redCoins: 50 })
    await addReward(deps.rows, streamId, { packTypeId: gold, packQuantity: 2 })
    const order = { streamId, streamSessionId: 'b1' }
    await startSession(deps.deps, ana.id, order)
    deps.clock.advance(60)
    const beats = await Promise.allSettled(
      Array.from({ length: 50 }, () => creditHeartbeat(deps.deps, ana.id, order)),
    )
    const done = beats.filter((result) => result.status === 'fulfilled')
    expect(done.map(({ value }) => value)).toEqual([
      { success: true, totalWatchTime: expect.any(Number), isCompleted: true },
    ])
    for (const result of beats) {
      if (result.status === 'rejected') expect(result.reason.code).toBe('wrong_state')
    }
    const [books] = await deps.rows(
      `SELECT (SELECT count(*)::int FROM watch_completions) AS completions,
         (SELECT red_coin_balance FROM users WHERE id = $1) AS balance,
         (SELECT quantity FROM user_packs WHERE user_id = $1) AS packs,
         (SELECT count(*)::int FROM red_coin_transactions WHERE type = 'watch_reward') AS payments`,
      [ana.id],
    )
    expect(books).toEqual({ completions: 1, balance: 51, packs: 2, payments: 1 })
    expect((await deps.brokenBooks()).filter(notAboutStaff)).toEqual([])
  })

  it('beats and choices at once count no minute twice', async () => {
    const dora = await deps.person('dora')
    const orders = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const order = { streamId: await addStream(deps.rows), streamSessionId: 'b1' }
        await startSession(deps.deps, dora.id, order)
        return order
      }),
    )
    const began = deps.clock.now().getTime()
    const [started = []] = await watchSessionsOf(deps.db, [dora.id], deps.clock.now())
    for (let minute = 0; minute < 4; minute += 1) {
      deps.clock.advance(60)
      await Promise.all([
        ...orders.flatMap((order) => [
          creditHeartbeat(deps.deps, dora.id, order),
          creditHeartbeat(deps.deps, dora.id, order),
        ]),
        ...started.map(({ id }) => selectActiveStream(deps.deps, dora.id, id)),
      ])
    }
    const elapsed = (deps.clock.now().getTime() - began) / 1000
    const [sessions = []] = await watchSessionsOf(deps.db, [dora.id], deps.clock.now())
    const credited = sessions.reduce((sum, { totalWatchTime }) => sum + totalWatchTime, 0)
    expect(credited).toBeLessThanOrEqual(elapsed)
    expect(credited).toBeGreaterThan(0)
    expect(sessions.filter(({ isCounting }) => isCounting)).toHaveLength(1)
  })

  it('20 starts at once make one session', async () => {
    const cleo = await deps.person('cleo')
    const streamId = await addStream(deps.rows)
    const order = { streamId, streamSessionId: 'b1' }
    await Promise.all(Array.from({ length: 20 }, () => startSession(deps.deps, cleo.id, order)))
    const [ofCleo] = await watchSessionsOf(deps.db, [cleo.id], deps.clock.now())
    expect(ofCleo).toHaveLength(1)
  })
})
