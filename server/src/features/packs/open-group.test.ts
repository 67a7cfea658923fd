// Openings of different users in one statement: each stands for itself, stock goes in their order.

import { describe, expect, it, vi } from 'vitest'
import { type Person, useTestDeps } from '../../../test/deps.ts'
import { openingProcess, peopleWithChains } from '../../../test/opening.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { Opened } from './open-group.ts'
import { Opening } from './open-packs.ts'

const t = useTestDeps()

/** Counts the statements that write openings, may do something before one, and after a read. */
function watched(
  before: (commit: number) => Promise<unknown> = async () => undefined,
  afterRead: (count: number) => unknown = () => undefined,
) {
  const groups: number[] = []
  const entropies: string[] = []
  const run: Deps['db']['run'] = async (statement, values) => {
    if (statement.name.startsWith('commit_openings')) {
      const written = values as unknown as { userIds: number[]; entropies: string[] }
      groups.push(written.userIds.length)
      entropies.push(...written.entropies)
      await before(groups.length)
    }
    const rows = await t.db.run(statement, values)
    if (statement.name === 'read_opening_states') afterRead(rows.length)
    return rows as never
  }
  const deps = { ...t.deps, db: { ...t.db, run } }
  return { opening: new Opening(deps), groups, entropies }
}

const order = (packTypeId: number, quantity = 1, idempotencyKey?: string) => ({
  packTypeId,
  quantity,
  idempotencyKey,
})

const codeOf = (result: PromiseSettledResult<unknown>) =>
  result.status === 'rejected' ? (result.reason as { code?: string }).code : 'opened'

it.each([
  ['odds_changed', { oddsHash: '0'.repeat(64) }, 0],
  ['commitment_moved', { commitment: '0'.repeat(64) }, 0],
  ['invalid_input', {}, Number.MAX_SAFE_INTEGER],
])('an opening that is refused with %s leaves no odds table behind', async (code, named, coins) => {
  const gold = await t.packType('Gold')
  const [player] = await peopleWithChains(t, 1, { [gold]: 1 })
  await t.rows('UPDATE users SET red_coin_balance = $1', [coins])
  const asked = openingProcess(t.deps).open(player!.id, { ...order(gold), ...named })
  await expect(asked).rejects.toMatchObject({ code })
  expect(
    await t.rows(
      "SELECT 1 FROM odds_tables UNION ALL SELECT 1 FROM log_queue WHERE kind = 'table'",
    ),
  ).toEqual([])
})

describe('a group of openings', () => {
  it('is written by one statement, and answers each with its own balance', async () => {
    const gold = await t.packType('Gold')
    const iron = await t.packType('Iron')
    await t.prize('Coins', { packTypeIds: [gold], totalPacks: 2, redCoinAmount: 7 })
    await t.prize('Iron', {
      packTypeIds: [gold],
      totalPacks: 2,
      rewardPackTypeId: iron,
      rewardPackQuantity: 3,
    })
    const players = await peopleWithChains(t, 20, { [gold]: 5 })
    const { opening, groups } = watched()
    const answers = await Promise.all(
      players.map(({ id }, index) => opening.open(id, order(gold, 1 + (index % 5)))),
    )
    expect(groups).toEqual([20])
    const balances = await t.rows<{ balance: number }>(
      'SELECT red_coin_balance AS balance FROM users ORDER BY id',
    )
    expect(answers.map(({ body }) => (JSON.parse(body) as Opened).updatedBalance)).toEqual(
      balances.map(({ balance }) => balance),
    )
    const wins = answers.map(
      ({ body }) =>
        (JSON.parse(body) as Opened).results.filter(({ prize }) => prize?.name === 'Iron').length,
    )
    const irons = await t.rows<{ n: number }>(
      `SELECT coalesce(h.quantity, 0) AS n FROM users u
       LEFT JOIN user_packs h ON h.user_id = u.id AND h.pack_type_id = $1 ORDER BY u.id`,
      [iron],
    )
    expect(irons.map(({ n }) => n)).toEqual(wins.map((count) => 3 * count))
    await t.expectTrueBooks()
  })

  it('rolls the same when it has to start over, also with the entropy of the server', async () => {
    const gold = await t.packType('Gold')
    await t.prize('Hoodie', { packTypeIds: [gold], totalPacks: 1, stock: 1 })
    const [player] = await peopleWithChains(t, 1, { [gold]: 1 })
    const { opening, entropies } = watched(async (commit) => {
      if (commit === 1) await t.rows('UPDATE prizes SET inventory_quantity = 0')
    })
    const { body } = await opening.open(player!.id, order(gold))
    const { entropy, entropyFrom } = (JSON.parse(body) as Opened).proof
    expect(entropies).toEqual([entropy, entropy])
    expect(entropyFrom).toBe('server')
  })

  it('pays the others when some are refused, cannot be drawn, or have moved', async () => {
    const gold = await t.packType('Gold')
    await t.prize('Coins', { packTypeIds: [gold], totalPacks: 2, redCoinAmount: 7 })
    const players = await peopleWithChains(t, 6, { [gold]: 2 })
    const [, poor, forged, moving, gone, twice] = players as [
      Person,
      Person,
      Person,
      Person,
      Person,
      Person,
    ]
    await t.rows(
      `UPDATE draw_chains SET sealed_seed = other.sealed_seed FROM draw_chains other
       WHERE draw_chains.user_id = $1 AND other.user_id = $2`,
      [forged.id, poor.id],
    )
    await t.rows('UPDATE users SET deleted_at = now() WHERE id = $1', [gone.id])
    const first = await openingProcess(t.deps).open(twice.id, order(gold, 1, 'again'))
    const { opening, groups } = watched(async (commit) => {
      if (commit > 1) return
      await moving.open(gold)
    })
    const results = await Promise.allSettled(
      players.map(({ id }) =>
        opening.open(
          id,
          id === twice.id ? order(gold, 1, 'again') : order(gold, id === poor.id ? 3 : 1),
        ),
      ),
    )
    expect(results.map(codeOf)).toEqual([
      'opened',
      'insufficient_packs',
      undefined,
      'opened',
      'unauthorized',
      'opened',
    ])
    expect(results[5]).toMatchObject({ value: { body: first.body, replayed: true } })
    // The one whose seed was used meanwhile is drawn anew, alone.
    expect(groups).toEqual([2, 1])
    const used = await t.rows(
      'SELECT chain_index FROM opening_requests WHERE user_id = $1 ORDER BY chain_index',
      [moving.id],
    )
    expect(used).toEqual([{ chain_index: 0 }, { chain_index: 1 }])
  })

  it('takes limited stock in the order of the group, to the last unit and past it', async () => {
    const gold = await t.packType('Gold')
    const mug = await t.prize('Mug', { packTypeIds: [gold], totalPacks: 1, stock: 5 })
    // Locks are taken by id, which must not become the order of what is written.
    const players = (await peopleWithChains(t, 4, { [gold]: 2 })).toReversed()
    const { opening, groups } = watched()
    await Promise.all(players.map(({ id }) => opening.open(id, order(gold, 2))))
    expect(groups).toEqual([4])
    const logged = await t.rows<{ id: number }>(
      `SELECT r.user_id AS id FROM log_queue q JOIN opening_requests r ON r.id::text = q.ref
       WHERE q.kind = 'opening' ORDER BY q.id`,
    )
    expect(logged.map(({ id }) => id)).toEqual(players.map(({ id }) => id))
    expect(
      await t.rows(
        'SELECT prize_id, sold_out_prize_id, stock_after FROM pack_openings ORDER BY id',
      ),
    ).toEqual([
      ...[4, 3, 2, 1, 0].map((left) => ({
        prize_id: mug,
        sold_out_prize_id: null,
        stock_after: left,
      })),
      ...[0, 0, 0].map((left) => ({ prize_id: null, sold_out_prize_id: mug, stock_after: left })),
    ])
    expect(
      await t.rows(`SELECT delta, quantity_after FROM stock_events WHERE source_type = 'claim'
        ORDER BY id`),
    ).toEqual([
      { delta: -2, quantity_after: 3 },
      { delta: -2, quantity_after: 1 },
      { delta: -1, quantity_after: 0 },
    ])
    await t.expectTrueBooks()
  })

  it('draws again where stock was added after a draw had met its end', async () => {
    const gold = await t.packType('Gold')
    const mug = await t.prize('Mug', { packTypeIds: [gold], totalPacks: 1, stock: 3 })
    const players = await peopleWithChains(t, 2, { [gold]: 2 })
    const { opening, groups } = watched(async (commit) => {
      if (commit === 1) await t.rows('UPDATE prizes SET inventory_quantity = 9')
    })
    await Promise.all(players.map(({ id }) => opening.open(id, order(gold, 2))))
    expect(groups).toEqual([2, 2])
    expect(await t.column('SELECT prize_id FROM pack_openings')).toEqual([mug, mug, mug, mug])
    expect(await t.value('SELECT inventory_quantity FROM prizes')).toBe(5)
  })

  it('draws those that touch stock again when one of them has moved, and writes the rest', async () => {
    const gold = await t.packType('Gold')
    const iron = await t.packType('Iron')
    await t.prize('Mug', { packTypeIds: [gold], totalPacks: 1, stock: 2 })
    const players = await peopleWithChains(t, 3, { [gold]: 1, [iron]: 1 })
    const other = await t.person('other', { packs: { [iron]: 1 } })
    await other.get('/api/fairness')
    let written = 0
    const { opening, groups } = watched(async (commit) => {
      if (commit === 1) {
        await openingProcess(t.deps).open(players[0]!.id, order(iron))
      } else {
        const [row] = await t.rows<{ n: number }>('SELECT count(*)::int AS n FROM pack_openings')
        written = row?.n ?? 0
      }
    })
    await Promise.all([
      ...players.map(({ id }) => opening.open(id, order(gold))),
      opening.open(other.id, order(iron)),
    ])
    expect(groups).toEqual([4, 3])
    expect(written).toBe(2)
    expect(await t.column('SELECT count(*)::int AS claims FROM prize_claims')).toEqual([2])
    await t.expectTrueBooks()
  })

  it('is split when its statement fails', async () => {
    const gold = await t.packType('Gold')
    await t.prize('Coins', { packTypeIds: [gold], totalPacks: 1, redCoinAmount: 5 })
    const players = await peopleWithChains(t, 3, { [gold]: 1 })
    // A balance that grew since it was read, so that what was won has no room.
    const { opening, groups } = watched(async (commit) => {
      if (commit !== 1) return
      await t.rows('UPDATE users SET red_coin_balance = 9007199254740990 WHERE id = $1', [
        players[1]!.id,
      ])
    })
    const results = await Promise.allSettled(players.map(({ id }) => opening.open(id, order(gold))))
    expect(results.map(codeOf)).toEqual(['opened', 'invalid_input', 'opened'])
    expect(groups).toEqual([3, 2])
  })

  it.each(['55P03', '57014', '40P01', '40001'])('is split after %s', async (code) => {
    const gold = await t.packType('Gold')
    const players = await peopleWithChains(t, 3, { [gold]: 1 })
    const { opening, groups } = watched(async (commit) => {
      if (commit === 1) throw Object.assign(new Error('one of them was in the way'), { code })
    })
    await Promise.all(players.map(({ id }) => opening.open(id, order(gold))))
    expect(groups).toEqual([3, 3])
  })

  it('writes the odds table again when a failover has lost its row', async () => {
    const gold = await t.packType('Gold')
    const [ana] = await peopleWithChains(t, 1, { [gold]: 1 })
    const { opening, groups } = watched(async (commit) => {
      if (commit > 1) return
      await t.plant('DELETE FROM odds_tables')
    })
    await opening.open(ana!.id, order(gold))
    expect(groups).toEqual([1, 1])
  })

  it('is written by the shorter text for one opening without stock or packs won', async () => {
    const gold = await t.packType('Gold')
    const iron = await t.packType('Iron')
    const mugs = await t.packType('Mugs')
    const prize = { winFrequency: 1, totalPacks: 1 }
    await t.prize('Mug', { ...prize, packTypeIds: [mugs], stock: 9 })
    const won = { rewardPackTypeId: gold, rewardPackQuantity: 1 }
    await t.prize('Gold', { ...prize, ...won, packTypeIds: [iron] })
    const players = await peopleWithChains(t, 2, { [gold]: 9, [iron]: 9, [mugs]: 9 })
    const [ana, ben] = players as [Person, Person]
    const names: string[] = []
    const run: Deps['db']['run'] = async (statement, values) => {
      if (statement.name.startsWith('commit_openings')) names.push(statement.name)
      return t.db.run(statement, values)
    }
    const opening = new Opening({ ...t.deps, db: { ...t.db, run } })
    await opening.open(ana.id, order(gold, 2))
    await opening.open(ana.id, order(iron))
    await opening.open(ana.id, order(mugs))
    await Promise.all([opening.open(ana.id, order(gold)), opening.open(ben.id, order(gold))])
    expect(names).toEqual([
      'commit_openings_plain',
      'commit_openings_around',
      'commit_openings_around',
      'commit_openings_around',
    ])
    await t.expectTrueBooks()
  })

  it('reads for the next group while one is written, and draws all from the newest stock', async () => {
    const gold = await t.packType('Gold')
    const iron = await t.packType('Iron')
    const mug = await t.prize('Mug', { packTypeIds: [gold], totalPacks: 1, stock: 1 })
    const players = await peopleWithChains(t, 3, { [gold]: 6, [iron]: 1 })
    const [first, second, third] = players as [Person, Person, Person]
    const readByNow = (count: number) =>
      vi.waitFor(() => expect(reads).toHaveLength(count), { timeout: 10_000 })
    const reads: number[] = []
    const waiting: Promise<unknown>[] = []
    const { opening, groups } = watched(
      async (commit) => {
        if (commit !== 1) return
        waiting.push(opening.open(second.id, order(gold, 2)))
        await readByNow(2)
        await t.rows('UPDATE prizes SET inventory_quantity = 6 WHERE id = $1', [mug])
        waiting.push(opening.open(third.id, order(gold, 6)))
        await readByNow(3)
      },
      (count) => reads.push(count),
    )
    await opening.open(first.id, order(iron))
    await Promise.all(waiting)
    expect({ groups, reads }).toEqual({ groups: [1, 2], reads: [1, 1, 1] })
    expect(
      await t.rows(`SELECT user_id AS id, count(prize_id)::int AS wins,
         count(sold_out_prize_id)::int AS "soldOut"
       FROM pack_openings WHERE pack_type_id = ${gold} GROUP BY 1 ORDER BY 1`),
    ).toEqual([
      { id: second.id, wins: 2, soldOut: 0 },
      { id: third.id, wins: 4, soldOut: 2 },
    ])
  })
})
