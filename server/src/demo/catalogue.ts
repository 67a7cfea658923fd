// The demo content of an empty sandbox: packs, prizes, store, streams. Plain data, no database.

import type { DeliveryQuestion, EstimatedValue } from '@redpack/contract/delivery-rules'

export type DemoPackKey = (typeof demoPackTypes)[number]['key']

export interface DemoPrize {
  readonly name: string
  readonly description: string
  readonly claimInstructions: string
  /** The chance is `winFrequency / totalPacks`, the same in every pack type of `packTypes`. */
  readonly winFrequency: number
  readonly totalPacks: number
  /** RedCoin paid at once, 0 for a prize that is not RedCoin. */
  readonly redCoinAmount: number
  /** Packs added to the winner's holding, null when the prize is something else. */
  readonly packReward: { readonly packType: DemoPackKey; readonly quantity: number } | null
  /** Pieces left, null for unlimited. */
  readonly inventoryQuantity: number | null
  readonly packTypes: readonly DemoPackKey[]
  /** A WebP image in `server/assets/demo`, 240 by 240 pixels. */
  readonly artFile: string
  readonly deadlineDays: number | null
  readonly countries: string[]
  readonly estimatedValue: EstimatedValue | null
  readonly questions: DeliveryQuestion[]
  /** The local account ships it, so that whoever looks as staff finds something of their own. */
  readonly isForKeeper?: true
  /** What its winners get: a code each, while there are some. */
  readonly codes?: readonly string[]
}

export type DemoStream = (typeof demoStreams)[number]

/** A colour is a hex colour, or one of the theme names that are stored as they are. */
export const demoPackTypes = [
  {
    key: 'starter',
    name: 'Starter Pack',
    description: 'Coins, stickers and surprises.',
    color: '#0080FF',
    icon: 'cube',
    imageUrl: '/art/pack-starter.svg',
  },
  {
    key: 'lucky',
    name: 'Lucky Pack',
    description: 'Four packs in five win something.',
    color: '#F43F5E',
    icon: 'dice',
    imageUrl: '/art/pack-lucky.svg',
  },
  {
    key: 'crown',
    name: 'Crown Pack',
    description: 'Mugs, keycaps and RedCoin.',
    color: 'gaming-orange',
    icon: 'crown',
    imageUrl: '/art/pack-crown.svg',
  },
  {
    key: 'nebula',
    name: 'Nebula Pack',
    description: 'Hoodies, coins and vault keys.',
    color: 'twitch-purple',
    icon: 'gem',
    imageUrl: '/art/pack-nebula.svg',
  },
  {
    key: 'vault',
    name: 'Vault Pack',
    description: 'Rarely opened, worth the wait.',
    color: '#10B981',
    icon: 'box',
    imageUrl: '/art/pack-vault.svg',
  },
] as const

const instantly = 'Nothing to do: the RedCoin is already in your balance.'
const packsAdded = 'Nothing to do: the pack is already in your inventory. Have fun opening it!'
const posted = 'Tell us in My Prizes where to send it: it leaves within two working days.'

type Chance = readonly [wins: number, packs: number]

/** Something to hold in your hands that never runs out, unless `more` says otherwise. */
function prize(
  name: string,
  description: string,
  [winFrequency, totalPacks]: Chance,
  packTypes: readonly DemoPackKey[],
  artFile: string,
  more: Partial<DemoPrize> = {},
): DemoPrize {
  return {
    name,
    description,
    claimInstructions: posted,
    winFrequency,
    totalPacks,
    redCoinAmount: 0,
    packReward: null,
    inventoryQuantity: null,
    packTypes,
    artFile,
    deadlineDays: null,
    countries: [],
    estimatedValue: null,
    questions: [],
    ...more,
  }
}

/** A prize that pays RedCoin at once. */
function coins(
  name: string,
  redCoinAmount: number,
  chance: Chance,
  packTypes: readonly DemoPackKey[],
  artFile: string,
): DemoPrize {
  const description = `${redCoinAmount} RedCoin, paid into your balance the moment you win.`
  const more = { redCoinAmount, claimInstructions: instantly }
  return prize(name, description, chance, packTypes, artFile, more)
}

/** One more pack of another kind. */
function bonusPack(
  packType: DemoPackKey,
  name: string,
  description: string,
  chance: Chance,
  from: DemoPackKey,
): DemoPrize {
  const more = { packReward: { packType, quantity: 1 }, claimInstructions: packsAdded }
  return prize(name, description, chance, [from], 'bonus-pack.webp', more)
}

export const demoPrizes: readonly DemoPrize[] = [
  coins('Pocketful of RedCoin', 25, [15, 100], ['starter', 'lucky'], 'redcoin-small.webp'),
  coins('Handful of RedCoin', 75, [5, 100], ['starter', 'lucky', 'crown'], 'redcoin-small.webp'),
  coins('Lucky Shower', 100, [40, 100], ['lucky'], 'redcoin-large.webp'),
  coins('Lucky Strike', 300, [10, 100], ['lucky'], 'redcoin-large.webp'),
  coins('Stack of RedCoin', 120, [25, 100], ['crown', 'nebula'], 'redcoin-small.webp'),
  coins('Mountain of RedCoin', 400, [10, 100], ['crown', 'nebula'], 'redcoin-large.webp'),
  coins('Vault Dividend', 1_000, [50, 100], ['vault'], 'redcoin-large.webp'),
  coins('Chest of RedCoin', 2_000, [5, 100], ['nebula', 'vault'], 'redcoin-chest.webp'),
  bonusPack(
    'lucky',
    'Bonus Lucky Pack',
    'A Lucky Pack on the house. Go on, open it!',
    [5, 100],
    'starter',
  ),
  bonusPack(
    'crown',
    'Crown Upgrade',
    'Your luck is crowned: one Crown Pack for you.',
    [4, 100],
    'lucky',
  ),
  bonusPack(
    'vault',
    'Key to the Vault',
    'The heavy door opens: one Vault Pack for you.',
    [3, 100],
    'nebula',
  ),
  prize(
    'Sticker Sheet',
    'Six die-cut vinyl stickers: coin, bolt, pack, planet, gem and a smile.',
    [4, 100],
    ['starter', 'lucky', 'crown'],
    'stickers.webp',
    { deadlineDays: 14, isForKeeper: true },
  ),
  prize(
    'Enamel Pin',
    'A little red pack in hard enamel with a gold rim, on its backing card.',
    [1, 40],
    ['starter', 'lucky', 'crown'],
    'pin.webp',
    { inventoryQuantity: 150 },
  ),
  prize(
    'Arena Mug',
    'Holds 330 ml of whatever keeps you awake until the last match.',
    [1, 20],
    ['crown', 'nebula'],
    'mug.webp',
    {
      inventoryQuantity: 60,
      claimInstructions: 'Tell us in My Prizes where to send it: it travels well packed.',
    },
  ),
  prize(
    'Crown Keycap',
    'A cast red keycap with a golden crown. It fits most mechanical keyboards.',
    [1, 25],
    ['crown', 'nebula'],
    'keycap.webp',
    { inventoryQuantity: 40 },
  ),
  prize(
    'Redpack Hoodie',
    'Heavy, soft and red, with a big hood for late nights. Sizes S to 3XL.',
    [1, 20],
    ['nebula', 'vault'],
    'hoodie.webp',
    {
      inventoryQuantity: 20,
      claimInstructions: 'Keep your Claim ID at hand. We will write to you once it is on its way.',
      deadlineDays: 30,
      countries: ['DE', 'ES', 'GB', 'US'],
      estimatedValue: { amount: 45, currency: 'EUR' },
      questions: [{ kind: 'choice', label: 'Size', choices: ['S', 'M', 'L', 'XL', '2XL', '3XL'] }],
    },
  ),
  prize(
    'Gaming Headset',
    'Closed ear cups, a clear microphone and a warm red glow.',
    [1, 25],
    ['vault'],
    'headset.webp',
    {
      inventoryQuantity: 5,
      deadlineDays: 30,
      estimatedValue: { amount: 120, currency: 'EUR' },
      claimInstructions:
        'Well done! We will write to you in person. Please have your Claim ID and a delivery address ready.',
    },
  ),
  prize(
    'Game Key',
    'A key for our game of the month, there the moment you win.',
    [1, 25],
    ['starter', 'crown'],
    'redcoin-chest.webp',
    {
      claimInstructions: 'Uncover your key in My Prizes and redeem it in the shop of the game.',
      codes: Array.from({ length: 60 }, (_, index) => `EXAMPLE-KEY-${4_100 + index * 37}`),
    },
  ),
  prize(
    'Season One Pin',
    'The very first pin, numbered by hand. All of them have found a home.',
    [1, 100],
    ['crown', 'vault'],
    'pin.webp',
    { inventoryQuantity: 0 },
  ),
]

/**
 * Lowest sort order first: the Vault Pack is moved to the front of the shelf on purpose.
 * `quantityAvailable` are the packs left, null for unlimited.
 */
export const demoListings = [
  { packType: 'starter', redCoinPrice: 50, quantityAvailable: null, sortOrder: 10 },
  { packType: 'lucky', redCoinPrice: 150, quantityAvailable: null, sortOrder: 20 },
  { packType: 'crown', redCoinPrice: 250, quantityAvailable: 40, sortOrder: 30 },
  { packType: 'nebula', redCoinPrice: 600, quantityAvailable: 0, sortOrder: 40 },
  { packType: 'vault', redCoinPrice: 1_500, quantityAvailable: 5, sortOrder: 1 },
] as const

export const demoStreams = [
  {
    twitchChannelId: '9000000000990100001',
    channelName: 'example_arena',
    displayName: 'Example Arena',
    channelUrl: 'https://arena.example/live',
    isLive: true,
    watchTimeRequiredSeconds: 30 * 60,
    rewardRedCoinAmount: 50,
    rewards: [{ packType: 'starter', packQuantity: 2 }],
    completionMessage:
      'Thanks for watching, {username}! Two Starter Packs and 50 RedCoin are yours.',
  },
  {
    twitchChannelId: '9000000000990100002',
    channelName: 'example_nightowls',
    displayName: 'Example Night Owls',
    channelUrl: 'https://nightowls.example/live',
    isLive: false,
    watchTimeRequiredSeconds: 30 * 60,
    rewardRedCoinAmount: 150,
    rewards: [
      { packType: 'crown', packQuantity: 1 },
      { packType: 'lucky', packQuantity: 2 },
    ],
    completionMessage: 'What a night, {username}! A Crown Pack and two Lucky Packs wait for you.',
  },
] as const
