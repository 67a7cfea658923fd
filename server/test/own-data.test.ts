// What a player asks for is their own, and what they do touches nobody else: every call of players.

import { allEndpoints } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, useTestDeps } from './deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
let gold: number
let ana: Person
let ben: Person
const bensWallet = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

/** What players read without naming anything; the ranking shows its neighbours to everybody. */
const reads = allEndpoints.filter(
  ({ method, access, path }) =>
    method === 'GET' && access === 'viewer' && !path.includes('{') && !path.includes('leaderboard'),
)

beforeEach(async () => {
  gold = await t.packType('Gold')
  await t.prize('Hoodie', { packTypeIds: [gold], totalPacks: 1 })
  ana = await t.person('ana', { coins: 500, packs: { [gold]: 5 } })
  ben = await t.person('ben', { coins: 777, packs: { [gold]: 9 } })
  await ben.send('PUT', '/api/user/profile', { bio: 'I am Ben', displayName: 'Benedict' })
  await ben.send('PUT', '/api/user/wallet', { walletAddress: bensWallet })
  await ben.open(gold, 2)
})

async function allReads(person: Person): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {}
  for (const { path } of reads) {
    const answer = await person.get(path)
    // An export says when it was made.
    const body = answer.body.replace(/"exportedAt":"[^"]+"/, '')
    answers[path] = [answer.statusCode, body]
  }
  return answers
}

describe('a call of a player', () => {
  it('reads nothing of somebody else', async () => {
    const [claim] = (await ben.read('/api/user/prize-claims/paginated')).claims
    const chain = await ben.read('/api/fairness')
    const secrets = [...[bensWallet, 'I am Ben', 'Benedict', claim.claimId, chain.commitment]]
    const own = JSON.stringify(await allReads(ben))
    for (const secret of secrets) expect(own).toContain(secret)
    for (const [path, answer] of Object.entries(await allReads(ana))) {
      const text = JSON.stringify(answer)
      for (const secret of secrets) expect([path, text.includes(secret)]).toEqual([path, false])
    }
  })

  it('changes nothing of somebody else, whatever it names', async () => {
    const before = await allReads(ben)
    const claim = (await ben.read('/api/user/prize-claims/paginated')).claims[0]
    const named = { id: ben.id, userId: ben.id, user_id: ben.id, username: 'ben' }
    for (const [method, path, body] of [
      ['PUT', '/api/user/profile', { bio: 'Mine', displayName: 'Ana' }],
      ['PUT', '/api/user/wallet', { walletAddress: null }],
      ['POST', '/api/packs/open', { packTypeId: gold, quantity: 3 }],
    ] as const) {
      const plain = await ana.send(method, path, body)
      expect([path, plain.statusCode]).toEqual([path, 200])
      await ana.send(method, path, { ...body, ...named, claimId: claim.claimId })
    }
    expect(await allReads(ben)).toEqual(before)
    expect(await ana.read('/api/user/profile')).toMatchObject({ bio: 'Mine' })
  })
})
