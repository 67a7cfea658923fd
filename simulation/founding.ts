// How a community begins: the local account makes pack types, prizes, listings, streams and places
// to post, and the first members of staff.

import { botToken } from './far-sides.ts'
import type { Body } from './moment.ts'
import type { Scene } from './scene.ts'
import { cookieIn, enter } from './sign-in.ts'
import { keeper } from './world.ts'

const localMillis = 3_600_000

/** Signs the local account in. */
export async function signInLocally(scene: Scene): Promise<boolean> {
  const heard = await scene.call({
    method: 'POST',
    url: '/api/auth/local',
    body: keeper,
    cookie: '',
  })
  const token = cookieIn(heard, 'sid')
  if (!heard.isHeard || token === undefined) return false
  return enter(scene, token, localMillis)
}

async function make(scene: Scene, url: string, body: unknown): Promise<Body> {
  const heard = await scene.call({ method: 'POST', url, body })
  scene.check(heard.status === 200, `refuses ${url}: ${heard.text}`)
  return heard.body
}

/** Notes a prize as the product answers it. */
export function notePrize({ model }: Scene, answer: Body, isDeleted = false): void {
  const { inventoryQuantity: stock, ...prize } = answer
  const isLimited = stock !== null
  model.set('prize', prize.id, { ...prize, isDeleted, isLimited })
  model.set('prizeStock', prize.id, isLimited ? stock : undefined)
}

export function noteListing({ model }: Scene, answer: Body, isDeleted = false): void {
  const { id, packTypeId, redCoinPrice: price, isUnlimited, isActive } = answer
  model.set('listing', id, { id, packTypeId, price, isUnlimited, isActive, isDeleted })
  model.set('listingStock', id, isUnlimited ? undefined : answer.quantityAvailable)
}

const prizes = [
  { name: 'Sticker', winFrequency: 20, totalPacks: 100, inventoryQuantity: null },
  { name: 'Figure', winFrequency: 5, totalPacks: 100, inventoryQuantity: 30 },
  { name: 'Console', winFrequency: 1, totalPacks: 400, inventoryQuantity: 2 },
  { name: 'Hundred RedCoin', winFrequency: 1, totalPacks: 9, redCoinAmount: 100 },
  {
    name: 'Few RedCoin',
    winFrequency: 3,
    totalPacks: 20,
    redCoinAmount: 20,
    inventoryQuantity: 40,
  },
]

export const channels = ['700001', '700002', '700003']

/** What can be won and bought; answers the pack types. */
export async function foundStore(scene: Scene): Promise<number[]> {
  const { model } = scene
  scene.check(await signInLocally(scene), 'does not let the local account in')
  model.set('consolation', 'now', 5)
  const types: number[] = []
  for (const name of ['Silver', 'Gold', 'Night']) {
    types.push((await make(scene, '/api/admin/pack-types', { name })).id)
  }
  for (const [at, prize] of prizes.entries()) {
    const packTypeIds = at === 0 ? types : [types[at % types.length]]
    notePrize(scene, await make(scene, '/api/admin/prizes', { ...prize, packTypeIds }))
  }
  const packs = { name: 'Silver packs', winFrequency: 1, totalPacks: 10, packQuantity: 2 }
  const gold = { ...packs, packTypeId: types[0], packTypeIds: [types[1]], isAlsoSent: false }
  notePrize(scene, await make(scene, '/api/admin/prizes', gold))
  const offers = [
    { packTypeId: types[0], redCoinPrice: 10, quantityAvailable: null },
    { packTypeId: types[1], redCoinPrice: 40, quantityAvailable: 60 },
    { packTypeId: types[2], redCoinPrice: 25, quantityAvailable: 25 },
  ]
  for (const offer of offers) {
    noteListing(scene, await make(scene, '/api/admin/store/listings', offer))
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
    await make(scene, '/api/admin/twitch/streams', { ...facts, ...reward, ...more })
  }
  for (const at of [1, 2]) {
    const place = { serverName: `Server ${at}`, channelName: 'rewards' }
    const ids = { serverId: `60000${at}`, channelId: `61000${at}` }
    await make(scene, '/api/admin/discord/servers', { ...place, ...ids })
  }
  const bot = { botUsername: 'bot', botUserId: '1', clientId: 'client', accessToken: botToken }
  await make(scene, '/api/admin/twitch/bot-credentials', bot)
  scene.tell('founds the community')
  scene.model.settle()
}
