import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, useTestDeps } from '../../../test/deps.ts'

const deps = useTestDeps()
const path = '/api/user/prize-claims/paginated'

async function claim(
  userId: number,
  prizeId: number,
  more: { claimId?: string | null; status?: string; isRemoved?: boolean } = {},
): Promise<number> {
  const claimId = more.claimId === undefined ? `PR-${deps.deps.random.uuid()}` : more.claimId
  const rows = await deps.rows<{ id: number }>(
    `INSERT INTO prize_claims (user_id, prize_id, claim_id, status, deleted_at, prize_name,
       prize_description, red_coin_amount, pack_quantity, image_hash)
     SELECT $1, id, $3, $4, $5, name, description, red_coin_amount, 0, image_hash
     FROM prizes WHERE id = $2
     RETURNING id`,
    [userId, prizeId, claimId, more.status ?? 'pending', more.isRemoved ? deps.clock.now() : null],
  )
  return rows[0]!.id
}

let ana: Person
let hoodie: number
let coins: number

beforeEach(async () => {
  ana = await deps.person('ana')
  const packTypeIds = [await deps.packType('Gold')]
  hoodie = await deps.prize('Hoodie', { packTypeIds, claimInstructions: 'Send us your size' })
  coins = await deps.prize('Coins', { packTypeIds, redCoinAmount: 250 })
})

const idsOf = (claims: readonly { id: number }[]) => claims.map(({ id }) => id)

describe('GET /api/user/prize-claims/paginated', () => {
  it('answers claims with every field', async () => {
    await deps.rows('UPDATE prizes SET image_hash = $1', [await deps.image('QUJD')])
    const id = await claim(ana.id, hoodie, { claimId: 'PR-ABCDEFGH', status: 'processing' })
    await deps.rows(`UPDATE prize_claims SET updated_at = updated_at + interval '1 day'`)
    const createdAt = (await deps.value<Date>('SELECT created_at FROM prize_claims')).toISOString()
    const answer = await ana.get(`${path}?page=1&limit=25&filter=physical`)
    expect(answer.statusCode).toBe(200)
    const { claims, pagination } = answer.json()
    expect(claims).toEqual([
      {
        id,
        claimId: 'PR-ABCDEFGH',
        status: 'processing',
        createdAt,
        prize: {
          id: hoodie,
          name: 'Hoodie',
          description: 'About Hoodie',
          imageData: 'QUJD',
          imageType: 'image/png',
          imageUrl: null,
          redCoinAmount: 0,
          claimInstructions: 'Send us your size',
        },
        timeline: [{ kind: 'created', status: null, at: createdAt }],
        shipment: null,
      },
    ])
    expect(pagination).toEqual({
      totalItems: 1,
      totalPages: 1,
      hasPreviousPage: false,
      hasNextPage: false,
      page: 1,
      limit: 25,
    })
  })

  it('gives the number of a claim that has no Claim ID', async () => {
    const id = await claim(ana.id, hoodie, { claimId: null })
    expect((await ana.read(path)).claims[0].claimId).toBe(`PR-${id}`)
  })

  it('filters physical prizes by default, or RedCoin prizes', async () => {
    const physical = { id: await claim(ana.id, hoodie), prize: { redCoinAmount: 0 } }
    const id = await claim(ana.id, coins, { status: 'completed' })
    const paid = { id, status: 'completed', prize: { redCoinAmount: 250 } }
    for (const [query, shown] of [
      ['', physical],
      ['?filter=physical', physical],
      ['?filter=everything', physical],
      ['?filter=redcoin', paid],
    ] as const) {
      const { claims, pagination } = await ana.read(`${path}${query}`)
      expect(claims).toMatchObject([shown])
      expect(pagination.totalItems).toBe(1)
    }
  })

  it('pages newest first, 25 at a time, and is empty past the end', async () => {
    const ids: number[] = []
    for (let i = 0; i < 26; i += 1) ids.unshift(await claim(ana.id, hoodie))
    const first = await ana.read(path)
    expect(idsOf(first.claims)).toEqual(ids.slice(0, 25))
    expect(first.pagination).toEqual({
      totalItems: 26,
      totalPages: 2,
      hasPreviousPage: false,
      hasNextPage: true,
      page: 1,
      limit: 25,
    })
    const second = await ana.read(`${path}?page=2&limit=25`)
    expect(idsOf(second.claims)).toEqual(ids.slice(25))
    expect(second.pagination).toMatchObject({ hasPreviousPage: true, hasNextPage: false })
    const past = await ana.read(`${path}?page=1000000`)
    expect(past.claims).toEqual([])
    expect(past.pagination).toMatchObject({ totalItems: 26, totalPages: 2, hasNextPage: false })
  })

  it('falls back to page 1 and 25 for values that are none, and takes at most 100', async () => {
    for (const query of ['?page=0&limit=0', '?page=x&limit=x', '?page=-1&limit=101', '?page=1.5']) {
      const answer = await ana.get(`${path}${query}`)
      expect(answer.statusCode).toBe(200)
      expect(answer.json().pagination).toMatchObject({ page: 1, limit: 25, totalPages: 0 })
    }
    expect((await ana.read(`${path}?limit=100`)).pagination.limit).toBe(100)
  })

  it('hides removed claims and those of others', async () => {
    const ben = await deps.person('ben')
    await claim(ana.id, hoodie, { isRemoved: true })
    const own = await claim(ana.id, hoodie)
    await claim(ben.id, hoodie)
    const { claims, pagination } = await ana.read(`${path}?userId=${ben.id}`)
    expect(idsOf(claims)).toEqual([own])
    expect(pagination.totalItems).toBe(1)
  })
})
