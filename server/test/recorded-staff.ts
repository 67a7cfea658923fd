// What staff do in the recorded story, room by room.

import { csvForm } from './csv-form.ts'
import { formBody } from './forms.ts'
import type { Scene } from './recorded-callers.ts'

export async function packTypes({ c }: Scene): Promise<void> {
  const path = '/api/admin/pack-types'
  await c.post('boss', path, { name: 'Gold', color: '#FFD700', icon: 'crown' })
  await c.post('boss', path, {
    name: 'Iron',
    description: 'Cold',
    imageUrl: 'https://i.test/a.png',
  })
  await c.post('boss', path, { name: '' })
  await c.post('boss', path, { name: 'Loud', color: 'nonsense' })
  const form = formBody([
    { name: 'name', value: 'Bonus' },
    { name: 'description', value: 'From a form' },
  ])
  await c.call('boss', 'POST', path, form)
  await c.put('boss', `${path}/2`, { name: 'Iron II', icon: null })
  await c.put('boss', `${path}/99`, { name: 'Nobody' })
  await c.put('boss', `${path}/x`, { name: 'Nobody' })
  await c.remove('boss', `${path}/3`)
  await c.remove('boss', `${path}/3`)
  await c.post('boss', `${path}/3/restore`)
  await c.post('boss', `${path}/3/restore`)
  await c.get('boss', path, `${path}/2/image`, `${path}/99/image`)
  await c.call('boss', 'POST', '/api/upload/image', formBody([{ name: 'other', value: 'x' }]))
  const text = [{ name: 'image', value: 'no picture', fileName: 'a.png', type: 'image/png' }]
  await c.call('boss', 'POST', '/api/upload/image', formBody(text))
  await c.get('ana', '/api/packs/types', '/api/pack-types')
}

export async function prizes({ c }: Scene): Promise<void> {
  const path = '/api/admin/prizes'
  const mug = {
    ...{ name: 'Mug', description: 'For tea', claimInstructions: 'Write to us', packTypeIds: [1] },
    ...{ winFrequency: 1, totalPacks: 4, inventoryQuantity: 5 },
  }
  await c.post('boss', path, mug, 'mug')
  await c.post('boss', path, mug, 'mug')
  await c.post('boss', path, { ...mug, name: 'Cup' }, 'mug')
  await c.post('boss', path, {
    name: 'Coins',
    redCoinAmount: '25',
    totalPacks: 3,
    packTypeIds: [1, 2],
  })
  const more = { packTypeId: 2, packQuantity: 2, packTypeIds: [1], totalPacks: 4 }
  await c.post('boss', path, { name: 'Packs', ...more })
  await c.post('boss', path, { ...mug, packTypeIds: [99] })
  await c.post('boss', path, { name: 'Nothing', packTypeIds: [], winFrequency: 0 })
  await c.put('boss', `${path}/1`, { description: 'For coffee', winFrequency: 1 }, 'coffee')
  await c.put('boss', `${path}/1`, { description: 'For coffee', winFrequency: 1 }, 'coffee')
  await c.put('boss', `${path}/1`, { inventoryQuantity: 4, packTypeIds: [1, 3] })
  await c.put('boss', `${path}/99`, { name: 'Nobody' })
  await c.post('boss', `${path}/1/add-inventory`, { quantity: 3 }, 'three')
  await c.post('boss', `${path}/1/add-inventory`, { quantity: 3 }, 'three')
  await c.post('boss', `${path}/1/add-inventory`, { quantity: 4 }, 'three')
  await c.post('boss', `${path}/1/add-inventory`, { quantity: 0 })
  await c.post('boss', `${path}/2/add-inventory`, { quantity: 1 })
  await c.post('boss', `${path}/99/add-inventory`, { quantity: 1 })
  await c.post('boss', `${path}/1/set-inventory`, { quantity: 6 }, 'six')
  await c.post('boss', `${path}/1/set-inventory`, { quantity: 6 }, 'six')
  await c.post('boss', `${path}/2/set-inventory`, { inventoryQuantity: 9 })
  await c.post('boss', `${path}/2/set-inventory`, { unlimited: true })
  await c.post('boss', `${path}/2/set-inventory`, {})
  await c.remove('boss', `${path}/3`)
  await c.remove('boss', `${path}/3`)
  await c.post('boss', `${path}/3/restore`)
  await c.post('boss', `${path}/3/restore`)
  await c.post('boss', `${path}/1/add-inventory`, { quantity: 1 }, 'k'.repeat(256))
  await c.get('boss', path)
}

export async function listings({ c }: Scene): Promise<void> {
  const path = '/api/admin/store/listings'
  await c.post('boss', path, { packTypeId: 1, redCoinPrice: 10, quantityAvailable: 7 }, 'gold')
  await c.post('boss', path, { packTypeId: 1, redCoinPrice: 10, quantityAvailable: 7 }, 'gold')
  await c.post('boss', path, { packTypeId: 1, redCoinPrice: 11, quantityAvailable: 7 }, 'gold')
  await c.post('boss', path, { packTypeId: 2, redCoinPrice: 3, isUnlimited: true, sortOrder: 2 })
  await c.post('boss', path, { packTypeId: 99, redCoinPrice: 3, isUnlimited: true })
  await c.post('boss', path, { packTypeId: 1, redCoinPrice: 0 })
  await c.put('boss', `${path}/1`, { redCoinPrice: 12, customImage: 'https://i.test/l.png' }, 'up')
  await c.put('boss', `${path}/1`, { redCoinPrice: 12, customImage: 'https://i.test/l.png' }, 'up')
  await c.put('boss', `${path}/1`, { isActive: false })
  await c.put('boss', `${path}/1`, { isActive: true, quantityAvailable: 9 })
  await c.put('boss', `${path}/99`, { redCoinPrice: 12 })
  await c.remove('boss', `${path}/2`)
  await c.remove('boss', `${path}/2`)
  await c.post('boss', `${path}/2/restore`)
  await c.post('boss', `${path}/2/restore`)
  await c.get('boss', path)
  await c.get('ana', '/api/store/listings')
}

export async function settings({ c }: Scene): Promise<void> {
  const theme = {
    ...{ primaryColor: '#8b5cf6', secondaryColor: '#112233', accentColor: '#ABCDEF' },
    ...{ backgroundPrimary: '#000000', backgroundSecondary: '#111111', textPrimary: '#ffffff' },
    ...{ textSecondary: '#cccccc', borderColor: '#333333' },
  }
  await c.post('boss', '/api/admin/settings/theme', theme)
  await c.post('boss', '/api/admin/settings/theme', { ...theme, accentColor: 'blue' })
  await c.get('boss', '/api/admin/settings/theme')
  await c.get('visitor', '/api/settings/theme')
  await c.put('boss', '/api/admin/settings/economy', { consolationRedCoin: 7 })
  await c.put('boss', '/api/admin/settings/economy', { consolationRedCoin: -1 })
  await c.get('boss', '/api/admin/settings/economy', '/api/admin/powers')
}

export async function grants({ c, id }: Scene): Promise<void> {
  const [packs, coins] = ['/api/admin/distribute-packs', '/api/admin/distribute-redcoin']
  const toBen = { packTypeId: 1, userId: id.ben, quantity: 2, description: 'A present' }
  await c.post('boss', packs, toBen, 'ben')
  await c.post('boss', packs, toBen, 'ben')
  await c.post('boss', packs, { ...toBen, quantity: 3 }, 'ben')
  await c.post('boss', packs, { ...toBen, quantity: -1 })
  await c.post('boss', packs, { packTypeId: 2, usernames: 'ben, cleo, nobody', quantity: 1 })
  await c.post('boss', packs, { packTypeId: 2, usernames: ['nobody'], quantity: 1 })
  await c.post('boss', packs, { packTypeId: 99, allUsers: true, quantity: 1 })
  await c.post('boss', packs, { packTypeId: 1, allUsers: true, quantity: 1 }, 'all')
  await c.post('boss', packs, { packTypeId: 1, quantity: 1 })
  await c.post('boss', packs, { ...toBen, quantity: 2_147_483_647 })
  await c.post('boss', coins, { userId: id.ben, amount: 40 }, 'coins')
  await c.post('boss', coins, { userId: id.ben, amount: 40 }, 'coins')
  await c.post('boss', coins, { userId: 999, amount: 40 })
  await c.post('boss', coins, { userId: id.ben, amount: -15, description: 'A correction' })
  await c.post('boss', coins, { allUsers: true, amount: 1 })
  await c.post('boss', coins, { usernames: 'cleo', amount: 0 })
  const some = { userId: id.ben, packTypeId: 1, quantity: 1 }
  await c.post('boss', '/api/admin/remove-user-packs', some, 'take')
  await c.post('boss', '/api/admin/remove-user-packs', some, 'take')
  await c.post('boss', '/api/admin/remove-user-packs', { ...some, userId: 999 })
  await c.post('boss', '/api/admin/remove-user-redcoin', { userId: id.cleo, amount: 500 }, 'take')
  await c.post('boss', '/api/admin/remove-user-redcoin', { userId: id.cleo, amount: 500 }, 'take')
  await c.get('boss', '/api/admin/grants/reach')
}

export async function batches({ c }: Scene): Promise<void> {
  const [packs, coins] = ['/api/admin/bulk-distribute-packs', '/api/admin/bulk-distribute-redcoin']
  const file = (text: string | undefined, fields: Record<string, string> = {}) => {
    const { payload: body, headers } = csvForm(text, { fields })
    return { body, headers }
  }
  const packFile = file('username,quantity\nana,2\nben,1\nnobody,3\n', { packTypeId: '1' })
  const coinFile = file('username,amount\nana,20\ncleo,x\n')
  const preview = file('username,amount\nana,20\ncleo,x\n', { kind: 'redcoin' })
  await c.call('boss', 'POST', '/api/admin/batches/preview', preview)
  const applied = await c.call('boss', 'POST', packs, { ...packFile, key: 'file' })
  await c.call('boss', 'POST', packs, { ...packFile, key: 'file' })
  await c.call('boss', 'POST', '/api/admin/bulk-distribute', packFile)
  await c.call('boss', 'POST', packs, { ...coinFile, key: 'file' })
  await c.call('boss', 'POST', packs, file(undefined, { packTypeId: '1' }))
  await c.call('boss', 'POST', coins, coinFile)
  await c.call('boss', 'POST', coins, file('username,amount\nnobody,1\n'))
  await c.call('boss', 'POST', coins, file('nothing\n'))
  const { batchId } = applied.json<{ batchId: string }>()
  const path = '/api/admin/batches'
  await c.get('boss', path, `${path}/${batchId}`, `${path}/${batchId}/receipt.csv`)
  await c.post('ana', '/api/packs/open', { packTypeId: 1, quantity: 2 })
  await c.post('boss', `${path}/${batchId}/reverse`, undefined, 'back')
  await c.post('boss', `${path}/${batchId}/reverse`, undefined, 'back')
  await c.post('boss', `${path}/${batchId}/reverse`)
  await c.post('boss', `${path}/00000000-0000-4000-8000-000000000000/reverse`)
  await c.get('boss', `${path}?limit=2`)
}

export async function streams({ c }: Scene): Promise<void> {
  const path = '/api/admin/twitch/streams'
  const partner = {
    ...{ displayName: 'Partner', channelName: 'partner', twitchChannelId: '77' },
    ...{ completionMessage: 'Thank you', watchTimeRequired: 1, rewardRedCoinAmount: 12 },
    packRewards: [{ packTypeId: 1, quantity: 2 }],
  }
  await c.post('boss', path, partner)
  await c.post('boss', path, partner)
  await c.post('boss', path, {
    ...partner,
    twitchChannelId: '78',
    packRewards: [{ packTypeId: 99 }],
  })
  await c.post('boss', path, { ...partner, completionMessage: '' })
  const second = {
    ...partner,
    displayName: 'Second',
    twitchChannelId: '79',
    packRewards: undefined,
  }
  const made = await c.post('boss', '/api/admin/streams', {
    ...second,
    rewards: [{ redCoinAmount: 3 }],
  })
  const { id } = made.json<{ id: number }>()
  await c.put('boss', `${path}/${id}`, { displayName: 'Second I', watchTimeRequiredSeconds: 90 })
  await c.put('boss', `/api/admin/streams/${id}`, { twitchChannelId: '77' })
  await c.put('boss', `${path}/99`, { displayName: 'Nobody' })
  await c.put('boss', `${path}/${id}/toggle`, {})
  await c.put('boss', `${path}/${id}/toggle`, { isActive: true })
  await c.put('boss', `${path}/99/toggle`, {})
  await c.post('boss', `${path}/1/live`, { isLive: true, currentStreamId: 'b1' })
  await c.post('boss', `${path}/99/live`, { isLive: true })
  await c.remove('boss', `${path}/${id}`)
  await c.remove('boss', `${path}/${id}`)
  await c.post('boss', `${path}/${id}/restore`)
  await c.post('boss', `${path}/${id}/restore`)
  await c.get('boss', path, `${path}/1/rewards`, `${path}/99/rewards`)
}

export async function people({ c, id }: Scene): Promise<void> {
  const path = '/api/admin/users'
  await c.put('boss', `${path}/${id.cleo}/role`, { role: 'admin' })
  await c.put('boss', `${path}/${id.cleo}/role`, { role: 'user' })
  await c.put('boss', `${path}/${id.cleo}/role`, { role: 'king' })
  await c.put('boss', `${path}/999/role`, { role: 'admin' })
  await c.put('boss', `${path}/${id.ben}/earning-block`, { isBlocked: true, reason: 'Too many' })
  await c.put('boss', `${path}/${id.ben}/earning-block`, { isBlocked: true, reason: 'Still' })
  await c.put('boss', `${path}/${id.ben}/earning-block`, { isBlocked: false })
  await c.put('boss', `${path}/999/earning-block`, { isBlocked: true })
  await c.post('boss', `${path}/${id.ben}/notes`, { body: 'A careful person' })
  await c.post('boss', `${path}/${id.ben}/notes`, { body: ' ' })
  await c.post('boss', `${path}/999/notes`, { body: 'Nobody' })
  await c.get('boss', `${path}/${id.ben}/notes`, `${path}/${id.ben}`, `${path}/${id.ana}`)
  await c.remove('boss', '/api/admin/notes/1')
  await c.remove('boss', '/api/admin/notes/1')
  await c.get('boss', path, `${path}?page=1&limit=2&sort=-redCoinBalance`, `${path}.csv`)
  await c.get('boss', `${path}/${id.ana}/prizes`, `${path}/999/prizes`, '/api/test/admin-users')
}

export async function bots({ c, stage }: Scene): Promise<void> {
  const twitch = '/api/admin/twitch/bot-credentials'
  const made = await stage.control('twitch/bot-token', { login: 'redbot' })
  const form = {
    ...{ botUsername: made['login'], botUserId: made['userId'], clientId: made['clientId'] },
    ...{ accessToken: made['accessToken'], refreshToken: made['refreshToken'] },
  }
  await c.get('boss', twitch)
  await c.post('boss', twitch, form)
  await c.post('boss', twitch, { ...form, accessToken: 'not a token' })
  await c.post('boss', twitch, { ...form, botUsername: '' })
  await c.get('boss', twitch)
  await c.remove('boss', twitch)
  await c.remove('boss', twitch)
  const servers = '/api/admin/discord/servers'
  const ours = {
    ...{ serverName: 'Server', serverId: '910000000000000001', channelName: 'rewards' },
    channelId: '910000000000000002',
  }
  await c.post('boss', servers, ours)
  await c.post('boss', servers, ours)
  await c.post('boss', servers, { ...ours, channelId: '' })
  await c.get('boss', servers)
  await c.post('boss', '/api/admin/discord/test-claim', { channelId: ours.channelId })
  await c.post('boss', '/api/admin/discord/test-claim', { channelId: '1' })
  await c.remove('boss', `${servers}/1`)
  await c.remove('boss', `${servers}/1`)
  const settingsPath = '/api/admin/discord/bot-settings'
  await c.get('boss', settingsPath)
  await c.put('boss', settingsPath, { rewardAmount: 30, postSchedule: [6, 18] })
  await c.put('boss', settingsPath, { isActive: false })
  await c.put('boss', settingsPath, { postSchedule: [25] })
  await c.get('boss', settingsPath)
}

export async function overviews({ c }: Scene): Promise<void> {
  const draft = {
    ...{ prizeId: 1, name: 'Mug', winFrequency: 2, totalPacks: 3, packTypeIds: [1] },
    inventoryQuantity: 4,
  }
  const price = { packTypeId: 1, redCoinPrice: 9 }
  await c.get('boss', '/api/admin/economy/packs', '/api/admin/economy/stock')
  await c.get('boss', '/api/admin/economy/flow?days=30', '/api/admin/economy/books')
  await c.post('boss', '/api/admin/economy/preview', { prize: draft, price })
  await c.post('boss', '/api/admin/economy/preview', { price: { ...price, packTypeId: 99 } })
  await c.post('boss', '/api/admin/economy/simulations', { packTypeId: 99, openings: 10 })
  await c.get('boss', '/api/admin/audit', '/api/admin/audit?limit=200', '/api/admin/audit.csv')
  await c.get('boss', '/api/admin/audit?action=prize.update&page=1&limit=2', '/api/admin/jobs')
  await c.get('boss', '/api/admin/stats', '/api/admin/settings/economy')
}

export async function forEverybody({ c }: Scene): Promise<void> {
  await c.post('boss', '/api/admin/reset-pack-openings')
  await c.post('root', '/api/admin/remove-all-redcoin', undefined, 'all')
  await c.post('root', '/api/admin/remove-all-redcoin', undefined, 'all')
  await c.post('root', '/api/admin/remove-all-packs', undefined, 'all')
  await c.post('root', '/api/admin/remove-all-packs', undefined, 'all')
  await c.post('root', '/api/admin/reset-pack-openings')
  await c.get('ana', '/api/user/stats', '/api/user/openings', '/api/auth/me', '/api/user/packs')
  await c.get('root', '/api/admin/audit?limit=10', '/api/redcoin/leaderboard')
}
