// What viewers do: they look, open, buy, try again, rename themselves, leave and come back. Every
// draw is made again by the model.

import type { AskedOpening, OddsTable } from '@redpack/fair/draw'
import {
  drawPacks,
  faultOfOpening,
  rollsOf,
  tableHash,
  tableOfText,
  tableText,
  thresholdsOf,
} from '@redpack/fair/draw'
import { nodeHashing } from '../server/src/adapters/random/hashing.ts'
import { endSessions, goThrough, signIn } from './founding.ts'
import type { Prize } from './model.ts'
import { type Body, type Change, type Habit, loginOf, type Scene } from './scene.ts'
import { rowsOf } from './world.ts'

/** For so long a key is surely remembered. */
const keyMillis = 20 * 3_600_000
const replayMax = 4

/** Remembers a call, to send it again some time. */
function keep({ person, now }: Scene, change: Change): Change {
  const { line, body, key } = change
  if (key !== undefined) person.keptCalls.push({ line, body, key, at: now })
  if (person.keptCalls.length > replayMax) person.keptCalls.shift()
  return change
}

/** Calls of somebody that may be sent again. */
export const keptBy = ({ now }: Scene, { keptCalls }: Scene['person']) =>
  keptCalls.filter(({ at }) => now - at < keyMillis)

export const heldTypes = ({ model, accountId }: Scene) =>
  model.packTypes.filter((id) => model.packs.of(`${accountId} ${id}`) > 0)

const hashOf = ({ model }: Scene, packTypeId: number) =>
  tableHash(tableText(model.table(packTypeId)), nodeHashing)

/** Looks at the odds and at the chain as a browser does; answers the call that opens packs. */
export async function opening(scene: Scene, packTypeId: number, quantity: number, key?: string) {
  const { model, accountId, world } = scene
  const odds = await scene.read(`/api/packs/types/${packTypeId}/odds`)
  const chain = odds && (await scene.read('/api/fairness'))
  if (chain === undefined) return scene.tell('wants to open packs, in vain')
  scene.same(odds.tableHash, hashOf(scene, packTypeId), `odds table of pack type ${packTypeId}`)
  const text = tableText(odds)
  const isOwn = tableHash(text, nodeHashing) === odds.tableHash
  scene.check(isOwn, 'shows odds that are not those of their hash')
  const place = `${chain.chainId} ${chain.index}`
  model.chains.set(accountId, place)
  return (): Change => {
    const entropy = scene.chance.bytes(32).toString('hex')
    const { commitment } = chain
    const asked = { packTypeId, quantity, entropy, tableHash: odds.tableHash, ...chain, text }
    return {
      line: 'POST /api/packs/open',
      words: `opens ${quantity} of pack type ${packTypeId}`,
      body: { packTypeId, quantity, oddsHash: odds.tableHash, entropy, commitment },
      ...{ key, by: scene },
      refusals: () => ({
        insufficient_packs: model.packs.of(`${accountId} ${packTypeId}`) < quantity,
        odds_changed: hashOf(scene, packTypeId) !== odds.tableHash,
        commitment_moved: model.chains.get(accountId) !== place,
      }),
      apply: (answer) => book(scene, asked, answer),
      find: () => findOpening(world, entropy),
    }
  }
}

/** Books an opening by the model's own draw, and compares it with what was told. */
function book(scene: Scene, asked: AskedOpening & { text: string }, answer: Body): void {
  const { model, accountId, world } = scene
  const { packTypeId, quantity } = asked
  const { proof, results } = answer
  const fault = faultOfOpening(asked, { ...proof, results }, asked.text, nodeHashing)
  scene.check(fault === undefined, `opens packs whose ${fault} does not hold`)
  const table = tableOfText(asked.text)
  if (table === undefined) return
  const drawn = world.isSerial ? drawnByModel(scene, asked, table, proof.serverSeed) : undefined
  model.packs.add(`${accountId} ${packTypeId}`, -quantity)
  for (const [at, { prizeId, claimId }] of results.entries()) {
    const own = drawn === undefined ? prizeId : drawn[at]
    scene.check(prizeId === own, `tells of prize ${prizeId} where draw and stock give ${own}`)
    const entry = table.entries.find((one) => one.prizeId === prizeId)
    model.coins.add(accountId, entry?.redCoinAmount ?? table.consolationRedCoin)
    if (entry === undefined) continue
    if (entry.limited) model.prizeStock.add(prizeId, -1)
    const { rewardPackTypeId: won, rewardPackQuantity } = entry
    if (won !== null) model.packs.add(`${accountId} ${won}`, rewardPackQuantity)
    scene.check(model.claims.get(claimId) === undefined, `gives the Claim ID ${claimId} again`)
    const status = isPaidAtOnce(model.prizes.get(prizeId)) ? 'completed' : 'pending'
    model.claims.set(claimId, { id: claimId, accountId, status, isDeleted: false })
  }
  model.chains.set(accountId, `${proof.chainId} ${proof.index + 1}`)
  scene.same(answer.updatedBalance, model.coins.of(accountId), 'RedCoin left')
}

const isPaidAtOnce = (prize: Prize | undefined) =>
  prize !== undefined && (prize.redCoinAmount > 0 || (prize.packQuantity > 0 && !prize.isAlsoSent))

function drawnByModel({ model }: Scene, asked: AskedOpening, table: OddsTable, serverSeed: string) {
  const { entropy, tableHash: hash, quantity } = asked
  const seed = Buffer.from(serverSeed, 'hex')
  const rolls = rollsOf({ seed, entropy, tableHash: hash }, quantity, nodeHashing)
  const { entries } = table
  const stock = entries.map((one) => (one.limited ? model.prizeStock.of(one.prizeId) : undefined))
  const { drawn } = drawPacks(thresholdsOf(entries), stock, rolls)
  return drawn.map(({ won }) => (won === undefined ? null : entries[won]?.prizeId))
}

/** The opening with this entropy as the database has it, in the form of its answer. */
async function findOpening(world: Scene['world'], entropy: string): Promise<Body | undefined> {
  const rows = await rowsOf<Body>(
    world,
    'opening_by_entropy',
    `SELECT r.chain_id AS "chainId", r.chain_index AS index, r.server_seed AS "serverSeed",
       r.next_commitment AS "nextCommitment", t.table_hash AS "tableHash", o.prize_id AS "prizeId",
       o.red_coin_earned AS "redCoinEarned", c.claim_id AS "claimId"
     FROM opening_requests r JOIN odds_tables t ON t.id = r.odds_table_id
       JOIN pack_openings o ON o.request_id = r.id
       LEFT JOIN prize_claims c ON c.pack_opening_id = o.id
     WHERE r.entropy = $1 ORDER BY o.position`,
    entropy,
  )
  const [first] = rows
  return first && { proof: { ...first, entropy, entropyFrom: 'player' }, results: rows }
}

export function buying(scene: Scene, key: string | undefined): Change {
  const { model, accountId, chance, now, world } = scene
  const listing = chance.pick(model.listings.all())
  const quantity = chance.pick([1, 1, 2, 5])
  const { id } = listing
  const expectedPrice = listing.redCoinPrice + (chance.isLikely(0.9) ? 0 : 1)
  const current = () => model.listings.get(id) ?? listing
  const text = 'SELECT id FROM store_purchases WHERE user_id = $1 AND created_at = $2'
  return {
    line: 'POST /api/store/purchase',
    words: `buys ${quantity} of listing ${id}`,
    body: { storePackListingId: id, quantity, expectedPrice },
    ...{ key, by: scene },
    refusals: () => ({
      not_found: !current().isActive || current().isDeleted,
      price_changed: current().redCoinPrice !== expectedPrice,
      insufficient_redcoin: model.coins.of(accountId) < current().redCoinPrice * quantity,
      not_enough_stock: !current().isUnlimited && model.listingStock.of(id) < quantity,
    }),
    apply: (answer) => bookPurchase(scene, id, quantity, answer),
    // Without a key the books tell: the last purchase was made just now.
    find: key
      ? undefined
      : async () => (await rowsOf(world, 'bought', text, accountId, new Date(now)))[0],
  }
}

export function bookPurchase(scene: Scene, id: number, quantity: number, answer: Body): void {
  const { model, accountId } = scene
  const listing = model.listings.get(id)
  if (listing === undefined) return
  model.coins.add(accountId, -listing.redCoinPrice * quantity)
  model.packs.add(`${accountId} ${listing.packTypeId}`, quantity)
  if (!listing.isUnlimited) model.listingStock.add(id, -quantity)
  scene.same(answer.updatedBalance, model.coins.of(accountId), 'RedCoin left')
}

async function look(scene: Scene): Promise<void> {
  const { model, accountId } = scene
  const me = await scene.read('/api/user/profile')
  const packs = me && (await scene.read('/api/user/packs'))
  if (packs === undefined) return scene.tell('looks, in vain')
  scene.same(me.redCoinBalance, model.coins.of(accountId), 'RedCoin')
  for (const id of model.packTypes) {
    const shown = packs.find((one: Body) => one.packTypeId === id)?.quantity ?? 0
    scene.same(shown, model.packs.of(`${accountId} ${id}`), `packs of type ${id}`)
  }
  scene.tell('looks at what they have')
}

async function lookAtStore(scene: Scene): Promise<void> {
  const shown = await scene.read('/api/store/listings')
  if (shown === undefined) return
  const { model } = scene
  const onSale = model.listings.all().filter((one) => one.isActive && !one.isDeleted)
  scene.same(shown.length, onSale.length, 'number of listings')
  for (const { id, redCoinPrice, isUnlimited } of onSale) {
    const found = shown.find((one: Body) => one.id === id)
    scene.same(found?.redCoinPrice ?? 0, redCoinPrice, `price of listing ${id}`)
    const left = isUnlimited ? null : model.listingStock.of(id)
    if (!isUnlimited) scene.same(found.quantityAvailable, left, `stock of listing ${id}`)
  }
  scene.tell('looks at the store')
}

async function lookAtClaims(scene: Scene): Promise<void> {
  const shown = await scene.read('/api/user/prize-claims/paginated?limit=100')
  for (const { claimId, status } of shown?.claims ?? []) {
    const claim = scene.model.claims.get(claimId)
    const isOwn = claim?.accountId === scene.accountId && claim.status === status
    scene.check(isOwn && !claim.isDeleted, `shows claim ${claimId} as ${status}`)
  }
  scene.tell('looks at their claims')
}

async function poll(scene: Scene): Promise<void> {
  const urls = ['auth/me', 'user/stats', 'user/openings', 'user/notices', 'packs/types'] as const
  const more = ['redcoin/leaderboard', 'twitch/active-streams'] as const
  await scene.read(`/api/${scene.chance.pick([...urls, ...more])}`)
  scene.tell('has a page open')
}

async function openPacks(scene: Scene): Promise<void> {
  const { chance, model } = scene
  const held = heldTypes(scene)
  if (held.length === 0 && chance.isLikely(0.9)) return poll(scene)
  const type = chance.pick(held.length > 0 ? held : model.packTypes)
  const open = await opening(scene, type, chance.pick([1, 1, 1, 2, 5, 10, 50]), scene.key())
  if (open) await scene.change(keep(scene, open()))
}

/** Two presses of one button, or two tabs. */
async function openTwice(scene: Scene): Promise<void> {
  const [packTypeId] = heldTypes(scene)
  const open = packTypeId && (await opening(scene, packTypeId, 1, scene.ownKey))
  if (!open) return look(scene)
  const first = open()
  const isOne = scene.chance.isLikely(0.5)
  await scene.together([first, isOne ? first : { ...open(), key: `${scene.ownKey}-too` }])
}

async function buyTwice(scene: Scene): Promise<void> {
  const first = buying(scene, scene.ownKey)
  const isOne = scene.chance.isLikely(0.5)
  await scene.together([first, isOne ? first : { ...first, key: `${scene.ownKey}-too` }])
}

/** Sends again what was sent before, or something else under its key. */
async function tryAgain(scene: Scene): Promise<void> {
  const { model, accountId, chance } = scene
  const call = keptBy(scene, scene.person).at(-1)
  if (call === undefined) return look(scene)
  const { line, key } = call
  if (model.keys.get(`${accountId} ${line} ${key}`) === undefined) return look(scene)
  const isOther = chance.isLikely(0.3)
  await scene.change({
    ...{ line, key, body: isOther ? { ...(call.body as object), quantity: 49 } : call.body },
    words: isOther ? `sends something else under the key ${key}` : `sends ${key} again`,
    apply: () => scene.check(false, `takes the key ${key} for a new one`),
  })
}

async function editProfile(scene: Scene): Promise<void> {
  const { chance } = scene
  const [field, value] = chance.pick([
    ['bio', `Likes ${chance.pick(['tea', 'cats', '"quotes"', "Robert'); --"])}`],
    ['solanaWallet', chance.pick(['4Nd1mYxLkQ7Q8mJ3bUfYVxLkQ7Q8mJ3bUfYVxLkQ7Q8', null])],
  ] as const)
  const line = 'PUT /api/user/profile'
  const heard = await scene.call({ line, body: { [field]: value } })
  scene.tell(`edits their profile: ${heard.isHeard ? heard.status : 'no answer'}`)
  if (heard.isHeard) scene.check(heard.body[field] === value, `keeps a profile as ${heard.text}`)
}

async function verifyDraws(scene: Scene): Promise<void> {
  const shown = await scene.read('/api/fairness/openings?limit=5')
  for (const { id, tableHash: hash, serverSeed } of shown?.openings.slice(0, 2) ?? []) {
    const proof = await scene.read(`/api/fairness/openings/${id}/proof`)
    const table = proof && (await scene.read(`/api/fairness/tables/${hash}`))
    if (table === undefined) continue
    scene.check(JSON.stringify(table) === JSON.stringify(proof.table), 'has two tables of one hash')
    scene.check(proof.opening.serverSeed === serverSeed, 'proves a draw with another seed')
  }
  scene.tell('verifies their draws')
}

export async function leave(scene: Scene): Promise<void> {
  const { model, accountId, person } = scene
  const account = model.accounts.get(accountId)
  await scene.change({
    line: 'DELETE /api/user',
    body: { confirm: account?.username },
    words: 'leaves for good',
    apply() {
      model.accounts.change(accountId, { isGone: true })
      endSessions(scene, accountId)
    },
  })
  if (model.accounts.get(accountId)?.isGone !== true) return
  Object.assign(person, { keptCalls: [], watching: undefined, isLinked: false })
  renamed(scene)
}

function renamed({ person, chance }: Scene): void {
  person.login = `${loginOf(person.name)}_${chance.between(1, 999)}`
}

/** Takes another name at Twitch, and comes in anew. */
async function rename(scene: Scene): Promise<void> {
  renamed(scene)
  await signIn(scene)
}

async function signOut(scene: Scene): Promise<void> {
  const { model, person, now } = scene
  const token = person.cookie ?? ''
  const heard = await scene.call({ line: 'POST /api/auth/logout' })
  scene.tell('signs out')
  if (heard.isHeard) return model.sessions.change(token, { endsAt: now })
  // Whether it ended is nobody's business any more.
  model.sessions.set(token, undefined)
  person.cookie = undefined
}

async function linkDiscord(scene: Scene): Promise<void> {
  const { person, model, accountId } = scene
  const { discordId } = person
  if (person.isLinked) return look(scene)
  if ((await goThrough(scene, 'discord', discordId, {})) === undefined) return
  const profile = await scene.call({ line: 'GET /api/user/profile' })
  person.isLinked = profile.body?.discordId === discordId
  if (person.isLinked) model.accounts.change(accountId, { discordId })
  scene.tell(person.isLinked ? 'has linked Discord' : 'could not link Discord')
}

export const viewerHabits: readonly Habit[] = [
  { name: 'poll', weight: 12, act: poll },
  { name: 'look', weight: 10, act: look },
  { name: 'look-at-store', weight: 6, act: lookAtStore },
  { name: 'look-at-claims', weight: 4, act: lookAtClaims },
  { name: 'open', weight: 14, act: openPacks },
  { name: 'open-twice', weight: 3, act: openTwice },
  { name: 'buy', weight: 8, act: async (s) => void (await s.change(keep(s, buying(s, s.key())))) },
  { name: 'buy-twice', weight: 2, act: buyTwice },
  { name: 'try-again', weight: 5, act: tryAgain },
  { name: 'edit-profile', weight: 2, act: editProfile },
  { name: 'verify', weight: 2, act: verifyDraws },
  { name: 'leave', weight: 0.3, act: leave },
  { name: 'rename', weight: 0.5, act: rename },
  { name: 'sign-out', weight: 1, act: signOut },
  { name: 'link-discord', weight: 2, act: linkDiscord },
]
