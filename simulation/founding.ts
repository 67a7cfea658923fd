// How a community begins, and how somebody comes in: the local account makes pack types, prizes,
// listings, streams and places to post; everybody signs in with Twitch.

import { botToken } from './far-sides.ts'
import { type Account, hourMillis } from './model.ts'
import { type Heard, type Scene, untilOf } from './scene.ts'
import { type Body, keeper } from './world.ts'

/** What can be won and what is sold: where it is, and how the API calls what is left of it. */
export const goods = {
  prizes: { stock: 'prizeStock', path: 'prizes', left: 'inventoryQuantity' },
  listings: { stock: 'listingStock', path: 'store/listings', left: 'quantityAvailable' },
} as const

/** Notes a prize or listing as the product answers it. */
export function note({ model }: Scene, kind: keyof typeof goods, answer: Body): void {
  const { stock, left } = goods[kind]
  model[kind].set(answer.id, { ...answer, isDeleted: false, isLimited: answer[left] !== null })
  if (answer[left] === null) model[stock].delete(answer.id)
  else model[stock].set(answer.id, answer[left])
}

/** True when the person has a session that should work. */
export const isSignedIn = ({ model, person, now }: Scene) =>
  (model.sessions.get(person.cookie ?? '')?.endsAt ?? now) > now

function cookieIn({ headers }: Heard, name: string): string | undefined {
  const lines = [headers['set-cookie'] ?? []].flat().join('\n')
  return new RegExp(`^${name}=([^;]+)`, 'm').exec(lines)?.[1]
}

/** Goes to Twitch or Discord and comes back; undefined when the way there failed. */
export async function goThrough(scene: Scene, where: string, code: string, cookie: string) {
  const start = await scene.call({ line: `GET auth/${where}`, cookie })
  const browser = cookieIn(start, 'signin')
  if (!start.isHeard || browser === undefined) return undefined
  const state = new URL(String(start.headers['location'])).searchParams.get('state')
  const line = `GET auth/${where}/callback?code=${code}&state=${state}` as const
  return scene.call({ line, cookie: `${cookie && `sid=${cookie}; `}signin=${browser}` })
}

/** Signs in with Twitch; false when something on the way failed. */
export async function signIn({ scene, person, world }: Scene): Promise<boolean> {
  world.far.logins.set(person.twitchId, person.login)
  const back = await goThrough(scene, 'twitch', person.twitchId, '')
  if (back === undefined) return false
  if (await enter(scene, back)) return true
  // Whoever was signed in without hearing of it may have an account all the same.
  const text = 'SELECT id, username FROM users WHERE twitch_id = $1'
  const row = await scene.row(text, person.twitchId)
  if (row !== undefined) noteAccount(scene, row)
  scene.tell('tries to sign in, in vain')
  return false
}

export const signInLocally = async (scene: Scene) =>
  enter(scene, await scene.call({ line: 'POST auth/local', body: keeper, cookie: '' }), 1)

/** What is known of an account stays, but for its name. */
export function noteAccount(scene: Scene, told: Partial<Account> & { id: number }) {
  const { model, person, now } = scene
  const start = { twitchId: person.twitchId, roleSince: 0, isGone: false, isBlocked: false }
  const { id, username = '' } = told
  const known = model.accounts.get(id)
  model.accounts.set(id, { role: 'user', ...start, ...told, ...known, username })
  if (known === undefined) model.recall(id, `Twitch ${person.twitchId}`, now)
}

/** Takes the session that an answer opens, and learns whose it is. */
async function enter(scene: Scene, opened: Heard, staffHours = 12): Promise<boolean> {
  const { person, model, now } = scene
  const cookie = cookieIn(opened, 'sid')
  if (!opened.isHeard || cookie === undefined) return false
  const heard = await scene.call({ line: 'GET auth/me', cookie })
  if (!heard.isHeard) return false
  scene.check(heard.status === 200, `opens a session that is none: ${heard.text}`)
  const { id, username, role, redCoinBalance, suspension } = heard.body
  const account = model.accounts.get(id)
  scene.check(account?.isGone !== true, `signs ${person.name} in to an account that was left`)
  scene.check(role === (account?.role ?? role), `gives ${person.name} the role ${role}`)
  scene.same(redCoinBalance, model.coins.of(id), 'RedCoin')
  noteAccount(scene, { id, username, role })
  // Who comes back after leaving has another account than the one they are known by until now.
  if (model.isSuspended(id, now)) scene.checkSuspension(suspension, id)
  else scene.check(!(untilOf(suspension) > now), `suspends ${person.name} without reason`)
  if (person.cookie !== undefined) person.oldCookies.push(person.cookie)
  if (person.oldCookies.length > 5) person.oldCookies.shift()
  const endsAt = now + (role === 'user' ? Number.POSITIVE_INFINITY : staffHours * hourMillis)
  const isLocal = staffHours === 1
  model.sessions.set(cookie, { accountId: id, endsAt, ...(isLocal && { mayLastUntil: endsAt }) })
  Object.assign(person, { accountId: id, cookie })
  scene.tell(`signs in as ${username}`)
  return true
}

/** All sessions of an account end. */
export function endSessions({ model, now }: Scene, accountId: number): void {
  for (const [token, session] of model.sessions.entries()) {
    if (session.accountId !== accountId || session.endsAt <= now) continue
    model.sessions.set(token, { accountId, endsAt: now })
  }
}

async function make(scene: Scene, path: string, body: unknown): Promise<Body> {
  const heard = await scene.call({ line: `POST admin/${path}`, body })
  scene.check(heard.status === 200, `refuses ${path}: ${heard.text}`)
  return heard.body
}

export const channels = ['700001', '700002', '700003']

/** What can be won and bought; answers the pack types. */
export async function foundStore(scene: Scene): Promise<number[]> {
  scene.check(await signInLocally(scene), 'does not let the local account in')
  scene.model.settings.set('consolation', 5)
  const types: number[] = []
  for (const name of ['Silver', 'Gold', 'Night']) {
    types.push((await make(scene, 'pack-types', { name })).id)
  }
  const [silver, gold, night] = types
  const silverPacks = { packTypeId: silver, packQuantity: 2, isAlsoSent: false }
  for (const [name, packTypeIds, winFrequency, totalPacks, more] of [
    ['Sticker', types, 20, 100, { inventoryQuantity: null }],
    ['Figure', types, 15, 100, { inventoryQuantity: 30, deadlineDays: 2 }],
    ['Console', [night], 1, 400, { inventoryQuantity: 2, deadlineDays: 1 }],
    ['Hundred RedCoin', [silver], 1, 9, { redCoinAmount: 100 }],
    ['Few RedCoin', [gold], 3, 20, { redCoinAmount: 20, inventoryQuantity: 40 }],
    ['Silver packs', [gold], 1, 10, silverPacks],
    ['Game key', types, 8, 100, { deliversCodes: true, inventoryQuantity: 0 }],
  ] as const) {
    const prize = { name, packTypeIds, winFrequency, totalPacks, ...more }
    note(scene, 'prizes', await make(scene, goods.prizes.path, prize))
  }
  for (const offer of [
    { packTypeId: silver, redCoinPrice: 10, quantityAvailable: null },
    { packTypeId: gold, redCoinPrice: 40, quantityAvailable: 60 },
    { packTypeId: night, redCoinPrice: 25, quantityAvailable: 25 },
  ]) {
    note(scene, 'listings', await make(scene, goods.listings.path, offer))
  }
  return types
}

export async function found(scene: Scene): Promise<void> {
  const types = await foundStore(scene)
  for (const [at, twitchChannelId] of channels.entries()) {
    const facts = { twitchChannelId, channelName: `partner${at}`, displayName: `Partner ${at}` }
    const reward = { watchTimeRequiredSeconds: 240, completionMessage: '{username} made it' }
    const rewards = [{ packTypeId: types[at], packQuantity: 1, redCoinAmount: 0 }]
    const more = { rewardRedCoinAmount: 30, enableChatMessage: true, rewards }
    await make(scene, 'twitch/streams', { ...facts, ...reward, ...more })
    const place = { serverName: `Server ${at}`, channelName: 'rewards' }
    const ids = { serverId: `60000${at}`, channelId: `61000${at}` }
    await make(scene, 'discord/servers', { ...place, ...ids })
  }
  const bot = { botUsername: 'bot', botUserId: '1', clientId: 'client', accessToken: botToken }
  await make(scene, 'twitch/bot-credentials', bot)
  scene.tell('founds the community')
}
