// What viewers do: they look, open, buy, try again, rename themselves, leave and come back. Every
// draw is made again by the model.

import * as fair from '@redpack/fair/draw'
import { nodeHashing } from '../server/src/adapters/random/hashing.ts'
import { endSessions, goThrough, signIn } from './founding.ts'
import { mailHabits } from './mail.ts'
import { loginOf, type Model } from './model.ts'
import { type Change, habit, type Scene, to } from './scene.ts'
import { forgetAddresses, winnerHabits } from './shipping.ts'
import type { Body } from './world.ts'

/** For so long a key is surely remembered. */
const keyMillis = 20 * 3_600_000

/** Remembers a call, to send it again some time. */
function keep({ person, now }: Scene, change: Change): Change {
  const { line, body, key } = change
  if (key !== undefined) person.keptCalls.push({ line, body, key, at: now })
  if (person.keptCalls.length > 4) person.keptCalls.shift()
  return change
}

/** Calls of somebody that may be sent again. */
export const keptBy = ({ now }: Scene, { keptCalls }: Scene['person']) =>
  keptCalls.filter(({ at }) => now - at < keyMillis)

export const heldTypes = ({ model, accountId }: Scene) =>
  model.packTypes.filter((id) => model.packs.of(`${accountId} ${id}`) > 0)

const hashOf = ({ model }: Scene, packTypeId: number) =>
  fair.tableHash(fair.tableText(model.table(packTypeId)), nodeHashing)

/** Looks at the odds and at the chain as a browser does; answers what makes the call to open. */
export async function opening(scene: Scene, packTypeId: number, quantity: number) {
  const { model, accountId, chance, row } = scene
  const odds = await scene.read(`packs/types/${packTypeId}/odds`)
  const chain = odds && (await scene.read('fairness'))
  if (chain === undefined) return scene.tell('wants to open packs, in vain')
  const { tableHash } = odds
  scene.same(tableHash, hashOf(scene, packTypeId), `odds table of pack type ${packTypeId}`)
  const text = fair.tableText(odds)
  const isOwn = fair.tableHash(text, nodeHashing) === tableHash
  scene.check(isOwn, 'shows odds that are not those of their hash')
  const { chainId, index, commitment } = chain
  const place = `${chainId} ${index}`
  model.chains.set(accountId, place)
  return (key?: string): Change => {
    const entropy = chance.bytes(32).toString('hex')
    const call = { packTypeId, quantity, entropy, commitment }
    const words = `opens ${quantity} of pack type ${packTypeId}`
    return {
      ...to('POST packs/open', words, { ...call, oddsHash: tableHash }, key),
      by: scene,
      refusals: () => ({
        insufficient_packs: model.packs.of(`${accountId} ${packTypeId}`) < quantity,
        odds_changed: hashOf(scene, packTypeId) !== tableHash,
        commitment_moved: model.chains.get(accountId) !== place,
      }),
      apply: (answer) => book(scene, { ...call, chainId, index, tableHash }, text, answer),
      find: async () => (await row(openingText, entropy))?.answer,
    }
  }
}

/** The opening with some entropy as the database has it, in the form of its answer. */
const openingText = `SELECT json_build_object('results', json_agg(json_build_object(
      'prizeId', o.prize_id, 'redCoinEarned', o.red_coin_earned, 'claimId', c.claim_id
    ) ORDER BY o.position), 'proof', json_build_object('chainId', r.chain_id,
      'index', r.chain_index, 'serverSeed', r.server_seed, 'nextCommitment', r.next_commitment,
      'tableHash', t.table_hash, 'entropy', r.entropy, 'entropyFrom', 'player')) AS answer
  FROM opening_requests r JOIN odds_tables t ON t.id = r.odds_table_id
    JOIN pack_openings o ON o.request_id = r.id
    LEFT JOIN prize_claims c ON c.pack_opening_id = o.id
  WHERE r.entropy = $1 GROUP BY r.id, t.table_hash`

/** Books an opening by the model's own draw, and compares it with what was told. */
function book(scene: Scene, asked: fair.AskedOpening, text: string, answer: Body): void {
  const { model, accountId } = scene
  const { proof, results } = answer
  const fault = fair.faultOfOpening(asked, { ...proof, results }, text, nodeHashing)
  scene.check(fault === undefined, `opens packs whose ${fault} does not hold`)
  const { entries, consolationRedCoin } = JSON.parse(text) as fair.OddsTable
  const terms = { ...asked, seed: Buffer.from(proof.serverSeed, 'hex') }
  const rolls = fair.rollsOf(terms, asked.quantity, nodeHashing)
  const stock = entries.map((one) => (one.limited ? model.prizeStock.of(one.prizeId) : undefined))
  const { drawn } = fair.drawPacks(fair.thresholdsOf(entries), stock, rolls)
  model.packs.add(`${accountId} ${asked.packTypeId}`, -asked.quantity)
  for (const [at, { prizeId, claimId }] of results.entries()) {
    const own = entries[drawn[at]?.won ?? -1]?.prizeId ?? null
    scene.same(prizeId, own, 'prize by draw and stock')
    const entry = entries.find((one) => one.prizeId === prizeId)
    model.coins.add(accountId, entry?.redCoinAmount ?? consolationRedCoin)
    if (entry === undefined) continue
    if (entry.limited) model.prizeStock.add(prizeId, -1)
    const { rewardPackTypeId: reward, rewardPackQuantity } = entry
    if (reward !== null) model.packs.add(`${accountId} ${reward}`, rewardPackQuantity)
    const isCode = giveCode(model, prizeId, claimId)
    scene.check(model.claims.get(claimId) === undefined, `gives the Claim ID ${claimId} again`)
    const won = model.prizes.get(prizeId)
    const { redCoinAmount = 0, packQuantity = 0, isAlsoSent, deadlineDays = null } = won ?? {}
    const isPaidAtOnce = isCode || redCoinAmount > 0 || (packQuantity > 0 && !isAlsoSent)
    const [status, state] = isPaidAtOnce
      ? (['completed', undefined] as const)
      : (['pending', 'address_wanted'] as const)
    const claim = { id: claimId, accountId, prizeId: entry.prizeId, status, state }
    const wonDeadline = state && deadlineDays ? scene.now + deadlineDays * 86_400_000 : 0
    const begun = { isDeleted: false, hasAddress: false, deadline: wonDeadline, wonDeadline }
    model.claims.set(claimId, { ...claim, ...begun, isLimited: entry.limited })
  }
  model.chains.set(accountId, `${proof.chainId} ${proof.index + 1}`)
  scene.same(answer.updatedBalance, model.coins.of(accountId), 'RedCoin left')
}

/** Gives a win of a prize that delivers codes the oldest one; false for other prizes. */
function giveCode({ prizes, codes }: Model, prizeId: number, claimId: string): boolean {
  const isUnused = ([, code]: [string, { prizeId: number; claimId?: string }]) =>
    code.prizeId === prizeId && code.claimId === undefined
  const [text] = codes.entries().find(isUnused) ?? []
  if (text !== undefined) codes.change(text, { claimId })
  return prizes.get(prizeId)?.deliversCodes === true
}

/**
 * Whether a win may have the code that is shown. Those who open at the same moment may get theirs
 * in another order than they are heard, so two codes change places until one of them was seen.
 */
function isTheirs({ codes }: Model, expected: string, shown: string): boolean {
  const [own, other] = [codes.get(expected), codes.get(shown)]
  const mayChange = other?.claimId !== undefined && !other.isSeen && !own?.isSeen
  if (shown !== expected && !(mayChange && other.prizeId === own?.prizeId)) return false
  const { claimId } = own ?? {}
  if (shown !== expected) codes.change(expected, { claimId: other?.claimId })
  codes.change(shown, { claimId, isSeen: true })
  return true
}

export function buying(scene: Scene, key = scene.key()): Change {
  const { model, accountId, chance, now, row } = scene
  const { id, redCoinPrice } = chance.pick(model.listings.all())
  const quantity = chance.pick([1, 1, 2, 5])
  const expectedPrice = redCoinPrice + (chance.isLikely(0.9) ? 0 : 1)
  const text = 'SELECT id FROM store_purchases WHERE user_id = $1 AND created_at = $2'
  const body = { storePackListingId: id, quantity, expectedPrice }
  return {
    ...to('POST store/purchase', `buys ${quantity} of listing ${id}`, body, key),
    by: scene,
    refusals() {
      const listing: Body = model.listings.get(id)
      return {
        not_found: !listing.isActive || listing.isDeleted,
        price_changed: listing.redCoinPrice !== expectedPrice,
        insufficient_redcoin: model.coins.of(accountId) < listing.redCoinPrice * quantity,
        not_enough_stock: !listing.isUnlimited && model.listingStock.of(id) < quantity,
      }
    },
    apply: (answer) => bookPurchase(scene, id, quantity, answer),
    // Without a key the books tell: the last purchase was made just now.
    ...(key === undefined && { find: () => row(text, accountId, new Date(now)) }),
  }
}

export function bookPurchase(scene: Scene, id: number, quantity: number, answer: Body): void {
  const { model, accountId } = scene
  const listing: Body = model.listings.get(id)
  model.coins.add(accountId, -listing.redCoinPrice * quantity)
  model.packs.add(`${accountId} ${listing.packTypeId}`, quantity)
  if (!listing.isUnlimited) model.listingStock.add(id, -quantity)
  scene.same(answer.updatedBalance, model.coins.of(accountId), 'RedCoin left')
}

async function look({ model, accountId, read, same, tell }: Scene): Promise<undefined> {
  const me = await read('user/profile')
  const packs = me && (await read('user/packs'))
  tell('looks at what they have')
  if (packs === undefined) return
  same(me.redCoinBalance, model.coins.of(accountId), 'RedCoin')
  for (const id of model.packTypes) {
    const shown = packs.find((one: Body) => one.packTypeId === id)?.quantity ?? 0
    same(shown, model.packs.of(`${accountId} ${id}`), `packs of type ${id}`)
  }
}

async function poll({ read, chance, tell }: Scene): Promise<undefined> {
  const own = ['auth/me', 'user/stats', 'user/openings', 'user/notices']
  const all = ['redcoin/leaderboard', 'twitch/active-streams', 'packs/types']
  for (const paths of [own, all, own]) await read(chance.pick(paths))
  tell('has a page open')
}

export function leave({ scene, model, accountId, person }: Scene, after?: Change['after']): Change {
  const body = { confirm: model.accounts.get(accountId)?.username }
  return {
    ...to('DELETE user', 'leaves for good', body),
    apply() {
      const { suspendedUntil = 0, discordId } = model.accounts.get(accountId) ?? {}
      for (const name of [`Twitch ${person.twitchId}`, discordId && `Discord ${discordId}`]) {
        if (!name) continue
        model.remembered.set(name, Math.max(suspendedUntil, model.remembered.of(name)))
      }
      model.accounts.change(accountId, { isGone: true })
      forgetAddresses(model, accountId)
      endSessions(scene, accountId)
    },
    after(granted) {
      if (model.accounts.get(accountId)?.isGone !== true) return
      Object.assign(person, { keptCalls: [], watching: undefined })
      takeName(scene)
      return after?.(granted)
    },
  }
}

function takeName({ person, chance }: Scene): void {
  person.login = `${loginOf(person.name)}_${chance.between(1, 999)}`
}

/** Two at once: the same once more, or another under a key of its own. */
const twice = ({ chance, ownKey }: Scene, first: Change, another: (key: string) => Change) => [
  first,
  chance.isLikely(0.5) ? first : another(`${ownKey}-too`),
]

export const viewerHabits = [
  ...winnerHabits,
  ...mailHabits,
  habit('poll', 18, poll),
  habit('look', 10, look),
  habit('look-at-store', 6, async ({ model, read, same, tell }) => {
    const shown = await read('store/listings')
    tell('looks at the store')
    if (shown === undefined) return
    const onSale = model.listings.all().filter((one) => one.isActive && !one.isDeleted)
    same(shown.length, onSale.length, 'number of listings')
    for (const { id, redCoinPrice, isUnlimited } of onSale) {
      const found = shown.find((one: Body) => one.id === id) ?? {}
      same(found.redCoinPrice ?? 0, redCoinPrice, `price of listing ${id}`)
      const left = isUnlimited ? found.quantityAvailable : model.listingStock.of(id)
      same(found.quantityAvailable, left, `stock of listing ${id}`)
    }
  }),
  habit('look-at-claims', 4, async ({ model, accountId, read, check, tell }) => {
    const shown = await read('user/prize-claims/paginated?limit=100')
    for (const { claimId, status, shipment } of shown?.claims ?? []) {
      const claim = model.claims.get(claimId)
      const isOwn = claim?.accountId === accountId && claim.status === status
      // A code is delivered as it is won.
      const isCode = model.codes.all().some((code) => code.claimId === claimId)
      const isSame = isOwn && shipment?.state === (isCode ? 'delivered' : claim.state)
      check(isSame && !claim.isDeleted, `shows claim ${claimId} as ${status} ${shipment?.state}`)
    }
    tell('looks at their claims')
  }),
  // Uncovers a code that they have won, and that nobody else sees.
  habit('look-at-code', 5, async ({ scene, model, accountId, chance, call, check, tell }) => {
    const own = model.codes.entries().flatMap(([text, { claimId }]) => {
      const claim = model.claims.get(claimId ?? '')
      return claim?.accountId === accountId ? [{ text, claim }] : []
    })
    if (own.length === 0) return look(scene)
    const { text, claim } = chance.pick(own.slice(-5))
    const heard = await call({ line: `GET user/prize-claims/${claim.id}/code` })
    tell(`looks at the code of ${claim.id}: ${heard.isHeard ? heard.status : 'no answer'}`)
    if (!heard.isHeard) return
    const isRight = claim.isDeleted ? heard.status === 404 : isTheirs(model, text, heard.body.code)
    check(isRight, `shows ${heard.text} as the code of ${claim.id}, not ${text}`)
  }),
  habit('open', 14, async ({ scene, chance, model }) => {
    const held = heldTypes(scene)
    if (held.length === 0 && chance.isLikely(0.9)) return poll(scene)
    const type = chance.pick(held.length > 0 ? held : model.packTypes)
    const change = await opening(scene, type, chance.pick([1, 1, 1, 2, 5, 10, 50]))
    return change && keep(scene, change(scene.key()))
  }),
  // Two presses of one button, or two tabs.
  habit('open-twice', 3, async (scene) => {
    const [packTypeId] = heldTypes(scene)
    const change = packTypeId && (await opening(scene, packTypeId, 1))
    return change ? twice(scene, change(scene.ownKey), change) : look(scene)
  }),
  habit('buy', 8, (scene) => keep(scene, buying(scene))),
  habit('buy-twice', 2, (scene) => {
    const first = buying(scene, scene.ownKey)
    return twice(scene, first, (key) => ({ ...first, key }))
  }),
  // Sends again what was sent before, or something else under its key.
  habit('try-again', 5, ({ scene, person, accountId, model, chance, check }) => {
    const call = keptBy(scene, person).at(-1)
    if (!call || !model.keys.get(`${accountId} ${call.line} ${call.key}`)) return look(scene)
    const { line, key, body } = call
    const isOther = chance.isLikely(0.3)
    return {
      ...{ line, key, body: isOther ? { ...(body as object), quantity: 49 } : body },
      words: isOther ? `sends something else under the key ${key}` : `sends ${key} again`,
      apply: () => check(false, `takes the key ${key} for a new one`),
    }
  }),
  habit('edit-profile', 2, async ({ chance, call, tell, check }) => {
    const [field, value] = chance.pick([
      ['bio', `Likes ${chance.pick(['tea', 'cats', '"quotes"', "Robert'); --"])}`],
      ['solanaWallet', chance.pick(['4Nd1mYxLkQ7Q8mJ3bUfYVxLkQ7Q8mJ3bUfYVxLkQ7Q8', null])],
    ] as const)
    const line = 'PUT user/profile'
    const { isHeard, body, text } = await call({ line, body: { [field]: value } })
    tell(`sets ${field} of their profile`)
    check(!isHeard || body[field] === value, `keeps a profile as ${text}`)
  }),
  habit('verify', 2, async ({ read, check, tell }) => {
    const shown = await read('fairness/openings?limit=5')
    for (const { id, tableHash, serverSeed } of shown?.openings.slice(0, 2) ?? []) {
      const proof = await read(`fairness/openings/${id}/proof`)
      const table = proof && (await read(`fairness/tables/${tableHash}`))
      if (table === undefined) continue
      check(JSON.stringify(table) === JSON.stringify(proof.table), 'has two tables of one hash')
      check(proof.opening.serverSeed === serverSeed, 'proves a draw with another seed')
    }
    tell('verifies their draws')
  }),
  habit('leave', 0.3, (scene) => leave(scene)),
  // Takes another name at Twitch, and comes in anew.
  habit('rename', 0.5, async (scene) => {
    takeName(scene)
    await signIn(scene)
  }),
  habit('sign-out', 1, async ({ model, person, now, call, tell }) => {
    const { cookie = '' } = person
    const { isHeard } = await call({ line: 'POST auth/logout' })
    tell('signs out')
    if (isHeard) return model.sessions.change(cookie, { endsAt: now })
    // Whether it ended is nobody's business any more.
    model.sessions.delete(cookie)
    person.cookie = undefined
  }),
  habit('link-discord', 2, async ({ scene, person, model, accountId, call, tell }) => {
    const { discordId, cookie = '' } = person
    if (model.accounts.get(accountId)?.discordId === discordId) return look(scene)
    if (!(await goThrough(scene, 'discord', discordId, cookie))) return
    const ask = () => call({ line: 'GET user/profile' })
    let profile = await ask()
    // Whoever does not hear it looks again: the model has to know.
    for (let more = 20; more > 0 && !profile.isHeard; more -= 1) profile = await ask()
    const isLinked = profile.body?.discordId === discordId
    if (isLinked) {
      model.accounts.change(accountId, { discordId })
      model.recall(accountId, `Discord ${discordId}`, scene.now)
    }
    tell(isLinked ? 'has linked Discord' : 'could not link Discord')
  }),
]
