// A story that touches nearly every call of the contract in a fixed order, staff and players, what
// is refused and what is repeated; what it is answered is kept in recorded-answers.jsonl.

import { Callers, type Keep, type Scene, type Stage } from './recorded-callers.ts'
import {
  batches,
  bots,
  forEverybody,
  grants,
  listings,
  overviews,
  packTypes,
  people,
  prizes,
  settings,
  streams,
} from './recorded-staff.ts'

export const keeperName = 'keeper'
export const keeperPassword = 'a long enough password'

/** The whole story. */
export async function tellStory(stage: Stage, keep: Keep): Promise<void> {
  const c = new Callers(stage, keep)
  const ids: Record<string, number> = {}
  const cast = [
    ['ana', { coins: 5_000 }],
    ['ben', {}],
    ['cleo', { coins: 70 }],
    ['boss', { role: 'admin' }],
    ['root', { role: 'super_user' }],
  ] as const
  for (const [name, start] of cast) {
    const { id, cookie } = await stage.person(name, start)
    c.cookies.set(name, cookie)
    ids[name] = id
  }
  const scene: Scene = { c, stage, id: ids as Scene['id'] }
  for (const chapter of [
    visitors,
    packTypes,
    prizes,
    listings,
    settings,
    buying,
    opening,
    claims,
    profiles,
    wallets,
    grants,
    batches,
    streams,
    watching,
    people,
    bots,
    signingIn,
    overviews,
    forEverybody,
    leaving,
  ]) {
    await chapter(scene)
  }
}

async function visitors({ c }: Scene): Promise<void> {
  await c.get('visitor', '/api/auth/me', '/api/admin/stats', '/api/nothing', '/api/settings/theme')
  await c.get('visitor', '/api/redcoin/leaderboard', '/api/fairness/observed', '/health/live')
  await c.post('visitor', '/api/packs/open', { packTypeId: 1, quantity: 1 })
  await c.post('ana', '/api/admin/prizes', { name: 'Mug' })
  await c.post('ana', '/api/admin/remove-all-packs')
  await c.get('ana', '/api/auth/me', '/api/user/stats', '/api/user/packs', '/api/user/openings')
  const headers = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
  await c.call('boss', 'POST', '/api/admin/remove-all-packs', { headers })
  const broken = { body: '{"name":', headers: { 'content-type': 'application/json' } }
  await c.call('boss', 'POST', '/api/admin/pack-types', broken)
}

async function buying({ c }: Scene): Promise<void> {
  const path = '/api/store/purchase'
  const three = { storePackListingId: 1, quantity: 3, expectedPrice: 12 }
  await c.post('ana', path, three, 'three')
  await c.post('ana', path, three, 'three')
  await c.post('ana', path, { ...three, quantity: 2 }, 'three')
  await c.post('ana', path, { storePackListingId: 2, quantity: 4 })
  await c.post('ana', path, { ...three, expectedPrice: 10 })
  await c.post('ana', path, { storePackListingId: 1, quantity: 50 })
  await c.post('ana', path, { storePackListingId: 99, quantity: 1 })
  await c.post('ana', path, { storePackListingId: 1, quantity: 0 })
  await c.post('ben', path, three)
  await c.get('ana', '/api/user/packs', '/api/user/inventory', '/api/redcoin/history')
  await c.get('ana', '/api/redcoin/history.csv', '/api/redcoin/history?type=store_purchase&limit=1')
}

async function opening({ c }: Scene): Promise<void> {
  const path = '/api/packs/open'
  await c.get('ana', '/api/packs/types/1/odds', '/api/packs/types/99/odds', '/api/fairness')
  await c.post('ana', path, { packTypeId: 1, quantity: 3 }, 'open')
  await c.post('ana', path, { packTypeId: 1, quantity: 3 }, 'open')
  await c.post('ana', path, { packTypeId: 1, quantity: 2 }, 'open')
  await c.post('ana', path, { packTypeId: 2, quantity: 4 })
  await c.post('ana', path, { packTypeId: 1, quantity: 50 })
  await c.post('ana', path, { packTypeId: 1, quantity: 51 })
  await c.post('ana', path, { packTypeId: 99, quantity: 1 })
  await c.post('ana', path, { packTypeId: 2, quantity: 1, oddsHash: '0'.repeat(64) })
  await c.get('ana', '/api/user/stats', '/api/user/openings', '/api/user/packs')
  await c.get('ana', '/api/fairness', '/api/fairness/openings', '/api/fairness/openings?limit=2')
  const own = { packTypeId: 1, quantity: 1, entropy: 'e0'.repeat(32) }
  await c.post('ana', path, own)
  await c.post('ana', path, { ...own, commitment: '0'.repeat(64) })
  await c.post('ana', path, { ...own, entropy: 'short' })
  await c.get('ana', '/api/fairness/openings', '/api/fairness/openings/99/proof')
  await c.get('visitor', `/api/fairness/tables/${'0'.repeat(64)}`, '/api/fairness/observed')
  await c.get('visitor', '/log/key', '/log/tile/9/000', '/api/redcoin/leaderboard')
  await c.get('ana', '/api/redcoin/leaderboard/me', '/api/redcoin/history', '/api/user/notices')
}

async function claims({ c, stage }: Scene): Promise<void> {
  const path = '/api/admin/prize-claims'
  // Enough packs that prizes to be claimed come up.
  await c.post('boss', '/api/admin/distribute-packs', {
    ...{ packTypeId: 1, userId: 1, quantity: 30, description: 'For the claims' },
  })
  for (const quantity of [20, 10]) {
    await c.post('ana', '/api/packs/open', { packTypeId: 1, quantity })
  }
  const all = await c.call('boss', 'GET', path)
  const [newest] = all.json<{ claimId: string }[]>()
  const claimId = newest?.claimId ?? 'none'
  await c.get(
    'ana',
    '/api/user/prize-claims/paginated',
    '/api/user/prize-claims/paginated?filter=all',
  )
  const delivery = `/api/user/prize-claims/${claimId}/delivery`
  const address = {
    ...{ name: 'Ana', addressLines: ['1 Road', 'Upstairs'], city: 'Town', postalCode: '12345' },
    ...{ country: 'Germany', phone: null, note: 'Ring twice' },
  }
  await c.put('ana', delivery, address)
  await c.put('ana', delivery, { ...address, addressLines: [] })
  await c.put('ben', delivery, address)
  await c.get('ana', delivery)
  await c.call('boss', 'PATCH', `${path}/1`, { body: { status: 'processing' } })
  await c.call('boss', 'PATCH', `${path}/1`, { body: { contactInfo: { street: '1 Road' } } })
  await c.call('boss', 'PATCH', `${path}/1`, { body: { status: 'completed', contactInfo: 'Sent' } })
  await c.call('boss', 'PATCH', `${path}/1`, { body: { status: 'pending' } })
  await c.call('boss', 'PATCH', `${path}/1`, { body: {} })
  await c.call('boss', 'PATCH', `${path}/1`, { body: { status: 'lost' } })
  await c.call('boss', 'PATCH', `${path}/999`, { body: { status: 'completed' } })
  await c.call('boss', 'PATCH', `${path}/${claimId}`, { body: { contactInfo: null } })
  await c.remove('boss', `${path}/2`)
  await c.remove('boss', `${path}/2`)
  await c.remove('boss', `/api/test/admin-prize-claims/${claimId}`)
  await c.post('boss', `${path}/restore`, { ids: [2, 3] })
  await c.post('boss', `${path}/restore`, { ids: [999] })
  await c.post('boss', `${path}/restore`, {})
  const gone = (await c.remove('boss', path)).json<{ batchId: string }>()
  await c.remove('boss', path)
  stage.advance(5)
  await c.post('boss', `${path}/restore`, { batchId: gone.batchId })
  await c.get(
    'boss',
    `${path}?status=completed`,
    `${path}?search=ana&limit=2`,
    `${path}?status=deleted`,
  )
  await c.get('boss', `${path}.csv`, `${path}.csv?contact=with`)
  await c.get('ana', '/api/user/notices', delivery)
  await c.put('ana', '/api/user/notices/read', { readUntil: '2026-01-05T12:30:00.000Z' })
  await c.put('ana', '/api/user/notices/read', { readUntil: 'yesterday' })
}

async function profiles({ c }: Scene): Promise<void> {
  await c.put('ana', '/api/user/profile', {
    ...{ displayName: 'Ana  Lee', email: 'ana@example.com', bio: 'Hello', country: 'Germany' },
    ...{ timezone: 'Europe/Berlin', notifications: { email: false } },
  })
  await c.put('ana', '/api/user/profile', { displayName: '', email: 'nothing' })
  await c.get('ana', '/api/user/profile', '/api/auth/me')
  await c.put('ana', '/api/user/leaderboard-visibility', { isHidden: true })
  await c.put('ana', '/api/user/leaderboard-visibility', {})
  await c.get('visitor', '/api/redcoin/leaderboard')
  await c.post('ana', '/api/auth/discord/disconnect')
}

async function wallets({ c }: Scene): Promise<void> {
  const walletAddress = '11111111111111111111111111111111'
  await c.put('ana', '/api/user/wallet', { walletAddress })
  await c.put('ana', '/api/user/wallet', { walletAddress: 'short' })
  await c.get('ana', '/api/user/wallet')
  await c.post('ana', '/api/user/wallet/challenge', { walletAddress: 'short' })
  const signature = `${'A'.repeat(86)}==`
  await c.post('ana', '/api/user/wallet/proof', { message: 'nothing', signature })
  await c.put('ana', '/api/user/wallet', { walletAddress: null })
}

async function watching({ c, stage }: Scene): Promise<void> {
  const stream = { streamId: 1, streamSessionId: 'b1' }
  await c.get('ben', '/api/twitch/active-streams')
  await c.post('ben', '/api/twitch/watch-sessions', stream)
  await c.post('ben', '/api/twitch/watch-sessions', stream)
  await c.post('ben', '/api/twitch/watch-sessions', { streamId: 99, streamSessionId: 'b1' })
  for (let beat = 0; beat < 3; beat += 1) {
    stage.advance(29)
    await c.post('ben', '/api/twitch/heartbeat', stream)
  }
  await c.post('ben', '/api/twitch/heartbeat', { streamId: 1 })
  await c.get('ben', '/api/twitch/watch-sessions', '/api/twitch/watch-completions')
  await c.get('ben', '/api/user/packs', '/api/redcoin/history')
  await c.remove('boss', '/api/admin/twitch/streams/1')
  await c.post('boss', '/api/admin/twitch/streams/1/restore')
}

async function signingIn({ c }: Scene): Promise<void> {
  const right = { username: keeperName, password: keeperPassword }
  await c.post('visitor', '/api/auth/local', { ...right, password: 'a wrong password' })
  await c.post('visitor', '/api/auth/local', { username: keeperName })
  const answer = await c.post('visitor', '/api/auth/local', right)
  c.cookies.set('keeper', String(answer.headers['set-cookie']).split(';')[0] ?? '')
  const path = '/api/admin/second-factor'
  await c.get('keeper', '/api/auth/me', path)
  await c.post('keeper', `${path}/enrol`)
  await c.post('keeper', `${path}/confirm`, { code: '000000' })
  await c.post('keeper', `${path}/confirm-session`, { code: '000000' })
  await c.post('keeper', `${path}/recovery-codes`, { code: '000000' })
  await c.post('keeper', `${path}/turn-off`, { code: '000000' })
  await c.post('boss', `${path}/enrol`)
  await c.get('visitor', '/api/auth/twitch', '/api/auth/twitch/callback?error=access_denied')
  await c.get('ben', '/api/auth/discord', '/api/auth/discord/callback?error=access_denied')
  await c.post('keeper', '/api/auth/logout')
  await c.get('keeper', '/api/auth/me')
  await c.get('visitor', '/api/auth/emergency-logout')
}

async function leaving({ c, id }: Scene): Promise<void> {
  await c.get('ben', '/api/user/export')
  await c.call('ben', 'DELETE', '/api/user', { body: { confirm: 'somebody' } })
  await c.call('ben', 'DELETE', '/api/user', { body: { confirm: 'ben' } })
  await c.get('ben', '/api/auth/me')
  await c.get('boss', `/api/admin/users/${id.ben}`, '/api/admin/users')
}
