// Leaving, being paid and coming back at the same moment, on connections that really compete.

import { describe, expect, it } from 'vitest'
import { blockEarning } from '../../../test/commands.ts'
import { usePostgresDeps } from '../../../test/deps.ts'
import { waitingForLocks } from '../../../test/held-transaction.ts'
import { signInAs, twitchOf } from '../../../test/sign-in.ts'
import { hasPostgres } from '../../../test/test-database.ts'
import { addStream } from '../../../test/watch-scene.ts'
import { idempotent } from '../../adapters/db/idempotent.ts'
import { retryCount } from '../../adapters/db/retry.ts'
import { updateClaim } from '../claims/change-claims.ts'
import { saveDelivery } from '../claims/deliveries.ts'
import { redeemReward } from '../discord-bot/redeem-reward.ts'
import { showChain } from '../fairness/chains.ts'
import { lockUser } from '../ledger/ledger-tables.ts'
import { askForAddress } from '../outbox/address-tables.ts'
import { changeSettings } from '../outbox/own-settings.ts'
import { challengeWallet, deleteAccount } from '../people/own-account.ts'
import { creditHeartbeat, startSession } from '../watch/watch-sessions.ts'
import { unlinkDiscord } from './provider-sign-in.ts'

const ana = twitchOf('42', 'ana', 'Ana')
const rounds = 8
const wallet = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  const t = usePostgresDeps(8, { SEED_DEMO: 'off' })
  /** Answers the id of the account that Ana has now. */
  const signIn = async (): Promise<number> => {
    const id = await signInAs(t.deps, ana)
    await t.rows(`UPDATE users SET discord_id = 'd-ana' WHERE id = $1`, [id])
    return id
  }
  const leave = (id: number) => deleteAccount(t.deps, id, 'ana', 'r')
  const paid = async (type: string) => {
    const rows = await t.rows('SELECT id FROM red_coin_transactions WHERE type = $1', [type])
    return rows.length
  }

  it('a reward is paid once, whether the click or the leaving comes first', async () => {
    await t.rows(
      `INSERT INTO discord_servers (server_id, server_name, channel_id, channel_name)
       VALUES ('s', 'S', 'c', 'rewards')`,
    )
    for (let round = 1; round <= rounds; round += 1) {
      const message = `m${round}`
      const id = await signIn()
      await t.rows(
        `INSERT INTO discord_messages (message_id, channel_id, server_id, posted_at, expires_at,
           reward_amount) VALUES ($1, 'c', 's', $2, $3, 25)`,
        [message, t.clock.now(), new Date(t.clock.now().getTime() + 3_600_000)],
      )
      const clicks = [1, 2, 3].map(() => redeemReward(t.deps, 'd-ana', message))
      await Promise.all([...clicks, leave(id)])
      const again = await signIn()
      expect((await redeemReward(t.deps, 'd-ana', message)).kind).toBe('already_claimed')
      expect(await paid('discord_reward')).toBeLessThanOrEqual(round)
      await leave(again)
      t.clock.advance(1)
    }
    await t.expectTrueBooks()
  }, 60_000)

  it('a broadcast is paid once, whether its last beat or the leaving comes first', async () => {
    const streamId = await addStream(t.rows, { watchSeconds: 60, redCoins: 10 })
    for (let round = 1; round <= rounds; round += 1) {
      const order = { streamId, streamSessionId: `b${round}` }
      await t.rows('UPDATE twitch_streams SET current_stream_id = $1', [order.streamSessionId])
      const watch = async (id: number) => {
        await startSession(t.deps, id, order)
        t.clock.advance(60)
        return creditHeartbeat(t.deps, id, order)
      }
      const id = await signIn()
      await startSession(t.deps, id, order)
      t.clock.advance(60)
      const beats = [1, 2].map(() => creditHeartbeat(t.deps, id, order))
      expect((await Promise.allSettled([...beats, leave(id)])).at(-1)?.status).toBe('fulfilled')
      const again = await signIn()
      await watch(again).catch(() => undefined)
      expect(await paid('watch_reward')).toBe(round)
      await leave(again)
    }
    await t.expectTrueBooks()
  }, 60_000)

  it('an address is kept of nobody who leaves at that moment or has left', async () => {
    await t.db.script(`INSERT INTO prizes (name, description, win_frequency, total_packs)
      VALUES ('Cap', '', 1, 1)`)
    const delivery = {
      ...{ name: 'Ana', addressLines: ['1 Street'], city: 'Rome', postalCode: null },
      ...{ country: 'Italy', phone: null, note: null, answers: [] },
    }
    const quietHours = { from: '22:00', until: '07:00' }
    const staff = { actorId: 1, requestId: 'r', now: t.clock.now() }
    for (let round = 1; round <= rounds; round += 1) {
      const id = await signIn()
      const claim = await t.value<number>(
        `INSERT INTO prize_claims (user_id, prize_id, prize_name, prize_description,
           red_coin_amount, pack_quantity, status)
         SELECT $1, id, name, '', 0, 0, 'pending' FROM prizes RETURNING id`,
        [id],
      )
      const now = t.clock.now()
      const owner = { userId: id, sessionToken: 's' }
      const key = t.deps.random.uuid()
      const keep = () => [
        saveDelivery(t.deps, id, String(claim), delivery),
        challengeWallet(t.deps, owner, wallet, 'http://127.0.0.1'),
        t.db.transaction((tx) =>
          askForAddress(tx, { userId: id, address: 'a@b.c', key, until: now }, now),
        ),
        t.db.transaction((tx) => changeSettings(tx, id, { quietHours })),
        t.db.transaction((tx) =>
          updateClaim(tx, staff, t.deps.encryption, String(claim), { contactInfo: delivery }),
        ),
        showChain(t.deps, id),
      ]
      expect((await Promise.allSettled([...keep(), leave(id)])).at(-1)?.status).toBe('fulfilled')
      const late = await Promise.allSettled(keep())
      expect(late.map(({ status }) => status)).toEqual(Array(6).fill('rejected'))
    }
    const kept = `SELECT (SELECT count(*)::int FROM prize_claims WHERE contact_info IS NOT NULL) +
      (SELECT count(*)::int FROM wallet_challenges) +
      (SELECT count(*)::int FROM notification_settings) +
      (SELECT count(*)::int FROM draw_chains WHERE ended_at IS NULL) AS kept`
    expect(await t.value(kept)).toBe(0)
  }, 60_000)

  it('waits for what the same person does under a key, and nobody has to do it again', async () => {
    const retries = retryCount()
    const unlink = (id: number) => unlinkDiscord(t.deps, id)
    for (const [key, change] of [leave, unlink].entries()) {
      const id = await signIn()
      const call = { userId: id, route: 'POST /api/packs/open', key: `k${key}`, input: [] }
      let changed: Promise<void> | undefined
      await idempotent(t.db, { ...call, now: t.clock.now() }, async (tx) => {
        changed ??= change(id)
        await expect.poll(() => waitingForLocks(t.db)).toBe(1)
        await lockUser(tx, id)
        return 'done'
      })
      await changed
    }
    expect(retryCount()).toBe(retries)
  })

  it('a block is there again unless the leaving came first', async () => {
    const boss = await t.person('boss', { role: 'admin' })
    for (let round = 1; round <= rounds; round += 1) {
      const id = await signIn()
      const change = { actorId: boss.id, requestId: 'r', userId: id }
      const [blocked] = await Promise.allSettled([
        blockEarning(t.deps, change, true, 'Farm'),
        leave(id),
      ])
      const again = await signIn()
      const [row] = await t.rows('SELECT is_earning_blocked FROM users WHERE id = $1', [again])
      expect(row).toEqual({ is_earning_blocked: blocked.status === 'fulfilled' })
      const allow = { ...change, userId: again }
      await blockEarning(t.deps, allow, false, 'Settled')
      await leave(again)
    }
  }, 60_000)

  it('twenty sign-ins at once after leaving blocked make one user, who is blocked', async () => {
    const boss = await t.person('boss', { role: 'admin' })
    const id = await signIn()
    await blockEarning(t.deps, { actorId: boss.id, requestId: 'r', userId: id }, true, 'Farm')
    const later = [leave(id), ...Array.from({ length: 20 }, signIn)]
    await Promise.allSettled(later)
    const again = await signIn()
    const rows = await t.rows(
      `SELECT id, is_earning_blocked FROM users WHERE twitch_id = '42' AND deleted_at IS NULL`,
    )
    expect(rows).toEqual([{ id: again, is_earning_blocked: true }])
  }, 60_000)
})
