// What a player is told: of which events, in which order, and what counts as read.

import type { Notice, NoticesResponse } from '@redpack/contract'
import { noticesMax } from '@redpack/contract/limits'
import { describe, expect, it } from 'vitest'
import { type Person, useTestDeps } from '../../../test/deps.ts'
import { statesForStatus } from '../../rules/shipment-moves.ts'
import { setClaimStatus } from '../claims/tables.ts'

const t = useTestDeps()
const setStatus = (claim: number, status: 'processing' | 'completed') =>
  t.deps.db.transaction((tx) =>
    setClaimStatus(tx, [claim], status, t.clock.now(), statesForStatus(status)),
  )
const path = '/api/user/notices'

async function noticesOf(person: Person): Promise<NoticesResponse> {
  const answer = await person.get(path)
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

const kindsOf = ({ notices }: NoticesResponse) => notices.map(({ kind }) => kind)

/** Moves on, so that what follows is later than what was before. */
const later = () => t.clock.advance(60)

async function winHoodie(person: Person): Promise<number> {
  const gold = await t.packType('Gold')
  await t.prize('Hoodie', { packTypeIds: [gold], totalPacks: 1 })
  await t.insert('user_packs', { user_id: person.id, pack_type_id: gold, quantity: 1 })
  await person.open(gold)
  const [claim] = await t.rows<{ id: number }>('SELECT id FROM prize_claims WHERE user_id = $1', [
    person.id,
  ])
  return claim!.id
}

const home = { name: 'Ana', addressLines: ['Street 7'], city: 'Malmö', country: 'Sweden' }

describe('GET /api/user/notices', () => {
  it('is empty for somebody to whom nothing has happened, their own openings aside', async () => {
    const ana = await t.person('ana')
    expect(await noticesOf(ana)).toEqual({ notices: [], unreadCount: 0 })
    const gold = await t.packType('Gold')
    const ben = await t.person('ben', { coins: 50, packs: { [gold]: 1 } })
    await ben.open(gold)
    expect(kindsOf(await noticesOf(ben))).toEqual([])
  })

  it('asks for the delivery of a physical prize until it is known', async () => {
    const ana = await t.person('ana')
    const claim = await winHoodie(ana)
    const { notices, unreadCount } = await noticesOf(ana)
    expect(notices).toEqual([
      {
        id: `delivery-${claim}`,
        kind: 'delivery_wanted',
        at: expect.any(String),
        subject: 'Hoodie',
        status: null,
        carriage: null,
        redCoin: 0,
        packs: 0,
        isUnread: true,
      },
    ])
    expect(unreadCount).toBe(1)
    const saved = await ana.send('PUT', `/api/user/prize-claims/${claim}/delivery`, home)
    expect(saved.statusCode).toBe(200)
    expect(kindsOf(await noticesOf(ana))).toEqual([])
  })

  it('tells of a parcel that came back as long as it lies there', async () => {
    const ana = await t.person('ana')
    const claim = await winHoodie(ana)
    await ana.send('PUT', `/api/user/prize-claims/${claim}/delivery`, home)
    const moveTo = (state: string) =>
      t.rows('UPDATE shipments SET state = $2, updated_at = $3 WHERE id = $1', [
        claim,
        state,
        t.clock.now(),
      ])
    await moveTo('returned')
    const { notices } = await noticesOf(ana)
    expect(notices).toMatchObject([
      {
        id: `shipment_returned-${claim}`,
        kind: 'shipment_returned',
        subject: 'Hoodie',
        isUnread: true,
      },
    ])
    await moveTo('packed')
    expect(kindsOf(await noticesOf(ana))).toEqual([])
  })

  it('asks for no delivery of a prize that is packs', async () => {
    const ana = await t.person('ana')
    const gold = await t.packType('Gold')
    const always = { winFrequency: 1, totalPacks: 1 }
    const packs = { rewardPackTypeId: gold, rewardPackQuantity: 1 }
    await t.prize('Two for one', { packTypeIds: [gold], ...always, ...packs })
    await t.insert('user_packs', { user_id: ana.id, pack_type_id: gold, quantity: 1 })
    expect((await ana.open(gold)).json().results).toMatchObject([{ won: true }])
    expect(kindsOf(await noticesOf(ana))).toEqual([])
  })

  it('tells of a code that was won', async () => {
    const boss = await t.person('boss', { role: 'admin' })
    const gold = await t.packType('Gold')
    const key = { name: 'Key', packTypeIds: [gold], winFrequency: 1, totalPacks: 1 }
    const made = await boss.send('POST', '/api/admin/prizes', { ...key, deliversCodes: true })
    await boss.send('POST', `/api/admin/prizes/${made.json().id}/codes`, { codes: ['SECRET-1'] })
    const ana = await t.person('ana', { packs: { [gold]: 1 } })
    await ana.open(gold)
    const { notices } = await noticesOf(ana)
    expect(notices).toMatchObject([{ kind: 'code_ready', subject: 'Key', status: null }])
  })

  it('tells every change of a claim, newest first', async () => {
    const ana = await t.person('ana')
    const claim = await winHoodie(ana)
    for (const status of ['processing', 'completed'] as const) {
      later()
      await setStatus(claim, status)
    }
    const { notices } = await noticesOf(ana)
    expect(notices.map(({ kind, status, subject }) => [kind, status, subject])).toEqual([
      ['claim_status', 'completed', 'Hoodie'],
      ['claim_status', 'processing', 'Hoodie'],
    ])
  })

  it('tells of watch rewards, grants, removals and Discord with what they brought', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { coins: 100 })
    await t.rows(`INSERT INTO twitch_streams (twitch_channel_id, channel_name, display_name)
      VALUES ('1', 'luna', 'Luna')`)
    const given = [
      { packTypeId: gold, packQuantity: 2, redCoinAmount: 0 },
      { packTypeId: null, packQuantity: 0, redCoinAmount: 30 },
    ]
    await t.rows(
      `INSERT INTO watch_completions (user_id, stream_id, stream_session_id, watch_time_completed,
         required, rewards_given, completed_at)
       SELECT $1, id, 'b', 1, 1, $2::jsonb, $3 FROM twitch_streams`,
      [ana.id, JSON.stringify(given), t.clock.now()],
    )
    const ledger = (type: string, amount: number) => {
      later()
      return t.rows(
        `INSERT INTO red_coin_transactions (user_id, amount, type, balance_after, source_type,
           source_id, created_at) VALUES ($1, $2, $3, 500, 'test', $3, $4)`,
        [ana.id, amount, type, t.clock.now()],
      )
    }
    await ledger('admin_grant', 40)
    await ledger('admin_removal', -15)
    await ledger('discord_reward', 25)
    const silver = await t.packType('Silver')
    const packs = (delta: number, ...types: number[]) => {
      later()
      return t.rows(
        `INSERT INTO pack_transactions (user_id, pack_type_id, delta, quantity_after, type,
           source_type, source_id, created_at)
         SELECT $1, unnest($2::int[]), $3, 5,
           CASE WHEN $3 > 0 THEN 'admin_grant' ELSE 'admin_removal' END, 'test', $3, $4`,
        [ana.id, types, delta, t.clock.now()],
      )
    }
    await packs(3, gold)
    await packs(4, gold, silver)
    await packs(-2, gold)
    const { notices } = await noticesOf(ana)
    const told = notices.map((notice: Notice) => [
      notice.kind,
      notice.subject,
      notice.redCoin,
      notice.packs,
    ])
    expect(told).toEqual([
      ['packs_removed', 'Gold', 0, -2],
      ['packs_granted', null, 0, 8],
      ['packs_granted', 'Gold', 0, 3],
      ['discord_reward', null, 25, 0],
      ['red_coin_removed', null, -15, 0],
      ['red_coin_granted', null, 40, 0],
      ['watch_reward', 'Luna', 30, 2],
    ])
    const ben = await t.person('ben')
    expect((await noticesOf(ben)).notices).toEqual([])
  })

  it('leaves out what the user does not want to hear of', async () => {
    const ana = await t.person('ana')
    await winHoodie(ana)
    await t.rows(
      `INSERT INTO red_coin_transactions (user_id, amount, type, balance_after, source_type,
         source_id, created_at) VALUES ($1, 5, 'admin_grant', 5, 'test', '1', $2)`,
      [ana.id, t.clock.now()],
    )
    const prefer = (notifications: object) =>
      ana.send('PUT', '/api/user/profile', { notifications })
    await prefer({ prizes: false })
    expect(kindsOf(await noticesOf(ana))).toEqual(['red_coin_granted'])
    await prefer({ prizes: true, rewards: false })
    expect(kindsOf(await noticesOf(ana))).toEqual(['delivery_wanted'])
    await prefer({ prizes: false })
    expect(await noticesOf(ana)).toEqual({ notices: [], unreadCount: 0 })
  })

  it('goes back 90 days and holds the newest 50', async () => {
    const ana = await t.person('ana')
    const grants = (count: number, at: Date) =>
      t.rows(
        `INSERT INTO red_coin_transactions (user_id, amount, type, balance_after, source_type,
           source_id, created_at)
         SELECT $1, n, 'admin_grant', 1, 'test', $3 || '-' || n, $3::timestamptz
           + make_interval(secs => n) FROM generate_series(1, $2::int) n`,
        [ana.id, count, at.toISOString()],
      )
    await grants(3, new Date(t.clock.now().getTime() - 91 * 86_400_000))
    expect((await noticesOf(ana)).notices).toEqual([])
    await grants(noticesMax + 5, new Date(t.clock.now().getTime() - 86_400_000))
    const { notices, unreadCount } = await noticesOf(ana)
    expect(notices.map(({ redCoin }) => redCoin)).toEqual(
      Array.from({ length: noticesMax }, (_, at) => noticesMax + 5 - at),
    )
    expect(unreadCount).toBe(noticesMax)
  })
})

describe('PUT /api/user/notices/read', () => {
  const read = (person: Person, readUntil: unknown) =>
    person.send('PUT', `${path}/read`, { readUntil })

  it('marks what was read, and what comes later is unread again', async () => {
    const ana = await t.person('ana')
    const claim = await winHoodie(ana)
    const { notices } = await noticesOf(ana)
    expect((await read(ana, notices[0]!.at)).json()).toEqual({ readUntil: notices[0]!.at })
    expect((await noticesOf(ana)).unreadCount).toBe(0)
    later()
    await setStatus(claim, 'processing')
    const after = await noticesOf(ana)
    expect(after.notices.map(({ kind, isUnread }) => [kind, isUnread])).toEqual([
      ['claim_status', true],
    ])
  })

  it('never goes back, and never beyond now', async () => {
    const ana = await t.person('ana')
    const future = (await read(ana, '2999-01-01T00:00:00.000Z')).json().readUntil
    expect(new Date(future).getTime()).toBeLessThanOrEqual(t.clock.now().getTime())
    expect((await read(ana, '2001-01-01T00:00:00.000Z')).json()).toEqual({ readUntil: future })
  })

  it.each([undefined, null, 5, '', 'yesterday', '2026-13-01T00:00:00Z'])(
    'refuses %j as a moment',
    async (value) => {
      const ana = await t.person('ana')
      expect((await read(ana, value)).statusCode).toBe(400)
    },
  )
})
