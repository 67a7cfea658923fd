// The operator plays against a player, with the database and the key in hand. What the statement of
// an opening does not refuse, a stranger finds who replays the public log.

import { hexOf, utf8 } from '@redpack/fair/bytes'
import { openCheckpoint, parseVerifierKey } from '@redpack/fair/notes'
import { Replay } from '@redpack/fair/replay'
import {
  beginning,
  continues,
  entriesOfBundle,
  follow,
  type LoadTile,
  tilePath,
  treeHashes,
} from '@redpack/fair/tree'
import { beforeEach, describe, expect, it } from 'vitest'
import { nodeHashing } from '../src/adapters/random/hashing.ts'
import { keepLog } from '../src/features/fairness/public-log.ts'
import { seedContext } from '../src/shared/sealed-contexts.ts'
import { type Person, useTestDeps } from './deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const hashes = treeHashes(nodeHashing)
let gold: number
let ana: Person

beforeEach(async () => {
  gold = await t.packType('Gold')
  await t.prize('Cap', { packTypeIds: [gold], totalPacks: 2, stock: 9 })
  await t.prize('Coins', { packTypeIds: [gold], totalPacks: 4, redCoinAmount: 9 })
  ana = await t.person('ana', { packs: { [gold]: 200 } })
})

const open = async (quantity = 12, body: object = {}) => {
  const order = { packTypeId: gold, quantity, entropy: 'e7'.repeat(32), ...body }
  return ana.send('POST', '/api/packs/open', order)
}
/** Past every trigger that would refuse it. */
const plant = (sql: string) =>
  t.db.script(`SET session_replication_role = replica; ${sql};
    SET session_replication_role = origin;`)
const textsNow = async () =>
  (await t.rows<{ body: string }>('SELECT body FROM log_entries ORDER BY index')).map(
    ({ body }) => body,
  )
async function faults(): Promise<string[]> {
  await keepLog(t.deps)
  const replay = new Replay(nodeHashing)
  for (const text of await textsNow()) replay.take(text)
  return replay.faults.map(({ text }) => text)
}

it('an honest day leaves nothing to find', async () => {
  for (let count = 0; count < 4; count += 1) await open()
  expect(await faults()).toEqual([])
})

describe('a stranger who replays the log finds', () => {
  const anotherSeed = /another seed than the one committed to/
  it.each<[string, string, RegExp]>([
    [
      'results that were changed',
      `UPDATE pack_openings SET prize_id = NULL, stock_after = NULL,
        red_coin_earned = 5 WHERE prize_id IS NOT NULL`,
      /not what its seed/,
    ],
    [
      'a payment that was changed',
      'UPDATE pack_openings SET red_coin_earned = 4 WHERE prize_id IS NULL',
      /pays another amount/,
    ],
    [
      'entropy that was changed',
      `UPDATE opening_requests SET entropy = repeat('0', 64)`,
      /not what its seed/,
    ],
    [
      'a seed that was changed',
      `UPDATE opening_requests SET server_seed = repeat('0', 64)`,
      anotherSeed,
    ],
    [
      'a table of the same odds that was ground until it loses',
      `INSERT INTO odds_tables (id, pack_type_id, table_hash, body)
         SELECT 77, pack_type_id, encode(sha256(convert_to(replace(body, 'Coins', 'Coin'), 'UTF8')), 'hex'),
           replace(body, 'Coins', 'Coin') FROM odds_tables;
       INSERT INTO log_queue (id, kind, ref) VALUES (0, 'table', '77');
       UPDATE opening_requests SET odds_table_id = 77`,
      /not what its seed/,
    ],
    [
      'a request whose entry is left out',
      `DELETE FROM log_queue WHERE kind = 'opening' AND id <
        (SELECT max(id) FROM log_queue)`,
      /is not open|comes next/,
    ],
    [
      'a prize called sold out that was not',
      `UPDATE pack_openings SET prize_id = NULL,
        sold_out_prize_id = prize_id, stock_after = 0, red_coin_earned = 5
        WHERE stock_after = 8`,
      /of which \d+ were there/,
    ],
  ])('%s', async (_what, sql, words) => {
    await open()
    await open()
    await plant(sql)
    expect((await faults()).some((text) => words.test(text))).toBe(true)
  })

  it('a seed that is used a second time, by who has the key', async () => {
    const { proof } = (await open()).json()
    const { chainId, serverSeed, commitment } = proof
    const sealed = t.deps.encryption.seal(serverSeed, seedContext(chainId, 1))
    await t.rows('UPDATE draw_chains SET commitment = $1, sealed_seed = $2', [
      commitment,
      JSON.stringify(sealed),
    ])
    expect((await open()).json().proof.serverSeed).toBe(serverSeed)
    expect((await faults()).some((text) => anotherSeed.test(text))).toBe(true)
  })

  it('a commitment that was exchanged between two openings, by who has the key', async () => {
    const { chainId } = (await open()).json().proof
    const other = t.seeds.make(chainId, 1)
    await t.rows('UPDATE draw_chains SET commitment = $1, sealed_seed = $2', [
      other.commitment,
      JSON.stringify(other.sealed),
    ])
    expect((await open()).statusCode).toBe(200)
    expect((await faults()).some((text) => anotherSeed.test(text))).toBe(true)
  })

  it('an older scheme, or anything else that is none of the six kinds', async () => {
    await open()
    await keepLog(t.deps)
    await plant(`INSERT INTO log_entries (index, body, leaf_hash)
      SELECT max(index) + 1, '{"type":"commitment","pairId":1,"serverSeedHash":"x"}',
        sha256('x'::bytea) FROM log_entries`)
    expect(await faults()).toContain('is not one of the six kinds of entries')
  })
})

const load: LoadTile = async (tile) => {
  const answer = await t.app.inject(`/log/tile/${tilePath(tile)}`)
  expect(answer.statusCode).toBe(200)
  return answer.rawPayload
}
async function head() {
  const key = parseVerifierKey((await t.app.inject('/log/key')).body.trim(), nodeHashing.sha256)
  const note = (await t.app.inject('/log/checkpoint')).body
  return openCheckpoint(note, key!)
}
async function readAll() {
  const texts: string[] = []
  for await (const { entries } of follow(await head(), beginning, load, hashes))
    texts.push(...entries)
  return texts
}

describe('who has seen a signed log', () => {
  it('reads it whole, and finds an entry that was changed afterwards', async () => {
    await open()
    await keepLog(t.deps)
    const before = await head()
    expect(await readAll()).toEqual(await textsNow())
    const texts = await textsNow()
    const index = texts.findLastIndex((text) => text.startsWith('{"type":"opening"'))
    const forged = texts[index]!.replace('"entropyFrom":"player"', '"entropyFrom":"server"')
    const leaf = hexOf(hashes.leafHash(utf8(forged)))
    await plant(`UPDATE log_entries SET body = '${forged}', leaf_hash = decode('${leaf}', 'hex')
      WHERE index = ${index}; DELETE FROM log_checkpoints`)
    await open()
    await keepLog(t.deps)
    const width = before.size
    const bundle = await load({ level: 'entries', index: 0, width })
    expect(entriesOfBundle(bundle, width)).toHaveLength(width)
    const forgedTree = { size: before.size, root: before.root }
    const now = await t.app.inject('/log/checkpoint')
    // The product refuses to sign what contradicts itself; whoever signs it all the same is caught.
    if (now.statusCode === 200) {
      expect(await continues(forgedTree, await head(), load, hashes)).toBe(false)
    } else {
      expect(now.statusCode).toBe(404)
    }
  })
})
