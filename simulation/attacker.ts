// What somebody tries who wants what is not theirs; none of it may do anything.

import type { Habit } from './habit.ts'
import type { Request } from './moment.ts'
import type { Scene } from './scene.ts'
import { bookPurchase } from './viewer.ts'

async function mustRefuse(
  scene: Scene,
  request: Request,
  statuses: readonly number[],
  words: string,
) {
  const heard = await scene.call(request)
  scene.tell(`${words}: ${heard.isHeard ? heard.status : 'no answer'}`)
  if (!heard.isHeard) return
  scene.check(statuses.includes(heard.status), `answers ${heard.status} when somebody ${words}`)
}

async function useOldCookie(scene: Scene): Promise<void> {
  const { person, people, chance, model, now } = scene
  const old = people.flatMap(({ oldCookies }) => oldCookies)
  const ended = old.filter((token) => (model.get('session', token)?.endsAt ?? now) < now - 3_000)
  if (ended.length === 0) return
  const url = chance.pick(['/api/user/packs', '/api/admin/stats', '/api/admin/prizes'])
  await mustRefuse(scene, { url, cookie: chance.pick(ended) }, [401], 'comes with an old cookie')
  person.oldCookies.length = Math.min(person.oldCookies.length, 5)
}

async function readForeignClaim(scene: Scene): Promise<void> {
  const foreign = scene.model.all('claim').filter(({ accountId }) => accountId !== scene.accountId)
  if (foreign.length === 0) return
  const { id } = scene.chance.pick(foreign)
  const url = `/api/user/prize-claims/${id}/delivery`
  await mustRefuse(scene, { url }, [404], "asks where somebody else's prize goes")
}

const oddNumbers = [
  0,
  -1,
  -50,
  51,
  1.5,
  1e12,
  Number.MAX_SAFE_INTEGER,
  '0x10',
  ' 5 ',
  true,
  [5],
  null,
]

async function sendOddBody(scene: Scene): Promise<void> {
  const { chance } = scene
  const quantity = chance.pick<unknown>(oddNumbers)
  const isOpening = chance.isLikely(0.5)
  const isFine = quantity === 51 || quantity === Number.MAX_SAFE_INTEGER || quantity === 1e12
  const refused = !isOpening && isFine ? [400, 404, 409] : [400]
  const body = isOpening
    ? { packTypeId: chance.pick([1, 99, -1]), quantity }
    : { storePackListingId: chance.pick([1, 99]), quantity }
  const url = isOpening ? '/api/packs/open' : '/api/store/purchase'
  const words = `sends the quantity ${JSON.stringify(quantity)}`
  await mustRefuse(scene, { method: 'POST', url, body }, refused, words)
}

async function playStaff(scene: Scene): Promise<void> {
  const { chance, accountId } = scene
  const request = chance.pick<Request>([
    {
      method: 'POST',
      url: '/api/admin/distribute-redcoin',
      body: { userId: accountId, amount: 9 },
    },
    { method: 'PUT', url: `/api/admin/users/${accountId}/role`, body: { role: 'super_user' } },
    { method: 'POST', url: '/api/admin/remove-all-redcoin' },
    { url: '/api/admin/prize-claims' },
  ])
  await mustRefuse(scene, request, [403], `calls ${request.url} as a viewer`)
}

async function raiseThemselves(scene: Scene): Promise<void> {
  const body = { bio: 'me', role: 'admin', redCoinBalance: 1_000_000, id: 1 }
  const heard = await scene.call({ method: 'PUT', url: '/api/user/profile', body })
  scene.tell('sends more fields than a profile has')
  if (heard.isHeard && heard.status === 200) {
    scene.check(heard.body.role === 'user', 'takes the role from a profile')
  }
}

/** Sends what somebody else has sent, under the same key: it counts as their own call. */
async function useForeignKey(scene: Scene): Promise<void> {
  const kept = scene.people
    .filter((person) => person !== scene.person)
    .flatMap(({ keptCalls }) => keptCalls)
  const call = kept.length > 0 ? scene.chance.pick(kept) : undefined
  if (call === undefined) return
  const { url, body, key } = call
  // What was used before may be forgotten by now.
  if (scene.model.get('key', `${scene.accountId} ${url} ${key}`) !== undefined) return
  const { storePackListingId: id, quantity } = body as {
    storePackListingId: number
    quantity: number
  }
  await scene.change({
    ...{ method: 'POST', url, body, key, words: `sends the key ${key} of somebody else` },
    refusals: () => ({
      ...{ not_found: 'maybe', insufficient_redcoin: 'maybe', insufficient_packs: 'maybe' },
      ...{ not_enough_stock: 'maybe', price_changed: 'maybe', odds_changed: 'maybe' },
      // The commitment is that of somebody else.
      commitment_moved: url.endsWith('/open') && 'maybe',
    }),
    apply(answer) {
      scene.check(url.endsWith('/purchase'), "opens packs with somebody else's commitment")
      bookPurchase(scene, id, quantity, answer)
    },
  })
}

async function forge(scene: Scene): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-signature-ed25519': 'forged' }
  const url = scene.chance.pick(['/api/discord/interactions', '/api/twitch/eventsub'])
  const request = { method: 'POST', url, body: Buffer.from('{}'), headers, cookie: '' } as const
  await mustRefuse(scene, request, [401, 403], 'forges a message of Twitch or Discord')
}

export const attackerHabits: readonly Habit[] = [
  { name: 'use-old-cookie', weight: 4, act: useOldCookie },
  { name: 'read-foreign-claim', weight: 2, act: readForeignClaim },
  { name: 'send-odd-body', weight: 3, act: sendOddBody },
  { name: 'play-staff', weight: 2, act: playStaff },
  { name: 'raise-themselves', weight: 1, act: raiseThemselves },
  { name: 'use-foreign-key', weight: 4, act: useForeignKey },
  { name: 'forge', weight: 1, act: forge },
]
