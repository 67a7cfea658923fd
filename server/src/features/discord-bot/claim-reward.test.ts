// Paying a claim on a reward message: whom, how much, and how often.

import { expect, it } from 'vitest'
import { useTestDeps } from '../../../test/deps.ts'
import { brokenInvariants, runInvariants } from '../books/invariants.ts'
import { redeemReward } from './redeem-reward.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })

async function scene() {
  const ana = await t.person('ana', { coins: 10 })
  await t.rows(`UPDATE users SET discord_id = 'd-ana', discord_username = 'ana' WHERE id = $1`, [
    ana.id,
  ])
  await t.rows(
    `INSERT INTO discord_servers (server_id, server_name, channel_id, channel_name)
     VALUES ('s1', 'Server', 'c1', 'rewards')`,
  )
  await t.rows(
    `INSERT INTO discord_messages (message_id, channel_id, server_id, posted_at, expires_at,
       reward_amount) VALUES ('m1', 'c1', 's1', $1, $2, 25)`,
    [t.clock.now(), new Date(t.clock.now().getTime() + 3_600_000)],
  )
  return ana
}

it('pays the linked user what the message was posted with', async () => {
  const ana = await scene()
  expect(await redeemReward(t.deps, 'd-ana', 'm1')).toEqual({
    kind: 'paid',
    amount: 25,
    balance: 35,
  })
  expect((await ana.get('/api/auth/me')).json().redCoinBalance).toBe(35)
  expect(
    await t.rows(`SELECT amount, type FROM red_coin_transactions ORDER BY id DESC LIMIT 1`),
  ).toEqual([{ amount: 25, type: 'discord_reward' }])
  expect(brokenInvariants(await runInvariants(t.db, t.seeds))).toEqual([])
})

it('pays a message once, also after the Discord account was linked to somebody else', async () => {
  const ana = await scene()
  const clicks = await Promise.all([1, 2, 3].map(() => redeemReward(t.deps, 'd-ana', 'm1')))
  expect(clicks.map(({ kind }) => kind).toSorted()).toEqual([
    'already_claimed',
    'already_claimed',
    'paid',
  ])
  const bob = await t.person('bob')
  await t.rows('UPDATE users SET discord_id = NULL WHERE id = $1', [ana.id])
  await t.rows(`UPDATE users SET discord_id = 'd-ana' WHERE id = $1`, [bob.id])
  expect(await redeemReward(t.deps, 'd-ana', 'm1')).toEqual({ kind: 'already_claimed' })
  expect((await bob.get('/api/auth/me')).json().redCoinBalance).toBe(0)
})

it('pays nobody who is not linked, and nothing for a message that is over', async () => {
  await scene()
  expect(await redeemReward(t.deps, 'd-stranger', 'm1')).toEqual({ kind: 'not_linked' })
  expect(await redeemReward(t.deps, 'd-ana', 'unknown')).toEqual({ kind: 'expired' })
  await t.rows('UPDATE discord_servers SET is_active = false')
  for (const who of ['d-ana', 'd-stranger']) {
    expect(await redeemReward(t.deps, who, 'm1')).toEqual({ kind: 'removed' })
  }
  await t.rows('UPDATE discord_servers SET is_active = true')
  t.clock.advance(3_601)
  expect(await redeemReward(t.deps, 'd-ana', 'm1')).toEqual({ kind: 'expired' })
  expect(await t.rows('SELECT id FROM discord_reward_claims')).toEqual([])
})
