// One user on one page for staff, and shutting somebody out from earning.

import type { AdminPerson } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, told, useTestDeps } from '../../../test/deps.ts'
import { sessionCookie } from '../../../test/sessions.ts'
import { redeemReward } from '../discord-bot/redeem-reward.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
let boss: Person
let ana: Person
let gold: number

beforeEach(async () => {
  gold = await t.packType('Gold')
  await t.prize('Hoodie', { packTypeIds: [gold], totalPacks: 1 })
  boss = await t.person('boss', { role: 'admin' })
  ana = await t.person('ana', { coins: 40, packs: { [gold]: 3 } })
})

const read = async (id = ana.id): Promise<AdminPerson> => await boss.read(`/api/admin/users/${id}`)
const block = (isBlocked: unknown, reason?: string, id = ana.id) =>
  boss.send('PUT', `/api/admin/users/${id}/earning-block`, {
    isBlocked,
    ...(reason === undefined ? {} : { reason }),
  })

describe('the page of one user', () => {
  it('holds account, totals, claims, history, roles and notes', async () => {
    await ana.open(gold, 2)
    await boss.send('POST', '/api/admin/distribute-redcoin', { userId: ana.id, amount: 5 })
    await boss.send('PUT', `/api/admin/users/${ana.id}/role`, { role: 'super_user' })
    await boss.send('PUT', `/api/admin/users/${ana.id}/role`, { role: 'user' })
    // Both changes have ended her sessions, so she signs in again.
    await sessionCookie(t, ana.id)
    await boss.send('POST', `/api/admin/users/${ana.id}/notes`, { body: 'Asked about sizes' })
    const [claim] = await t.rows<{ id: number }>('SELECT id FROM prize_claims ORDER BY id')
    await boss.send('DELETE', `/api/admin/prize-claims/${claim!.id}`)
    const provenAt = new Date('2026-03-01T12:00:00Z')
    await t.rows(
      `UPDATE users SET solana_wallet = $2, solana_wallet_verified_at = $3, bio = 'Hi',
         discord_id = '80351110224678912' WHERE id = $1`,
      [ana.id, 'So11111111111111111111111111111111111111112', provenAt],
    )
    const at = expect.stringMatching(/^\d{4}-.*Z$/)
    const by = { id: boss.id, username: 'boss', displayName: 'boss' }
    expect(await read()).toEqual({
      user: expect.objectContaining({ id: ana.id, username: 'ana', redCoinBalance: 45 }),
      account: {
        bio: 'Hi',
        country: null,
        timezone: null,
        twitchId: 'twitch-ana',
        discordId: '80351110224678912',
        discordUsername: null,
        solanaWallet: 'So11111111111111111111111111111111111111112',
        walletVerifiedAt: provenAt.toISOString(),
        isWalletUnchecked: false,
        isHiddenFromLeaderboard: false,
        lastSeenAt: at,
      },
      totals: {
        redCoinBalance: 45,
        redCoinWon: 0,
        unopenedPacks: 1,
        openings: 2,
        purchases: 0,
        completedWatches: 0,
      },
      claims: { pending: 1, processing: 0, completed: 0, deleted: 1 },
      ledger: [
        {
          id: expect.any(Number),
          createdAt: at,
          amount: 5,
          type: 'admin_grant',
          description: 'Admin distribution',
          balanceAfter: 45,
        },
        expect.objectContaining({ amount: 40, type: 'opening_balance', balanceAfter: 40 }),
      ],
      packHistory: [
        {
          id: expect.any(Number),
          createdAt: at,
          packTypeName: 'Gold',
          delta: -2,
          type: 'open',
          description: expect.any(String),
          quantityAfter: 1,
        },
        expect.objectContaining({ delta: 3, quantityAfter: 3 }),
      ],
      roleHistory: [
        { createdAt: at, from: 'super_user', to: 'user', actor: by },
        { createdAt: at, from: 'user', to: 'super_user', actor: by },
      ],
      notes: [{ id: expect.any(Number), body: 'Asked about sizes', createdAt: at, author: by }],
      standingHistory: [],
      earningBlock: null,
    })
  })

  it('counts more packs than one holding can have', async () => {
    const silver = await t.packType('Silver')
    const most = 2_147_483_647
    const ben = await t.person('ben', { packs: { [gold]: most, [silver]: most } })
    expect((await read(ben.id)).totals.unopenedPacks).toBe(2 * most)
  })

  it('marks a wallet that cannot be the address of anybody', async () => {
    const connect = (address: string) =>
      ana.send('PUT', '/api/user/wallet', { walletAddress: address })
    await connect('So11111111111111111111111111111111111111112')
    expect((await read()).account.isWalletUnchecked).toBe(false)
    await connect('z'.repeat(44))
    expect((await read()).account.isWalletUnchecked).toBe(true)
  })

  it('is 404 for nobody and for somebody who has left', async () => {
    await ana.send('DELETE', '/api/user', { confirm: 'ana' })
    for (const id of [ana.id, 2_000_000_000]) {
      expect((await boss.get(`/api/admin/users/${id}`)).statusCode).toBe(404)
    }
    expect((await boss.get('/api/admin/users/x')).statusCode).toBe(400)
  })
})

describe('an earning block', () => {
  it('ends earning by watching and from the chat bot, and nothing else', async () => {
    const [stream] = await t.rows<{ id: number }>(
      `INSERT INTO twitch_streams (twitch_channel_id, channel_name, display_name, is_live,
         current_stream_id, reward_red_coin_amount)
       VALUES ('c', 'c', 'C', true, 'b1', 10) RETURNING id`,
    )
    await t.rows(
      `INSERT INTO discord_servers (server_id, server_name, channel_id, channel_name)
       VALUES ('s', 'S', 'ch', 'general')`,
    )
    await t.rows(
      `INSERT INTO discord_messages (message_id, channel_id, server_id, expires_at, reward_amount)
       VALUES ('m', 'ch', 's', now() + interval '10 years', 25)`,
    )
    await t.rows(`UPDATE users SET discord_id = 'd-ana' WHERE id = $1`, [ana.id])
    const watch = { streamId: stream!.id, streamSessionId: 'b1' }
    await ana.send('POST', '/api/twitch/watch-sessions', watch)

    const blocked = await block(true, 'Runs a farm of accounts')
    expect(blocked.json()).toMatchObject({ id: ana.id, isEarningBlocked: true })
    t.clock.advance(60)
    expect(await told(ana.send('POST', '/api/twitch/heartbeat', watch))).toBe(
      '409 Your account cannot earn rewards, so watch time does not count',
    )
    expect((await redeemReward(t.deps, 'd-ana', 'm')).kind).toBe('blocked')
    expect((await ana.open(gold)).statusCode).toBe(200)
    const given = { userId: ana.id, amount: 5 }
    expect((await boss.send('POST', '/api/admin/distribute-redcoin', given)).statusCode).toBe(200)

    expect((await block(false)).json()).toMatchObject({ isEarningBlocked: false })
    expect((await ana.send('POST', '/api/twitch/heartbeat', watch)).statusCode).toBe(200)
    expect((await redeemReward(t.deps, 'd-ana', 'm')).kind).toBe('paid')
  })

  it('says why and by whom, also when the reason changes', async () => {
    await block(true, 'First')
    await block(true, 'Second')
    expect((await read()).earningBlock).toEqual({
      reason: 'Second',
      createdAt: expect.any(String),
      actor: { id: boss.id, username: 'boss', displayName: 'boss' },
    })
    await block(false)
    await block(false)
    expect((await read()).earningBlock).toBeNull()
    const actions = await t.rows('SELECT action, reason, before, after FROM audit_log ORDER BY id')
    const [free, blocked] = [{ isEarningBlocked: false }, { isEarningBlocked: true }]
    expect(actions).toEqual([
      { action: 'earning.block', reason: 'First', before: free, after: blocked },
      { action: 'earning.block', reason: 'Second', before: blocked, after: blocked },
      { action: 'earning.allow', reason: '', before: blocked, after: free },
    ])
  })

  it('is refused for the protected account, nobody, and what is no yes or no', async () => {
    const [keeper] = await t.rows<{ id: number }>(
      `INSERT INTO users (twitch_id, username, display_name, role, is_protected)
       VALUES ('local-admin', 'keeper', 'keeper', 'super_user', true) RETURNING id`,
    )
    expect((await block(true, '', keeper!.id)).statusCode).toBe(403)
    expect(await told(block(true, '', 2_000_000_000))).toBe('404 User not found')
    for (const value of [null, 'yes', 1]) expect((await block(value)).statusCode).toBe(400)
    expect(await t.rows('SELECT id FROM users WHERE is_earning_blocked')).toEqual([])
  })
})
