// What viewers do: they look, open, buy, watch, press buttons, try again, leave and come back.

import type { Habit } from './habit.ts'
import { type Body, bodyOf } from './moment.ts'
import { checkBalance, lookAtOdds, opening } from './openings.ts'
import type { Change, Scene } from './scene.ts'
import { cookieIn, endSessions, signIn } from './sign-in.ts'

const keyMillis = 20 * 3_600_000

/** Remembers a call, to send it again some time. */
function keep({ person, now }: Scene, { url, body, key }: Change): void {
  if (key === undefined) return
  person.keptCalls.push({ url, body, key, at: now })
  if (person.keptCalls.length > 4) person.keptCalls.shift()
}

const heldTypes = ({ model, accountId }: Scene) =>
  packTypes({ model } as Scene).filter((id) => model.count('packs', `${accountId} ${id}`) > 0)
export const packTypes = ({ model }: Pick<Scene, 'model'>) => [
  ...new Set(model.all('listing').map(({ packTypeId }) => packTypeId)),
]

async function look(scene: Scene): Promise<void> {
  const { model, accountId } = scene
  const me = await scene.read('/api/user/profile')
  const packs = me && (await scene.read('/api/user/packs'))
  if (packs === undefined) return scene.tell('looks, in vain')
  checkBalance(scene, { updatedBalance: me.redCoinBalance })
  for (const id of packTypes(scene)) {
    const shown = packs.find((one: { packTypeId: number }) => one.packTypeId === id)?.quantity ?? 0
    const held = model.count('packs', `${accountId} ${id}`)
    scene.checkWhenAlone(shown === held, `shows ${shown} packs of type ${id}, not ${held}`)
  }
  scene.tell('looks at what they have')
}

async function lookAtStore(scene: Scene): Promise<void> {
  const shown = await scene.read('/api/store/listings')
  if (shown === undefined) return
  const { model } = scene
  const onSale = model.all('listing').filter((one) => one.isActive && !one.isDeleted)
  scene.check(shown.length === onSale.length, `has ${shown.length} listings, not ${onSale.length}`)
  for (const { id, price, isUnlimited } of onSale) {
    const found = shown.find((one: { id: number }) => one.id === id)
    const left = model.count('listingStock', String(id))
    scene.check(
      found?.redCoinPrice === price && (isUnlimited || found.quantityAvailable === left),
      `sells listing ${id} as ${JSON.stringify(found)}; the model has ${left} at ${price}`,
    )
  }
  scene.tell('looks at the store')
}

async function poll(scene: Scene): Promise<void> {
  const { chance } = scene
  const urls = ['/api/auth/me', '/api/user/stats', '/api/user/openings', '/api/user/notices']
  const more = ['/api/redcoin/leaderboard', '/api/twitch/active-streams', '/api/packs/types']
  for (const url of [chance.pick(urls), chance.pick(more), chance.pick(urls)]) await scene.read(url)
  scene.tell('has a page open')
}

async function lookAtClaims(scene: Scene): Promise<void> {
  const shown = await scene.read('/api/user/prize-claims/paginated?limit=100')
  if (shown === undefined) return
  for (const { claimId, status } of shown.claims) {
    const claim = scene.model.get('claim', claimId)
    const isOwn = claim?.accountId === scene.accountId && claim.status === status
    scene.check(isOwn && !claim.isDeleted, `shows claim ${claimId} as ${status}`)
  }
  scene.tell('looks at their claims')
}

async function openPacks(scene: Scene): Promise<void> {
  const held = heldTypes(scene)
  const { chance } = scene
  if (held.length === 0 && chance.isLikely(0.9)) return poll(scene)
  const shown = await lookAtOdds(scene, chance.pick(held.length > 0 ? held : packTypes(scene)))
  if (shown === undefined) return scene.tell('wants to open packs, in vain')
  const change = opening(scene, shown, chance.pick([1, 1, 1, 2, 5, 10, 50]), scene.key())
  keep(scene, change)
  await scene.change(change)
}

/** Two presses of one button, or two tabs. */
async function openTwice(scene: Scene): Promise<void> {
  const [packTypeId] = heldTypes(scene)
  const shown = packTypeId === undefined ? undefined : await lookAtOdds(scene, packTypeId)
  if (shown === undefined) return look(scene)
  const key = `${scene.person.name}-${scene.turn}`
  const first = opening(scene, shown, 1, key)
  const second = scene.chance.isLikely(0.5) ? first : opening(scene, shown, 1, `${key}-too`)
  await scene.together([first, second])
}

export function buying(scene: Scene, key: string | undefined): Change {
  const { model, accountId, chance } = scene
  const listing = chance.pick(model.all('listing'))
  const quantity = chance.pick([1, 1, 2, 5])
  const { id } = listing
  const expectedPrice = chance.isLikely(0.9) ? listing.price : listing.price + 1
  const current = () => model.get('listing', id) ?? listing
  return {
    method: 'POST',
    url: '/api/store/purchase',
    words: `buys ${quantity} of listing ${id}`,
    body: { storePackListingId: id, quantity, expectedPrice },
    key,
    refusals: () => ({
      not_found: !current().isActive || current().isDeleted,
      price_changed: current().price !== expectedPrice,
      insufficient_redcoin: model.count('coins', String(accountId)) < current().price * quantity,
      not_enough_stock:
        !current().isUnlimited && model.count('listingStock', String(id)) < quantity,
    }),
    apply: (answer) => bookPurchase(scene, id, quantity, answer),
    find: key === undefined ? () => findPurchase(scene) : undefined,
  }
}

export function bookPurchase(scene: Scene, id: number, quantity: number, answer: Body): void {
  const { model, accountId } = scene
  const listing = model.get('listing', id)
  if (listing === undefined) return
  model.add('coins', String(accountId), -listing.price * quantity)
  model.add('packs', `${accountId} ${listing.packTypeId}`, quantity)
  if (!listing.isUnlimited) model.add('listingStock', String(id), -quantity)
  checkBalance(scene, answer)
}

/** Without a key the books tell: the last purchase was made just now. */
async function findPurchase({ world, accountId, now }: Scene) {
  const [row] = await world.rows<{ id: number }>(
    'purchase_now',
    'SELECT id FROM store_purchases WHERE user_id = $1 AND created_at = $2',
    [accountId, new Date(now)],
  )
  return row && {}
}

async function buy(scene: Scene): Promise<void> {
  const change = buying(scene, scene.key())
  keep(scene, change)
  await scene.change(change)
}

async function buyTwice(scene: Scene): Promise<void> {
  const first = buying(scene, `${scene.person.name}-${scene.turn}`)
  await scene.together([
    first,
    scene.chance.isLikely(0.5) ? first : { ...first, key: `${first.key}-too` },
  ])
}

/** Sends again what was sent before, or something else under its key. */
async function tryAgain(scene: Scene): Promise<void> {
  const kept = scene.person.keptCalls.filter(({ at }) => scene.now - at < keyMillis)
  const call = kept.at(-1)
  if (call === undefined) return look(scene)
  const { model, accountId, chance } = scene
  const { url, key } = call
  if (model.get('key', `${accountId} ${url} ${key}`) === undefined) return look(scene)
  const isOther = chance.isLikely(0.3)
  const body = isOther ? { ...(call.body as object), quantity: 3, expectedPrice: 1 } : call.body
  await scene.change({
    ...{
      method: 'POST',
      url,
      key,
      body: isOther && url.includes('open') ? { ...(call.body as object), quantity: 49 } : body,
    },
    words: isOther ? `sends something else under the key ${key}` : `sends ${key} again`,
    refusals: () => ({}),
    apply: () => scene.check(false, `takes the key ${key} for a new one`),
  })
}

async function editProfile(scene: Scene): Promise<void> {
  const { chance } = scene
  const bio = `Likes ${chance.pick(['tea', 'cats', 'night trains', '"quotes"', "Robert'); --"])}`
  const body = chance.isLikely(0.5)
    ? { bio }
    : { solanaWallet: chance.pick(['4Nd1mYxLkQ7Q8mJ3bUfYVxLkQ7Q8mJ3bUfYVxLkQ7Q8', null]) }
  const heard = await scene.call({ method: 'PUT', url: '/api/user/profile', body })
  scene.tell(`edits their profile: ${heard.isHeard ? heard.status : 'no answer'}`)
  if (!heard.isHeard) return
  scene.check(heard.status === 200, `refuses a profile: ${heard.text}`)
  for (const [field, value] of Object.entries(body)) {
    scene.check(heard.body[field] === value, `keeps ${field} as ${heard.body[field]}`)
  }
}

async function verifyDraws(scene: Scene): Promise<void> {
  const shown = await scene.read('/api/fairness/openings?limit=5')
  for (const { id, tableHash, serverSeed } of shown?.openings.slice(0, 2) ?? []) {
    const proof = await scene.read(`/api/fairness/openings/${id}/proof`)
    const table = proof && (await scene.read(`/api/fairness/tables/${tableHash}`))
    if (table === undefined) continue
    scene.check(JSON.stringify(table) === JSON.stringify(proof.table), 'has two tables of one hash')
    scene.check(proof.opening.serverSeed === serverSeed, 'proves a draw with another seed')
  }
  scene.tell('verifies their draws')
}

export async function leave(scene: Scene): Promise<void> {
  const { model, accountId, person } = scene
  const account = model.get('account', accountId)
  if (account === undefined) return
  await scene.change({
    method: 'DELETE',
    url: '/api/user',
    body: { confirm: account.username },
    words: 'leaves for good',
    refusals: () => ({
      protected_account: account.role === 'super_user' && person.name === 'keeper',
    }),
    apply() {
      model.set('account', accountId, { ...account, isGone: true, role: account.role })
      endSessions(scene, accountId)
    },
  })
  if (model.get('account', accountId)?.isGone !== true) return
  person.keptCalls.length = 0
  person.watching = undefined
  person.isLinked = false
  person.login = `${person.name.replaceAll('-', '_')}_${scene.chance.between(1, 999)}`
}

/** Takes another name at Twitch, and comes in anew. */
async function rename(scene: Scene): Promise<void> {
  const { person, chance } = scene
  person.login = `${person.name.replaceAll('-', '_')}_${chance.between(1, 999)}`
  await signIn(scene)
}

async function signOut(scene: Scene): Promise<void> {
  const { model, person, now } = scene
  const token = person.cookie ?? ''
  const heard = await scene.call({ method: 'POST', url: '/api/auth/logout' })
  const session = model.get('session', token)
  scene.tell('signs out')
  if (!heard.isHeard || session === undefined) {
    // Whether it ended is nobody's business any more.
    model.set('session', token, undefined)
    person.cookie = undefined
    return
  }
  model.set('session', token, { ...session, endsAt: now })
}

async function linkDiscord(scene: Scene): Promise<void> {
  const { person, model, accountId } = scene
  if (person.isLinked) return look(scene)
  const start = await scene.call({ url: '/api/auth/discord' })
  const browser = cookieIn(start, 'signin')
  if (!start.isHeard || browser === undefined) return
  const state = new URL(String(start.headers['location'])).searchParams.get('state')
  const url = `/api/auth/discord/callback?code=${person.discordId}&state=${state}`
  await scene.call({ url, cookie: `sid=${person.cookie}; signin=${browser}` })
  const profile = bodyOf((await scene.call({ url: '/api/user/profile' })).text)
  person.isLinked = profile?.discordId === person.discordId
  if (person.isLinked) model.change('account', accountId, { discordId: person.discordId })
  scene.tell(person.isLinked ? 'has linked Discord' : 'could not link Discord')
}

export const viewerHabits: readonly Habit[] = [
  { name: 'poll', weight: 20, act: poll },
  { name: 'look', weight: 10, act: look },
  { name: 'look-at-store', weight: 6, act: lookAtStore },
  { name: 'look-at-claims', weight: 4, act: lookAtClaims },
  { name: 'open', weight: 14, act: openPacks },
  { name: 'open-twice', weight: 3, act: openTwice },
  { name: 'buy', weight: 8, act: buy },
  { name: 'buy-twice', weight: 2, act: buyTwice },
  { name: 'try-again', weight: 5, act: tryAgain },
  { name: 'edit-profile', weight: 2, act: editProfile },
  { name: 'verify', weight: 2, act: verifyDraws },
  { name: 'leave', weight: 0.3, act: leave },
  { name: 'rename', weight: 0.5, act: rename },
  { name: 'sign-out', weight: 1, act: signOut },
  { name: 'link-discord', weight: 2, act: linkDiscord },
]
