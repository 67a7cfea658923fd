// The statement that writes openings: it checks, takes and records everything of each, or changes
// nothing for it.

import type { DrawProof, OpenPacksRequest } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { insertKey } from '../../adapters/db/stored-key.ts'
import type { OpeningOutcome } from '../../rules/opening.ts'
import type { SealedText } from '../../shared/sealed-text.ts'
import { isSuspended } from '../../shared/standing-sql.ts'
import {
  addPackHistory,
  addRedCoinHistory,
  addStockHistory,
  addToHoldings,
  moveHoldings,
  payWinnings,
  takeStock,
} from '../ledger/value-sql.ts'

export interface OpenPacksOrder extends OpenPacksRequest {
  readonly idempotencyKey: string | undefined
}

/** What locked rows carry of each opening: column, name of the list, type; no long texts. */
const askedColumns = [
  ['request_id', 'requestIds', 'uuid'],
  ['user_id', 'userIds', 'int'],
  ['pack_type_id', 'packTypeIds', 'int'],
  ['quantity', 'quantities', 'int'],
  ['chain_id', 'chainIds', 'int'],
  ['chain_index', 'chainIndexes', 'int'],
  ['commitment', 'commitments', 'text'],
  ['odds_revision', 'oddsRevisions', 'int'],
  ['odds_table_id', 'oddsTableIds', 'int'],
  ['consolation', 'consolations', 'bigint'],
  ['red_coin_total', 'redCoinTotals', 'bigint'],
  ['is_touching', 'touching', 'bool'],
] as const

const askedLists = askedColumns.map(([, list, type]) => `:${list}::${type}[]`)
const askedOfGroup = `unnest(${askedLists.join(', ')})
  WITH ORDINALITY AS a (${askedColumns.map(([column]) => column).join(', ')}, position)`

/** One row to any plan: a statement with a list that may be longer is planned anew each time. */
const askedAlone = `(SELECT ${askedColumns
  .map(([column], index) => `(${askedLists[index]})[1] AS ${column}`)
  .join(', ')}, 1 AS position) AS a`

/**
 * Two ways of one statement: any group, and one opening by itself that touches no limited stock and
 * won neither packs nor what is sent. Most of what a single opening takes is setting out the parts
 * of its statement, those that have nothing to do as well.
 */
type Way = 'group' | 'plain'
type Waiting = '' | 'SKIP LOCKED'

const oddsStand = `JOIN pack_types t ON t.id = a.pack_type_id AND t.archived_at IS NULL
      AND t.odds_revision = a.odds_revision`
const stockStands = '(SELECT count(*) FROM stock) = cardinality(:stockIds::int[])'
const allTouching = 'cardinality(array_positions(:touching::bool[], true))'
const touchingLast = `(SELECT count(*) FROM lasting WHERE is_touching) = ${allTouching}`

/** The stock that openings of a group touch; no row unless all of these openings stand. */
const lockedStock = (waiting: Waiting): string => `stock AS MATERIALIZED (
    SELECT p.id, w.taken, p.inventory_quantity AS units
    FROM unnest(:stockIds::int[], :stockTaken::int[], :stockExactly::int[])
      AS w (id, taken, exactly)
    JOIN prizes p ON p.id = w.id AND p.inventory_quantity >= w.taken
      AND (w.exactly IS NULL OR p.inventory_quantity = w.exactly)
    WHERE (SELECT count(*) FROM standing WHERE is_touching) = ${allTouching}
    ORDER BY p.id
    FOR NO KEY UPDATE OF p ${waiting}
  ),`

/**
 * What still stands after waiting, during which the odds may have changed: under a lock they are
 * seen as they are. It comes after that of the prizes, which is the order of staff.
 */
const lasting = `lasting AS MATERIALIZED (
    SELECT a.* FROM standing a ${oddsStand}
    WHERE ${stockStands} OR NOT a.is_touching
    ORDER BY t.id
    FOR SHARE OF t
  ),`

const takenStock = `, reduced AS (
    ${takeStock('prize', 'stock.taken')}
    FROM stock WHERE prizes.id = stock.id AND stock.taken > 0
      AND EXISTS (SELECT FROM gate WHERE is_touching)
  ), stock_history AS (
    ${addStockHistory}
    SELECT 'prize', stock.id, -t.taken, stock.units - t.taken_so_far, 'claim',
      gate.request_id::text, :now
    FROM unnest(:takingOf::int[], :takenIds::int[], :takenUnits::int[], :takenSoFar::int[])
      WITH ORDINALITY AS t (n, id, taken, taken_so_far, position)
    JOIN gate ON gate.n = t.n
    JOIN stock ON stock.id = t.id
    ORDER BY t.position
  )`

/** What is sent of what was won, with the terms of its prize at that moment. */
const shipped = `shipped AS (
    INSERT INTO shipments (id, state, deadline, won_deadline, countries, estimated_value, questions,
      updated_at)
    SELECT claims.id, 'address_wanted', d.deadline, d.deadline, p.countries, p.estimated_value,
      p.questions, :now
    FROM claims JOIN prizes p ON p.id = claims.prize_id
    CROSS JOIN LATERAL (SELECT :now + p.deadline_days * interval '1 day' AS deadline) d
    WHERE claims.status = 'pending'
  ),`

/** Takes what was opened and adds what was won of packs. */
const usedAndGained = `rewards AS MATERIALIZED (
    SELECT r.*
    FROM unnest(:rewardOf::int[], :rewardIds::int[], :rewardQuantities::int[])
      AS r (n, id, quantity)
  ), used AS (
    ${moveHoldings('coalesce(rewards.quantity, 0) - gate.quantity')}, updated_at = :now
    FROM gate LEFT JOIN rewards ON rewards.n = gate.n AND rewards.id = gate.pack_type_id
    WHERE user_packs.id = gate.holding_id
    RETURNING user_packs.user_id, user_packs.pack_type_id, user_packs.quantity
  ), gained AS (
    ${addToHoldings(`SELECT gate.user_id, rewards.id, rewards.quantity, :now
    FROM gate JOIN rewards ON rewards.n = gate.n AND rewards.id <> gate.pack_type_id`)}
  )`

/** Takes what was opened by somebody who won no packs. */
const used = `used AS (
    ${moveHoldings('-gate.quantity')}, updated_at = :now
    FROM gate WHERE user_packs.id = gate.holding_id
  )`

const gainedHistory = `UNION ALL
    SELECT gate.user_id, rewards.id, rewards.quantity, now_held.quantity, 'prize_reward', '',
      'opening_request', gate.request_id::text, :now
    FROM gate
    JOIN rewards ON rewards.n = gate.n
    JOIN (SELECT * FROM used UNION ALL SELECT * FROM gained) AS now_held
      ON now_held.user_id = gate.user_id AND now_held.pack_type_id = rewards.id`

/**
 * Writes a group of openings of different users, in the order of the group. Every guard of an
 * opening stands in the first parts, under locks in the fixed order users, user_packs, chains,
 * prizes, pack types, each by id; `standing` has a row for each opening whose own guards hold.
 * Those that touch limited stock were drawn one from what the other left, so they are written all
 * together or not at all, and requests in the order of the draws, in which the public log tells
 * them. `gate` has the rows of what is written, and every write reads from `gate`. One statement is
 * one transaction, so a failure anywhere, a duplicate key included, undoes all of it. What moves
 * value is the ledger's. `waiting` is empty, or skips the rows that somebody else holds locked.
 */
const commitText = (way: Way, waiting: Waiting): string => {
  const isGroup = way === 'group'
  const waits = waiting === ''
  return `WITH person AS MATERIALIZED (
    SELECT a.*, a.position::int AS n, u.red_coin_balance AS balance
    FROM ${isGroup ? askedOfGroup : askedAlone}
    JOIN users u ON u.id = a.user_id AND u.deleted_at IS NULL AND NOT ${isSuspended('u', ':now')}
    ORDER BY u.id FOR NO KEY UPDATE OF u ${waiting}
  ), holding AS MATERIALIZED (
    SELECT person.*, h.id AS holding_id, h.quantity AS held FROM person
    JOIN user_packs h ON h.user_id = person.user_id AND h.pack_type_id = person.pack_type_id
      AND h.quantity >= person.quantity
    ORDER BY h.id FOR NO KEY UPDATE OF h ${waiting}
  ), chain AS MATERIALIZED (
    SELECT a.* FROM holding a
    JOIN draw_chains c ON c.id = a.chain_id AND c.user_id = a.user_id AND c.ended_at IS NULL
      AND c.index = a.chain_index AND c.commitment = a.commitment
    ORDER BY c.id FOR NO KEY UPDATE OF c ${waiting}
  ), standing AS MATERIALIZED (
    SELECT a.* FROM chain a ${oddsStand}
  ), ${isGroup ? lockedStock(waiting) : ''} ${waits ? lasting : ''} gate AS MATERIALIZED (
    SELECT * FROM ${waits ? 'lasting' : 'standing'}
    ${isGroup ? `WHERE NOT is_touching OR ${waits ? touchingLast : stockStands}` : ''}
  ), kept AS (
    ${insertKey}
    SELECT user_id, :route, k.key, k.input_hash, 200,
      k.body_before || (balance + red_coin_total) || k.body_after, :now
    FROM gate
    JOIN unnest(:keys::text[], :inputHashes::text[], :bodiesBefore::text[], :bodiesAfter::text[])
      WITH ORDINALITY AS k (key, input_hash, body_before, body_after, n) ON k.n = gate.n
    WHERE k.key IS NOT NULL
  ), request AS (
    INSERT INTO opening_requests (id, user_id, pack_type_id, chain_id, chain_index, server_seed,
      entropy, entropy_from, next_commitment, odds_table_id, quantity, consolation_red_coin,
      created_at)
    SELECT request_id, user_id, pack_type_id, chain_id, chain_index, s.server_seed, s.entropy,
      s.entropy_from, s.next_commitment, odds_table_id, quantity, consolation, :now
    FROM gate
    JOIN unnest(:serverSeeds::text[], :entropies::text[], :entropiesFrom::text[],
      :nextCommitments::text[]) WITH ORDINALITY
      AS s (server_seed, entropy, entropy_from, next_commitment, of_n) ON s.of_n = gate.n
    ORDER BY n
  ), opened AS (
    INSERT INTO pack_openings (request_id, user_id, pack_type_id, prize_id, sold_out_prize_id,
      red_coin_earned, position, created_at, stock_after)
    SELECT gate.request_id, gate.user_id, gate.pack_type_id, d.prize_id, d.sold_out, d.earned,
      d.position, :now, ${isGroup ? 'CASE WHEN d.sold_out IS NOT NULL THEN 0 ELSE stock.units - d.win_of_stock END' : 'NULL'}
    FROM unnest(:drawnOf::int[], :drawnPositions::int[], :drawnPrizes::int[], :drawnSoldOut::int[],
      :drawnEarned::bigint[], :winsOfStock::int[])
      WITH ORDINALITY AS d (n, position, prize_id, sold_out, earned, win_of_stock, place)
    JOIN gate ON gate.n = d.n
    ${isGroup ? 'LEFT JOIN stock ON stock.id = d.prize_id' : ''}
    ORDER BY d.place
    RETURNING id, user_id, prize_id, position
  ), claims AS (
    INSERT INTO prize_claims (user_id, prize_id, claim_id, status, pack_opening_id, created_at,
      updated_at, prize_name, prize_description, red_coin_amount, pack_quantity, image_hash,
      is_also_sent)
    SELECT opened.user_id, opened.prize_id, c.claim_id, c.state, opened.id, :now, :now,
      c.name, c.description, c.amount, c.packs, c.image, c.is_also_sent
    FROM unnest(:claimUserIds::int[], :claimPositions::int[], :claimIds::text[],
      :claimAmounts::bigint[], :claimNames::text[], :claimDescriptions::text[],
      :claimPacks::int[], :claimImages::text[],
      :claimStates::text[], :claimsAlsoSent::bool[])
      WITH ORDINALITY AS c (user_id, position, claim_id, amount, name, description, packs, image,
        state, is_also_sent, place)
    JOIN opened ON opened.user_id = c.user_id AND opened.position = c.position
    ORDER BY c.place
    RETURNING id, prize_id, status
  ), ${isGroup ? shipped : ''} ledger AS (
    ${addRedCoinHistory}
    SELECT gate.user_id, l.amount,
      CASE WHEN opened.id IS NULL THEN 'pack_consolation' ELSE 'prize_win' END, l.description,
      opened.prize_id, opened.id, gate.balance + l.total_after,
      CASE WHEN opened.id IS NULL THEN 'opening_request' ELSE 'opening' END,
      coalesce(opened.id::text, gate.request_id::text), :now
    FROM unnest(:entryOf::int[], :entryPositions::int[], :entryAmounts::bigint[],
      :entryTotals::bigint[], :entryTexts::text[])
      WITH ORDINALITY AS l (n, position, amount, total_after, description, place)
    JOIN gate ON gate.n = l.n
    LEFT JOIN opened ON opened.user_id = gate.user_id AND opened.position = l.position
    ORDER BY l.place
  ), ${isGroup ? usedAndGained : used}, pack_history AS (
    ${addPackHistory}
    SELECT user_id, pack_type_id, -quantity, held - quantity, 'open', '', 'opening_request',
      request_id::text, :now
    FROM gate
    ${isGroup ? gainedHistory : ''}
  ), drawn AS (
    UPDATE draw_chains SET index = index + 1, commitment = s.commitment, sealed_seed = s.sealed
    FROM gate
    JOIN unnest(:nextCommitments::text[], :sealedSeeds::jsonb[]) WITH ORDINALITY
      AS s (commitment, sealed, of_n) ON s.of_n = gate.n
    WHERE draw_chains.id = gate.chain_id
  ), paid AS (
    ${payWinnings('gate.red_coin_total')}
    FROM gate WHERE users.id = gate.user_id AND gate.red_coin_total > 0
  ) ${isGroup ? takenStock : ''}
  SELECT n, balance + red_coin_total AS balance FROM gate`
}

const commit = statement('commit_openings', commitText('group', ''))
const commitAround = statement('commit_openings_around', commitText('group', 'SKIP LOCKED'))
const commitPlain = statement('commit_openings_plain', commitText('plain', 'SKIP LOCKED'))

interface Written {
  readonly n: number
  readonly balance: number
}

/** How a group meets rows that somebody else holds locked. */
export type WhenLocked = 'wait' | 'leave_out'

/**
 * Writes the openings of different users. Answers the new balance of each one that was written, by
 * its place in the group, from 0; of the others something moved since their state was read, or is
 * locked.
 */
export async function commitOpenings(
  db: Queryable,
  group: {
    readonly route: string
    readonly now: Date
    readonly openings: readonly OpeningToCommit[]
  },
  whenLocked: WhenLocked,
): Promise<ReadonlyMap<number, number>> {
  const { route, now, openings } = group
  const rows = await (whenLocked === 'leave_out' && isPlain(openings)
    ? db.run<Written>(commitPlain, { ...plainValuesOf(openings), route, now })
    : db.run<Written>(whenLocked === 'wait' ? commit : commitAround, {
        ...valuesOf(openings),
        route,
        now,
      }))
  return new Map(rows.map(({ n, balance }) => [n - 1, balance]))
}

function isPlain([first, ...others]: readonly OpeningToCommit[]): boolean {
  return (
    first?.outcome.stock.length === 0 &&
    first.outcome.rewards.size === 0 &&
    !first.claimStates.includes('pending') &&
    others.length === 0
  )
}

export interface OpeningToCommit {
  readonly userId: number
  readonly packTypeId: number
  readonly quantity: number
  /** What the answer tells of the draw. */
  readonly proof: DrawProof
  /** The seed that the chain's next opening will use. */
  readonly sealedNext: SealedText
  readonly oddsRevision: number
  readonly oddsTableId: number
  readonly consolationRedCoin: number
  /** Drawn from the stock that the openings before it in the group leave. */
  readonly outcome: OpeningOutcome
  /** One Claim ID per pack that won, null for the others. */
  readonly claimIds: readonly (string | null)[]
  /** What the claim of each pack that won starts as, null for the others. */
  readonly claimStates: readonly ('pending' | 'completed' | null)[]
  /** How the answer is kept: the balance goes between the two halves of its text. */
  readonly stored:
    | {
        readonly key: string
        readonly inputHash: string
        readonly bodyBeforeBalance: string
        readonly bodyAfterBalance: string
      }
    | undefined
}

type Group = readonly OpeningToCommit[]

/** What the statement calls its values, but for route and moment. */
function valuesOf(group: Group) {
  return { ...plainValuesOf(group), ...rewardValues(group), ...stockValues(group) }
}

/** The same without packs won and stock taken. */
function plainValuesOf(group: Group) {
  return {
    ...openingValues(group),
    ...drawnValues(group),
    ...claimValues(group),
    ...entryValues(group),
  }
}

function openingValues(group: Group) {
  return {
    requestIds: group.map(({ proof }) => proof.requestId),
    userIds: group.map(({ userId }) => userId),
    packTypeIds: group.map(({ packTypeId }) => packTypeId),
    quantities: group.map(({ quantity }) => quantity),
    chainIds: group.map(({ proof }) => proof.chainId),
    chainIndexes: group.map(({ proof }) => proof.index),
    commitments: group.map(({ proof }) => proof.commitment),
    serverSeeds: group.map(({ proof }) => proof.serverSeed),
    entropies: group.map(({ proof }) => proof.entropy),
    entropiesFrom: group.map(({ proof }) => proof.entropyFrom),
    nextCommitments: group.map(({ proof }) => proof.nextCommitment),
    sealedSeeds: group.map(({ sealedNext }) => JSON.stringify(sealedNext)),
    oddsRevisions: group.map(({ oddsRevision }) => oddsRevision),
    oddsTableIds: group.map(({ oddsTableId }) => oddsTableId),
    consolations: group.map(({ consolationRedCoin }) => consolationRedCoin),
    redCoinTotals: group.map(({ outcome }) => outcome.redCoinTotal),
    touching: group.map(({ outcome }) => outcome.stock.length > 0),
    keys: group.map(({ stored }) => stored?.key ?? null),
    inputHashes: group.map(({ stored }) => stored?.inputHash ?? null),
    bodiesBefore: group.map(({ stored }) => stored?.bodyBeforeBalance ?? null),
    bodiesAfter: group.map(({ stored }) => stored?.bodyAfterBalance ?? null),
  }
}

/** One of each per pack, in the order of the draws. */
function drawnValues(group: Group) {
  // The wins of a limited prize are counted through the group.
  const earlier = new Map<number, number>()
  const drawn = group.flatMap(({ outcome }, index) => {
    const rows = outcome.packs.map(
      ({ prize, soldOutPrizeId, redCoinEarned, winOfStock }, position) => ({
        of: index + 1,
        position,
        prizeId: prize?.prizeId ?? null,
        soldOutPrizeId,
        redCoinEarned,
        winOfStock:
          winOfStock === null ? null : winOfStock + (earlier.get(prize?.prizeId ?? 0) ?? 0),
      }),
    )
    for (const { prizeId, taken } of outcome.stock) {
      earlier.set(prizeId, (earlier.get(prizeId) ?? 0) + taken)
    }
    return rows
  })
  return {
    drawnOf: drawn.map(({ of }) => of),
    drawnPositions: drawn.map(({ position }) => position),
    drawnPrizes: drawn.map(({ prizeId }) => prizeId),
    drawnSoldOut: drawn.map(({ soldOutPrizeId }) => soldOutPrizeId),
    drawnEarned: drawn.map(({ redCoinEarned }) => redCoinEarned),
    winsOfStock: drawn.map(({ winOfStock }) => winOfStock),
  }
}

/** One of each per pack that won, with the prizes as they are now, for the claims to keep. */
function claimValues(group: Group) {
  const won = group.flatMap(({ userId, outcome, claimIds, claimStates }) =>
    outcome.packs.flatMap(({ prize }, position) => {
      if (prize === undefined) return []
      return { userId, position, prize, claimId: claimIds[position], state: claimStates[position] }
    }),
  )
  return {
    claimUserIds: won.map(({ userId }) => userId),
    claimPositions: won.map(({ position }) => position),
    claimIds: won.map(({ claimId }) => claimId),
    claimAmounts: won.map(({ prize }) => prize.redCoinAmount),
    claimNames: won.map(({ prize }) => prize.name),
    claimDescriptions: won.map(({ prize }) => prize.description),
    claimPacks: won.map(({ prize }) => prize.rewardPackQuantity),
    claimStates: won.map(({ state }) => state),
    claimsAlsoSent: won.map(({ prize }) => prize.isAlsoSent),
    claimImages: won.map(({ prize }) => prize.imageHash),
  }
}

/** Per opening a row for each RedCoin prize as drawn, then one for all consolations. */
function entryValues(group: Group) {
  const entries = group.flatMap(({ outcome }, index) =>
    entriesOf(outcome).map((entry) => ({ of: index + 1, ...entry })),
  )
  return {
    entryOf: entries.map(({ of }) => of),
    entryPositions: entries.map(({ position }) => position),
    entryAmounts: entries.map(({ amount }) => amount),
    entryTotals: entries.map(({ total }) => total),
    entryTexts: entries.map(({ description }) => description),
  }
}

function entriesOf({ packs, consolationTotal }: OpeningOutcome) {
  const entries: { position: number | null; amount: number; description: string }[] = []
  for (const [position, { prize }] of packs.entries()) {
    if (prize === undefined || prize.redCoinAmount === 0) continue
    const description = `Won ${prize.name}`
    entries.push({ position, amount: prize.redCoinAmount, description })
  }
  if (consolationTotal > 0) {
    const losing = packs.filter(({ prize }) => prize === undefined).length
    const description = losing === 1 ? 'Pack without a prize' : `${losing} packs without a prize`
    entries.push({ position: null, amount: consolationTotal, description })
  }
  let total = 0
  return entries.map((entry) => {
    total += entry.amount
    return { ...entry, total }
  })
}

function rewardValues(group: Group) {
  const rewards = group.flatMap(({ outcome }, index) =>
    [...outcome.rewards].map(([id, quantity]) => ({ of: index + 1, id, quantity })),
  )
  return {
    rewardOf: rewards.map(({ of }) => of),
    rewardIds: rewards.map(({ id }) => id),
    rewardQuantities: rewards.map(({ quantity }) => quantity),
  }
}

/** What each opening takes of limited prizes, and what the group takes of each in all. */
function stockValues(group: Group) {
  const takings: { of: number; id: number; units: number; soFar: number }[] = []
  const all = new Map<number, { taken: number; exactly: number | null }>()
  for (const [index, { outcome }] of group.entries()) {
    for (const { prizeId: id, taken, exactly } of outcome.stock) {
      const before = all.get(id)?.taken ?? 0
      const soFar = before + taken
      if (taken > 0) takings.push({ of: index + 1, id, units: taken, soFar })
      // A draw that ran into the end found what the group had left of it.
      const ends = exactly === null ? (all.get(id)?.exactly ?? null) : before + exactly
      all.set(id, { taken: soFar, exactly: ends })
    }
  }
  const stock = [...all].map(([id, use]) => ({ id, ...use }))
  return {
    takingOf: takings.map(({ of }) => of),
    takenIds: takings.map(({ id }) => id),
    takenUnits: takings.map(({ units }) => units),
    takenSoFar: takings.map(({ soFar }) => soFar),
    stockIds: stock.map(({ id }) => id),
    stockTaken: stock.map(({ taken }) => taken),
    stockExactly: stock.map(({ exactly }) => exactly),
  }
}
