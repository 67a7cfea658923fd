// The sentences with which the requests of players are refused, and the forms they may take.

import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { LocalSignInRequest } from './auth.ts'
import { ClaimsQuery } from './claims.ts'
import { LeaderboardQuery } from './coins.ts'
import { OpenPacksRequest } from './packs.ts'
import { PurchaseRequest } from './store.ts'
import { UpdateProfileRequest, UpdateWalletRequest } from './users.ts'
import { WatchRequest } from './watch.ts'

function domainError(
  schema: z.ZodMiniType,
  value: unknown,
): [path: string, message: string] | null {
  const issue = schema.safeParse(value).error?.issues[0]
  return issue === undefined ? null : [issue.path.join('.'), issue.message]
}

const wallet = '4Nd1mYQ2jDk8c4rT8mVnH5cSxHqGk1Z7pW3uJ6eFbKvR'

describe('opening packs', () => {
  it('asks for a pack type before it looks at the quantity', () => {
    expect(domainError(OpenPacksRequest, {})).toEqual(['packTypeId', 'Please select a pack type'])
    expect(domainError(OpenPacksRequest, { quantity: 99 })).toEqual([
      'packTypeId',
      'Please select a pack type',
    ])
  })

  it.each([[0], [51], [-1], [1.5], ['x'], [null], [undefined], [[5]], [true], ['']])(
    'refuses the quantity %j',
    (quantity) => {
      expect(domainError(OpenPacksRequest, { packTypeId: 1, quantity })).toEqual([
        'quantity',
        'Quantity must be between 1 and 50',
      ])
    },
  )

  it('takes 1 and 50, and the digits a form sends', () => {
    expect(z.parse(OpenPacksRequest, { packTypeId: '3', quantity: '50', extra: 1 })).toEqual({
      packTypeId: 3,
      quantity: 50,
    })
    expect(domainError(OpenPacksRequest, { packTypeId: 1, quantity: 1 })).toBeNull()
  })
})

describe('buying packs', () => {
  it.each([[0], [-3], [1.5], [''], [undefined]])('refuses the quantity %j', (quantity) => {
    expect(domainError(PurchaseRequest, { storePackListingId: 1, quantity })).toEqual([
      'quantity',
      'Please enter a quantity greater than 0.',
    ])
  })

  it('has no upper limit but that of a holding', () => {
    expect(domainError(PurchaseRequest, { storePackListingId: 1, quantity: 1_000_000 })).toBeNull()
    expect(domainError(PurchaseRequest, { storePackListingId: 1, quantity: 2 ** 31 })).toEqual([
      'quantity',
      'Quantity is too large',
    ])
  })
})

describe('the local sign-in', () => {
  it.each([
    [{}],
    [{ username: 'root' }],
    [{ password: 'x' }],
    [{ username: '', password: 'x' }],
    [{ username: 'root', password: '  ' }],
    [{ username: 5, password: 'x' }],
  ])('refuses %j', (body) => {
    expect(domainError(LocalSignInRequest, body)?.[1]).toBe('Username and password are required')
  })

  it('keeps white space around a password', () => {
    const body = { username: 'root', password: ' secret ' }
    expect(z.parse(LocalSignInRequest, body)).toEqual(body)
  })
})

describe('the profile', () => {
  it('leaves absent fields alone and drops the rest', () => {
    expect(z.parse(UpdateProfileRequest, {})).toEqual({})
    expect(z.parse(UpdateProfileRequest, { role: 'admin', redCoinBalance: 9 })).toEqual({})
  })

  it('needs a display name of at most 50 characters', () => {
    const required = ['displayName', 'Display name is required']
    expect(domainError(UpdateProfileRequest, { displayName: '' })).toEqual(required)
    expect(domainError(UpdateProfileRequest, { displayName: '   ' })).toEqual(required)
    expect(domainError(UpdateProfileRequest, { displayName: null })).toEqual(required)
    expect(domainError(UpdateProfileRequest, { displayName: '😀'.repeat(50) })).toBeNull()
    expect(domainError(UpdateProfileRequest, { displayName: 'a'.repeat(51) })).toEqual([
      'displayName',
      'Display name must be 50 characters or less',
    ])
  })

  it('takes a valid email address or none', () => {
    expect(z.parse(UpdateProfileRequest, { email: '' })).toEqual({ email: null })
    expect(z.parse(UpdateProfileRequest, { email: ' a@b.example ' })).toEqual({
      email: 'a@b.example',
    })
    expect(domainError(UpdateProfileRequest, { email: 'abc' })).toEqual(['email', 'Invalid email'])
  })

  it('takes a bio of 500 characters and refuses one of 501', () => {
    expect(domainError(UpdateProfileRequest, { bio: 'b'.repeat(500) })).toBeNull()
    expect(domainError(UpdateProfileRequest, { bio: 'b'.repeat(501) })).toEqual([
      'bio',
      'Bio must be less than 500 characters',
    ])
  })

  it('reads "", "none" and null as no choice', () => {
    for (const value of ['', 'none', null]) {
      const body = { country: value, timezone: value, solanaWallet: value }
      expect(z.parse(UpdateProfileRequest, body)).toEqual({
        country: null,
        timezone: null,
        solanaWallet: null,
      })
    }
  })

  it('holds the wallet to the same format as the wallet call', () => {
    expect(domainError(UpdateProfileRequest, { solanaWallet: 'abc' })).toEqual([
      'solanaWallet',
      'Please enter a valid Solana wallet address format.',
    ])
  })

  it('names a refused notification with a dotted path', () => {
    expect(domainError(UpdateProfileRequest, { notifications: { email: 'maybe' } })?.[0]).toBe(
      'notifications.email',
    )
    expect(z.parse(UpdateProfileRequest, { notifications: { prizes: false } })).toEqual({
      notifications: { prizes: false },
    })
  })
})

describe('the wallet', () => {
  it('is cleared by null alone', () => {
    expect(z.parse(UpdateWalletRequest, { walletAddress: null })).toEqual({ walletAddress: null })
    for (const body of [{}, { walletAddress: '' }, { walletAddress: ' ' }]) {
      expect(domainError(UpdateWalletRequest, body)).toEqual([
        'walletAddress',
        'Please enter a valid Solana wallet address.',
      ])
    }
  })

  it.each([
    ['1'.repeat(31)],
    ['1'.repeat(45)],
    [`0${'1'.repeat(35)}`],
    [`O${'1'.repeat(35)}`],
    [`I${'1'.repeat(35)}`],
    [`l${'1'.repeat(35)}`],
  ])('refuses %s', (walletAddress) => {
    expect(domainError(UpdateWalletRequest, { walletAddress })).toEqual([
      'walletAddress',
      'Please enter a valid Solana wallet address format.',
    ])
  })

  it('takes an address and trims it', () => {
    expect(z.parse(UpdateWalletRequest, { walletAddress: ` ${wallet} ` })).toEqual({
      walletAddress: wallet,
    })
  })
})

describe('queries', () => {
  it('fall back to their defaults', () => {
    expect(z.parse(ClaimsQuery, {})).toEqual({ page: 1, limit: 25, filter: 'physical' })
    expect(z.parse(ClaimsQuery, { page: '0', limit: '101', filter: 'x' })).toEqual({
      page: 1,
      limit: 25,
      filter: 'physical',
    })
    expect(z.parse(ClaimsQuery, { page: '2', limit: '10', filter: 'redcoin' })).toEqual({
      page: 2,
      limit: 10,
      filter: 'redcoin',
    })
  })

  it('honour any leaderboard limit from 1 to 10000', () => {
    const limits = ['1', '53', '10000', '0', '10001', 'x', undefined]
    expect(limits.map((limit) => z.parse(LeaderboardQuery, { limit }).limit)).toEqual([
      1, 53, 10_000, 50, 50, 50, 50,
    ])
  })
})

describe('an opening', () => {
  it.each(['entropy', 'commitment', 'oddsHash'])('takes %s of 64 lower-case hex digits', (key) => {
    const order = { packTypeId: 1, quantity: 1 }
    expect(domainError(OpenPacksRequest, { ...order, [key]: 'a0'.repeat(32) })).toBeNull()
    for (const wrong of ['', 'a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), 'g'.repeat(64), 5]) {
      expect(domainError(OpenPacksRequest, { ...order, [key]: wrong })?.[0]).toBe(key)
    }
  })
})

describe('watching', () => {
  it('needs a stream and its session', () => {
    expect(domainError(WatchRequest, {})).toEqual(['streamId', 'Please select a stream'])
    expect(domainError(WatchRequest, { streamId: 1 })).toEqual([
      'streamSessionId',
      'Stream session is required',
    ])
    expect(z.parse(WatchRequest, { streamId: '1', streamSessionId: '42' })).toEqual({
      streamId: 1,
      streamSessionId: '42',
    })
  })
})
