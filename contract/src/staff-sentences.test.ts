// The sentences with which the requests of staff are refused, and the forms they may take.

import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import * as contract from './index.ts'

function domainError(
  schema: z.ZodMiniType,
  value: unknown,
): [path: string, message: string] | null {
  const issue = schema.safeParse(value).error?.issues[0]
  return issue === undefined ? null : [issue.path.join('.'), issue.message]
}

describe('a prize', () => {
  const prize = { name: 'Hoodie', packTypeIds: [1] }
  const said = (fields: object) =>
    domainError(contract.CreatePrizeRequest, { ...prize, ...fields })?.[1]

  it('needs a name', () => {
    expect(said({ name: ' ' })).toBe('Prize name is required')
    expect(domainError(contract.CreatePrizeRequest, {})).toEqual(['name', 'Prize name is required'])
  })

  it('has a RedCoin amount of at least 0', () => {
    expect(said({ redCoinAmount: -1 })).toBe('RedCoin amount must be 0 or greater')
    expect(said({ redCoinAmount: 0 })).toBeUndefined()
  })

  it('has a pack quantity of at least 0', () => {
    expect(said({ packQuantity: -1 })).toBe('Pack quantity must be 0 or greater')
    expect(said({ packQuantity: 0 })).toBeUndefined()
  })

  it('has a win frequency and total packs of at least 1', () => {
    expect(said({ winFrequency: 0 })).toBe('Win frequency must be at least 1')
    expect(said({ totalPacks: 0 })).toBe('Total packs must be at least 1')
    expect(said({ winFrequency: 1, totalPacks: 1 })).toBeUndefined()
  })

  it('has a stock of at least 0, or null', () => {
    expect(said({ inventoryQuantity: -1 })).toBe('Inventory quantity must be 0 or greater')
    expect(said({ inventoryQuantity: 0 })).toBeUndefined()
    expect(said({ inventoryQuantity: null })).toBeUndefined()
  })

  it('needs at least one pack type', () => {
    expect(said({ packTypeIds: [] })).toBe('Select at least one pack type')
    expect(said({ packTypeIds: undefined })).toBe('Select at least one pack type')
    expect(domainError(contract.UpdatePrizeRequest, { packTypeIds: [] })?.[1]).toBe(
      'Select at least one pack type',
    )
  })

  it('gets the defaults of the database and each pack type once', () => {
    expect(z.parse(contract.CreatePrizeRequest, { name: 'x', packTypeIds: ['2', 1, 2] })).toEqual({
      name: 'x',
      description: '',
      claimInstructions: '',
      redCoinAmount: 0,
      packTypeId: null,
      packQuantity: 0,
      winFrequency: 1,
      totalPacks: 100,
      inventoryQuantity: null,
      deadlineDays: null,
      countries: [],
      estimatedValue: null,
      questions: [],
      handlerId: null,
      deliversCodes: false,
      packTypeIds: [1, 2],
      imageData: null,
      imageType: null,
      isActive: true,
      isAlsoSent: false,
    })
  })

  it('keeps what a change does not name', () => {
    expect(z.parse(contract.UpdatePrizeRequest, { isActive: false })).toEqual({ isActive: false })
  })

  it('refuses an image type of 51 characters', () => {
    expect(said({ imageType: 'x'.repeat(50) })).toBeUndefined()
    expect(said({ imageType: 'x'.repeat(51) })).toBe('Image type must be 50 characters or less')
  })

  it('takes a new stock in each of its forms', () => {
    const stock = (body: object) => z.parse(contract.SetInventoryRequest, body).quantity
    expect(stock({ quantity: '7' })).toBe(7)
    expect(stock({ quantity: null })).toBeNull()
    expect(stock({ inventoryQuantity: 3 })).toBe(3)
    expect(stock({ unlimited: true })).toBeNull()
    expect(domainError(contract.SetInventoryRequest, {})?.[0]).toBe('quantity')
    expect(domainError(contract.AddInventoryRequest, { quantity: 0 })?.[1]).toBe(
      'Quantity must be at least 1',
    )
  })
})

describe('a pack type', () => {
  it('needs a name', () => {
    expect(domainError(contract.CreatePackTypeRequest, {})?.[1]).toBe('Pack type name is required')
  })

  it('turns colour names into hex, keeps hex and themes, and fills the default', () => {
    const color = (text?: string | null) =>
      z.parse(contract.CreatePackTypeRequest, { name: 'x', color: text }).color
    expect(color('red')).toBe('#EF4444')
    expect(color('Electric-Blue')).toBe('#0080FF')
    expect(color('#0af')).toBe('#0af')
    expect(color('#00AAff')).toBe('#00AAff')
    expect(color('twitch-purple')).toBe('twitch-purple')
    expect([color(), color(''), color(null)]).toEqual(['#8B5CF6', '#8B5CF6', '#8B5CF6'])
    for (const bad of ['blurple', '#12', '#12345678', 'constructor', 'red;']) {
      expect(domainError(contract.CreatePackTypeRequest, { name: 'x', color: bad })).toEqual([
        'color',
        'Invalid color',
      ])
    }
    expect(Object.keys(contract.colorNames)).toHaveLength(23)
  })

  it('leaves absent image keys absent and reads a blank address as none', () => {
    expect(z.parse(contract.UpdatePackTypeRequest, { name: 'x' })).toEqual({ name: 'x' })
    expect(z.parse(contract.UpdatePackTypeRequest, { imageUrl: '' })).toEqual({ imageUrl: null })
  })
})

describe('a store listing', () => {
  const listing = { packTypeId: 1, redCoinPrice: 10, quantityAvailable: 5 }
  const said = (fields: object) =>
    domainError(contract.CreateListingRequest, { ...listing, ...fields })?.[1]

  it('needs a pack type, a price, a quantity and an order', () => {
    expect(said({ packTypeId: 0 })).toBe('Pack type is required')
    expect(said({ redCoinPrice: 0 })).toBe('Price must be at least 1')
    expect(said({ quantityAvailable: -1 })).toBe('Quantity must be 0 or more')
    expect(said({ sortOrder: -1 })).toBe('Sort order must be 0 or higher')
    expect(said({})).toBeUndefined()
  })

  it('needs a quantity unless it is unlimited', () => {
    const required = 'Quantity is required when not unlimited'
    expect(said({ quantityAvailable: undefined })).toBe(required)
    expect(said({ quantityAvailable: null, isUnlimited: false })).toBe(required)
    expect(said({ quantityAvailable: undefined, isUnlimited: true })).toBeUndefined()
    expect(
      z.parse(contract.CreateListingRequest, { ...listing, quantityAvailable: null }),
    ).toMatchObject({ isUnlimited: true, quantityAvailable: 0 })
  })

  it('can be changed by its flag alone', () => {
    expect(z.parse(contract.UpdateListingRequest, { isActive: false })).toEqual({ isActive: false })
  })
})

describe('a grant', () => {
  const packs = (body: object) => domainError(contract.DistributePacksRequest, body)?.[1]
  const coins = (body: object) => domainError(contract.DistributeRedCoinRequest, body)?.[1]

  it('says the first failing rule in the order of the schema', () => {
    expect(packs({})).toBe('Please select a pack type')
    expect(packs({ packTypeId: 1 })).toBe('Usernames are required')
    expect(packs({ packTypeId: 1, usernames: ' , ', quantity: 0 })).toBe('Usernames are required')
    expect(coins({ amount: 0 })).toBe('Usernames are required')
  })

  it('gives at least 1 to names and to all', () => {
    for (const whom of [{ usernames: 'ana' }, { username: 'ana' }, { allUsers: true }]) {
      expect(packs({ packTypeId: 1, ...whom, quantity: 0 })).toBe('Quantity must be at least 1')
      expect(packs({ packTypeId: 1, ...whom, quantity: -1 })).toBe('Quantity must be at least 1')
      expect(coins({ ...whom, amount: -1 })).toBe('Amount must be at least 1')
      expect(coins({ ...whom, amount: 1 })).toBeUndefined()
    }
  })

  it('takes from one user by a negative number, never by 0', () => {
    expect(
      z.parse(contract.DistributePacksRequest, { packTypeId: '1', userId: '2', quantity: '-3' }),
    ).toEqual({
      packTypeId: 1,
      quantity: -3,
      description: '',
      recipients: { kind: 'user', userId: 2 },
    })
    expect(packs({ packTypeId: 1, userId: 2, quantity: 0 })).toBe('Quantity must be at least 1')
    expect(coins({ userId: 2, amount: 0 })).toBe('Amount must be at least 1')
  })

  it('reads names from a list or a text, each once', () => {
    const recipients = (whom: object) =>
      z.parse(contract.DistributeRedCoinRequest, { ...whom, amount: 1 }).recipients
    const both = { kind: 'usernames', usernames: ['ana', 'bo'] }
    expect(recipients({ usernames: ' ana,bo\r\nana\n' })).toEqual(both)
    expect(recipients({ usernames: ['ana', ' bo', 'ana'] })).toEqual(both)
    expect(recipients({ userId: null, username: 'ana' })).toEqual({
      kind: 'usernames',
      usernames: ['ana'],
    })
    expect(recipients({ allUsers: true })).toEqual({ kind: 'all' })
  })

  it('removes at least 1', () => {
    const remove = { userId: 1, packTypeId: 1, quantity: 0, amount: 0 }
    expect(domainError(contract.RemoveUserPacksRequest, remove)?.[1]).toBe(
      'Quantity must be at least 1',
    )
    expect(domainError(contract.RemoveUserRedCoinRequest, remove)?.[1]).toBe(
      'Amount must be at least 1',
    )
    expect(domainError(contract.BulkPacksRequest, {})?.[1]).toBe(
      'Please select a pack type and CSV file',
    )
  })
})

describe('the theme', () => {
  it('needs all eight colours', () => {
    const labels = {
      primaryColor: 'Primary',
      secondaryColor: 'Secondary',
      accentColor: 'Accent',
      backgroundPrimary: 'Background primary',
      backgroundSecondary: 'Background secondary',
      textPrimary: 'Text primary',
      textSecondary: 'Text secondary',
      borderColor: 'Border',
    }
    for (const [field, label] of Object.entries(labels)) {
      for (const value of [undefined, '', ' ', null]) {
        const theme = { ...contract.themeDefault, [field]: value }
        expect(domainError(contract.SaveThemeRequest, theme)).toEqual([
          field,
          `${label} color is required`,
        ])
      }
    }
    expect(z.parse(contract.SaveThemeRequest, contract.themeDefault)).toEqual(contract.themeDefault)
  })

  it('takes hex with 3, 6 or 8 digits and nothing that could break out of CSS', () => {
    const said = (accentColor: string) =>
      domainError(contract.SaveThemeRequest, { ...contract.themeDefault, accentColor })?.[1]
    for (const good of ['#abc', '#aabbcc', '#aabbccdd']) expect(said(good)).toBeUndefined()
    for (const bad of ['red', '#ab', '#abcd', '#fff;}', 'url(x)']) {
      expect(said(bad)).toBe('Accent color must be a hex color')
    }
  })
})
