// The story of the demo is told once, whole, in the past, and its books are true.

import { shipmentStates } from '@redpack/contract/shipment-states'
import { describe, expect, it } from 'vitest'
import { useTestDeps } from '../../test/deps.ts'
import type { Database } from '../adapters/db/database.ts'
import type { Deps } from '../adapters/deps.ts'
import { collectDueNews, collectNews } from '../features/outbox/collect-news.ts'
import { seedDemo } from './seed.ts'
import { StoryScene } from './story-scene.ts'
import { tellEvent } from './story-teller.ts'
import { demoViewers } from './viewers.ts'
import { welcomeNewcomer } from './welcome.ts'

const t = useTestDeps()
const days = 4
async function countOf(table: string): Promise<number> {
  const [row] = await t.rows<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`)
  return row?.count ?? 0
}

/** The newest moment of each column that holds one. */
async function newestMoments(): Promise<Map<string, Date>> {
  const columns = await t.rows<{ place: string; table: string; column: string }>(
    `SELECT c.table_name || '.' || c.column_name AS place, c.table_name AS "table",
       c.column_name AS "column"
     FROM information_schema.columns c JOIN information_schema.tables s
       ON s.table_schema = c.table_schema AND s.table_name = c.table_name
     WHERE c.table_schema = 'public' AND s.table_type = 'BASE TABLE'
       AND c.data_type = 'timestamp with time zone'
       AND c.table_name <> 'schema_migrations'
       AND c.table_name || '.' || c.column_name NOT IN ('shipments.deadline',
         'shipments.won_deadline', 'users.suspended_until')`,
  )
  const newest = new Map<string, Date>()
  for (const { place, table, column } of columns) {
    const [row] = await t.rows<{ at: Date | null }>(`SELECT max(${column}) AS at FROM ${table}`)
    if (row?.at != null) newest.set(place, row.at)
  }
  return newest
}

describe('a story', () => {
  // Each look needs the whole story, so it is told once for all of them.
  it('is told once, with books that hold, examples of everything, and nothing in the future', async () => {
    const now = t.clock.now()
    expect(await seedDemo(t.deps, days)).toBe(true)
    expect(await seedDemo(t.deps, days)).toBe(false)
    expect(await t.brokenBooks()).toEqual([])

    const [counts] = await t.rows<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM pack_types) AS types,
         (SELECT count(*)::int FROM prizes) AS prizes,
         (SELECT count(*)::int FROM store_pack_listings) AS listings,
         (SELECT count(*)::int FROM store_pack_listings WHERE NOT is_unlimited) AS limited,
         (SELECT count(*)::int FROM twitch_streams) AS streams,
         (SELECT count(*)::int FROM twitch_streams WHERE is_live) AS live,
         (SELECT count(*)::int FROM users WHERE red_coin_balance > 0 AND NOT is_protected)
           AS ranked,
         (SELECT count(*)::int FROM users WHERE role = 'admin') AS admins,
         (SELECT count(*)::int FROM users WHERE is_earning_blocked) AS blocked,
         (SELECT count(*)::int FROM users WHERE suspended_until IS NOT NULL) AS suspended,
         (SELECT count(*)::int FROM users WHERE own_name IS NOT NULL) AS renamed,
         (SELECT count(*)::int FROM prizes WHERE handler_id IS NOT NULL) AS handled,
         (SELECT count(*)::int FROM prize_codes WHERE prize_claim_id IS NOT NULL) AS "codesWon",
         (SELECT count(*)::int FROM prize_codes WHERE prize_claim_id IS NULL) AS "codesLeft",
         (SELECT count(*)::int FROM bulk_batches WHERE reverses IS NOT NULL) AS reversals,
         (SELECT count(*)::int FROM bulk_batch_rows WHERE verdict = 'unknown') AS unknown,
         (SELECT count(*)::int FROM draw_chains WHERE end_seed IS NOT NULL) AS ended,
         (SELECT count(DISTINCT action)::int FROM audit_log) AS actions,
         (SELECT count(*)::int FROM log_queue) AS unlogged,
         (SELECT count(*)::int FROM app_settings) AS settings`,
    )
    expect(counts).toMatchObject({ streams: 2, live: 1, admins: 2, blocked: 1 })
    expect(counts).toMatchObject({ reversals: 1, unlogged: 0, settings: 0 })
    expect(counts).toMatchObject({ suspended: 1, renamed: 1, handled: 1 })
    expect(counts?.['codesWon']).toBeGreaterThanOrEqual(1)
    expect(counts?.['codesLeft']).toBeGreaterThanOrEqual(1)
    expect(counts?.['ended']).toBeGreaterThanOrEqual(10)
    expect(counts?.['ranked']).toBe(demoViewers.length)
    expect(counts?.['types']).toBeGreaterThanOrEqual(3)
    expect(counts?.['prizes']).toBeGreaterThanOrEqual(8)
    expect(counts?.['listings']).toBeGreaterThanOrEqual(3)
    expect(counts?.['limited']).toBeGreaterThanOrEqual(1)
    expect(counts?.['unknown']).toBeGreaterThanOrEqual(1)
    expect(counts?.['actions']).toBeGreaterThanOrEqual(15)

    const claims = await t.rows<{ state: string }>(
      `SELECT DISTINCT CASE WHEN c.deleted_at IS NOT NULL THEN 'deleted'
         WHEN c.status = 'completed' AND NOT EXISTS (SELECT FROM prize_claim_events e
           WHERE e.prize_claim_id = c.id AND e.status = 'completed') THEN 'completed when won'
         ELSE c.status END AS state
       FROM prize_claims c ORDER BY 1`,
    )
    expect(claims.map(({ state }) => state)).toEqual([
      'completed',
      'completed when won',
      'deleted',
      'pending',
      'processing',
    ])

    const shipments = await t.rows<{ state: string }>('SELECT DISTINCT state FROM shipments')
    expect(shipments.map(({ state }) => state).sort()).toEqual([...shipmentStates].sort())

    const late = [...(await newestMoments())].filter(([, at]) => at > t.clock.now())
    expect(late).toEqual([])
    const [oldest] = await t.rows<{ at: Date }>('SELECT min(created_at) AS at FROM users')
    expect(oldest!.at.getTime()).toBeLessThan(now.getTime() - (days - 2) * 86_400_000)
    expect(await countOf('notification_settings WHERE address IS NOT NULL')).toBeGreaterThan(2)
    expect(await countOf("outbox_messages WHERE channel = 'chat' OR state <> 'sent'")).toBe(0)
    expect(await t.rows('SELECT is_active FROM discord_bot_settings')).toEqual([
      { is_active: false },
    ])
    expect(await countOf('discord_messages WHERE message_id IS NULL')).toBe(0)
    await collectNews(t.deps)
    await collectDueNews(t.deps)
    const mails = await t.rows(
      `SELECT DISTINCT kind FROM outbox_messages WHERE channel = 'email'
         AND kind IN ('shipment_sent', 'shipment_returned') ORDER BY kind`,
    )
    expect(mails).toEqual([{ kind: 'shipment_returned' }, { kind: 'shipment_sent' }])
  }, 60_000)

  it('gives a newcomer packs of every kind, with one notice', async () => {
    const founding = { kind: 'found', sold: new Map(), deadlineDaysMax: 1 } as const
    await t.db.transaction((tx) => {
      return tellEvent(new StoryScene(t.deps, tx), { at: t.clock.now().getTime(), act: founding })
    })
    const ana = await t.person('newcomer')
    await t.db.transaction((tx) => welcomeNewcomer(tx, ana.id, t.clock.now()))
    const held = await t.rows<{ quantity: number }>(
      'SELECT quantity FROM user_packs WHERE user_id = $1 ORDER BY quantity DESC',
      [ana.id],
    )
    expect(held.map(({ quantity }) => quantity)).toEqual([60, 10, 5, 3, 1])
    const { notices } = (await ana.get('/api/user/notices')).json()
    expect(notices).toHaveLength(1)
    expect(notices[0]).toMatchObject({ kind: 'packs_granted', isUnread: true })
    expect(await t.brokenBooks()).toEqual([])
  }, 60_000)
})

describe('an interrupted start', () => {
  /** Fails in the middle of the story. */
  function failing(deps: Deps): Deps {
    let left = 1_000
    const db: Database = {
      ...deps.db,
      longTransaction: (millis, work) =>
        deps.db.longTransaction(millis, (tx) =>
          work({
            allow: tx.allow,
            run: (statement, values) => {
              left -= 1
              if (left < 0) throw new Error('the power is gone')
              return tx.run(statement, values)
            },
          }),
        ),
    }
    return { ...deps, db }
  }

  it('leaves nothing behind, and the next one tells the story from the beginning', async () => {
    await expect(seedDemo(failing(t.deps), days)).rejects.toThrow('the power is gone')
    expect(await countOf('users')).toBe(0)
    // With a server for mail, nobody of the story has an address that would get some.
    const mail = { url: 'smtp://mail.example', from: 'a@mail.example' }
    expect(await seedDemo({ ...t.deps, config: { ...t.deps.config, mail } }, days)).toBe(true)
    expect(await countOf('notification_settings')).toBe(0)
    expect(await countOf('users')).toBeGreaterThan(demoViewers.length)
    expect(await seedDemo(t.deps, days)).toBe(false)
  }, 60_000)
})
