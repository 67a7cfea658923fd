// The demo viewers of an empty sandbox and what a newcomer is given. Plain data, no database.

import type { DemoPackKey } from './catalogue.ts'

export interface DemoViewer {
  readonly twitchId: string
  /** The sign-in name, lower case. */
  readonly username: string
  readonly displayName: string
  readonly avatar: string
  /** RedCoin before `pastOpenings`; winnings from them come on top. */
  readonly redCoinBalance: number
  /** Unopened packs that remain. */
  readonly packs: Readonly<Partial<Record<DemoPackKey, number>>>
  /** Packs already opened, each entry one request of 1 to 50 packs, to be drawn like any other. */
  readonly pastOpenings: readonly { readonly packType: DemoPackKey; readonly quantity: number }[]
}

/** Beyond every number that Twitch gives; see sandbox/src/viewers.ts. */
const firstTwitchId = 9_000_000_000_990_000_001n

type Extras = Partial<Pick<DemoViewer, 'packs' | 'pastOpenings'>>

const animals = ['fox', 'owl', 'cat', 'robot', 'frog', 'bear', 'ghost', 'octopus'] as const

const ranking: readonly (readonly [
  displayName: string,
  redCoinBalance: number,
  extras?: Extras,
])[] = [
  [
    'PixelOtter',
    18_420,
    { packs: { crown: 4, vault: 1 }, pastOpenings: [{ packType: 'vault', quantity: 2 }] },
  ],
  ['MiraMoonbeam', 15_975, { pastOpenings: [{ packType: 'nebula', quantity: 6 }] }],
  [
    'CaptainWaffle',
    14_310,
    { packs: { starter: 12, nebula: 2 }, pastOpenings: [{ packType: 'starter', quantity: 30 }] },
  ],
  ['NeonNarwhal', 11_860],
  ['TinyThunder', 10_245, { pastOpenings: [{ packType: 'lucky', quantity: 12 }] }],
  ['QuillAndQuest', 9_120, { packs: { lucky: 8 } }],
  ['SaltyBiscuit', 8_775],
  ['LunaLoops', 7_640, { pastOpenings: [{ packType: 'crown', quantity: 10 }] }],
  ['GigaGoose', 6_985],
  ['FernFable', 6_210, { packs: { starter: 25, lucky: 3 } }],
  ['ByteBadger', 5_830],
  ['CocoaComet', 5_115],
  ['RustyRocket', 4_690, { pastOpenings: [{ packType: 'starter', quantity: 18 }] }],
  ['VelvetVole', 4_205],
  ['SirSnackalot', 3_880, { packs: { nebula: 1 } }],
  ['PandaPolka', 3_415],
  ['HexHazel', 2_960],
  ['JollyJuniper', 2_545],
  ['MintyMantis', 2_130],
  ['OttoOrbit', 1_875],
  ['WispWillow', 1_520],
  [
    'DandyDragon',
    1_240,
    { packs: { starter: 5 }, pastOpenings: [{ packType: 'starter', quantity: 5 }] },
  ],
  ['KiwiKnight', 985],
  ['BumbleBard', 760],
  ['EchoEmber', 545],
  ['TofuTempest', 330],
  ['ZestyZephyr', 175],
  ['NoodleNimbus', 60],
]

/** Ranked viewers, richest first. */
export const demoViewers: readonly DemoViewer[] = ranking.map(
  ([displayName, redCoinBalance, extras], index) => ({
    twitchId: String(firstTwitchId + BigInt(index)),
    username: displayName.toLowerCase(),
    displayName,
    avatar: `/art/avatar-${animals[index % animals.length]}.svg`,
    redCoinBalance,
    packs: extras?.packs ?? {},
    pastOpenings: extras?.pastOpenings ?? [],
  }),
)

/** What a viewer holds after signing in to the sandbox for the first time. */
export const newcomerPacks: Readonly<Record<DemoPackKey, number>> = {
  starter: 60,
  lucky: 10,
  crown: 5,
  nebula: 3,
  vault: 1,
}
