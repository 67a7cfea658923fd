// Opening packs as a viewer's browser does, with every draw made again by the model.

import {
  type AskedOpening,
  drawPacks,
  faultOfOpening,
  type OddsTable,
  rollsOf,
  tableHash,
  tableOfText,
  tableText,
  thresholdsOf,
} from '@redpack/fair/draw'
import { nodeHashing } from '../server/src/adapters/random/hashing.ts'
import type { Body } from './moment.ts'
import type { Change, Scene } from './scene.ts'

/** What the person was shown before they opened. */
interface Shown {
  readonly packTypeId: number
  readonly tableHash: string
  /** The table, as it was hashed. */
  readonly text: string
  readonly chainId: number
  readonly index: number
  readonly commitment: string
}

/** Looks at the odds and at the chain, as a browser does before it asks. */
export async function lookAtOdds(scene: Scene, packTypeId: number): Promise<Shown | undefined> {
  const odds = await scene.read(`/api/packs/types/${packTypeId}/odds`)
  const chain = odds && (await scene.read('/api/fairness'))
  if (chain === undefined) return undefined
  const hash = hashOf(scene, packTypeId)
  scene.checkWhenAlone(
    odds.tableHash === hash,
    `shows the odds table ${odds.tableHash} of pack type ${packTypeId}, not ${hash}`,
  )
  const text = tableText(odds)
  const isOwn = tableHash(text, nodeHashing) === odds.tableHash
  scene.check(isOwn, 'shows odds that are not those of their hash')
  const { chainId, index, commitment } = chain
  scene.model.set('chain', scene.accountId, `${chainId} ${index}`)
  return { packTypeId, tableHash: odds.tableHash, text, chainId, index, commitment }
}

const hashOf = ({ model }: Scene, packTypeId: number) =>
  tableHash(tableText(model.table(packTypeId)), nodeHashing)

/** The call that opens packs; `isShownStill` says whether nobody has opened since they looked. */
export function opening(
  scene: Scene,
  shown: Shown,
  quantity: number,
  key: string | undefined,
): Change {
  const { model, accountId, chance } = scene
  const { packTypeId, commitment } = shown
  const entropy = chance.hex(32)
  const packs = `${accountId} ${packTypeId}`
  const body = { packTypeId, quantity, oddsHash: shown.tableHash, entropy, commitment }
  return {
    method: 'POST',
    url: '/api/packs/open',
    words: `opens ${quantity} of pack type ${packTypeId}`,
    body,
    key,
    refusals: () => ({
      invalid_input: quantity < 1 || quantity > 50,
      insufficient_packs: model.count('packs', packs) < quantity,
      odds_changed: hashOf(scene, packTypeId) !== shown.tableHash,
      commitment_moved: model.get('chain', accountId) !== `${shown.chainId} ${shown.index}`,
    }),
    apply: (answer) => book(scene, { ...shown, entropy, quantity }, answer),
    find: () => findOpening(scene, entropy),
  }
}

/** Books an opening by the model's own draw, and compares it with what was told. */
function book(scene: Scene, asked: AskedOpening & Shown, answer: Body): void {
  const { model, accountId, world } = scene
  const { packTypeId, quantity } = asked
  const { proof, results } = answer
  const fault = faultOfOpening(asked, { ...proof, results }, asked.text, nodeHashing)
  scene.check(fault === undefined, `opens packs whose ${fault} does not hold`)
  const table = tableOfText(asked.text)
  if (table === undefined) return
  const drawn = world.isSerial ? drawnByModel(scene, asked, table, proof.serverSeed) : results
  model.add('packs', `${accountId} ${packTypeId}`, -quantity)
  for (const [at, { prizeId }] of drawn.entries()) {
    const told = results[at]
    scene.check(
      told.prizeId === prizeId,
      `tells of prize ${told.prizeId} where the model's draw and stock give ${prizeId}`,
    )
    const entry = table.entries.find((one) => one.prizeId === prizeId)
    model.add('coins', String(accountId), entry?.redCoinAmount ?? table.consolationRedCoin)
    if (entry === undefined) continue
    if (entry.limited) model.add('prizeStock', String(entry.prizeId), -1)
    if (entry.rewardPackTypeId !== null) {
      model.add('packs', `${accountId} ${entry.rewardPackTypeId}`, entry.rewardPackQuantity)
    }
    bookClaim(scene, told.claimId, entry.prizeId)
  }
  model.set('chain', accountId, `${proof.chainId} ${proof.index + 1}`)
  checkBalance(scene, answer)
}

function drawnByModel({ model }: Scene, asked: AskedOpening, table: OddsTable, serverSeed: string) {
  const { entropy, tableHash: hash, quantity } = asked
  const seed = Buffer.from(serverSeed, 'hex')
  const rolls = rollsOf({ seed, entropy, tableHash: hash }, quantity, nodeHashing)
  const stock = table.entries.map(({ prizeId, limited }) =>
    limited ? model.count('prizeStock', String(prizeId)) : undefined,
  )
  return drawPacks(thresholdsOf(table.entries), stock, rolls).drawn.map(({ won }) => ({
    prizeId: (won === undefined ? undefined : table.entries[won]?.prizeId) ?? null,
  }))
}

function bookClaim({ model, accountId, check }: Scene, id: string, prizeId: number): void {
  if (model.get('claim', id) !== undefined) check(false, `gives the Claim ID ${id} a second time`)
  const prize = model.get('prize', prizeId)
  const isSentNow =
    prize !== undefined &&
    (prize.redCoinAmount > 0 || (prize.packQuantity > 0 && !prize.isAlsoSent))
  const status = isSentNow ? 'completed' : 'pending'
  model.set('claim', id, { id, accountId, prizeId, status, isDeleted: false })
}

/** What an answer says is left must be what the model has. */
export function checkBalance(scene: Scene, { updatedBalance }: Body): void {
  if (updatedBalance === undefined) return
  const coins = scene.model.count('coins', String(scene.accountId))
  scene.checkWhenAlone(
    updatedBalance === coins,
    `says ${updatedBalance} RedCoin are left, not ${coins}`,
  )
}

interface OpenedRow {
  readonly chainId: number
  readonly index: number
  readonly serverSeed: string
  readonly nextCommitment: string
  readonly tableHash: string
  readonly prizeId: number | null
  readonly redCoinEarned: number
  readonly claimId: string | null
}

/** The opening with this entropy as the database has it, in the form of its answer. */
async function findOpening({ world }: Scene, entropy: string): Promise<Body | undefined> {
  const rows = await world.rows<OpenedRow>(
    'opening_by_entropy',
    `SELECT r.chain_id AS "chainId", r.chain_index AS index, r.server_seed AS "serverSeed",
       r.next_commitment AS "nextCommitment", t.table_hash AS "tableHash", o.prize_id AS "prizeId",
       o.red_coin_earned AS "redCoinEarned", c.claim_id AS "claimId"
     FROM opening_requests r JOIN odds_tables t ON t.id = r.odds_table_id
       JOIN pack_openings o ON o.request_id = r.id
       LEFT JOIN prize_claims c ON c.pack_opening_id = o.id
     WHERE r.entropy = $1 ORDER BY o.position`,
    [entropy],
  )
  const [first] = rows
  if (first === undefined) return undefined
  return { proof: { ...first, entropy, entropyFrom: 'player' }, results: rows }
}
