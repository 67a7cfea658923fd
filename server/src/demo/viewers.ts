// The demo viewers of an empty sandbox and what a newcomer is given. Plain data, no database.

import type { DemoPackKey } from './catalogue.ts'

/** Beyond every number that Twitch gives; see sandbox/src/viewers.ts. */
const firstTwitchId = 9_000_000_000_990_000_001n
const firstDiscordId = 9_000_000_000_991_000_001n

const animals = ['fox', 'owl', 'cat', 'robot', 'frog', 'bear', 'ghost', 'octopus'] as const

const people: readonly (readonly [displayName: string, startingRedCoin: number])[] = [
  ['PixelOtter', 2_400],
  ['MiraMoonbeam', 2_150],
  ['CaptainWaffle', 1_980],
  ['NeonNarwhal', 1_760],
  ['TinyThunder', 1_540],
  ['QuillAndQuest', 1_390],
  ['SaltyBiscuit', 1_270],
  ['LunaLoops', 1_150],
  ['GigaGoose', 1_060],
  ['FernFable', 980],
  ['ByteBadger', 900],
  ['CocoaComet', 830],
  ['RustyRocket', 760],
  ['VelvetVole', 700],
  ['SirSnackalot', 640],
  ['PandaPolka', 590],
  ['HexHazel', 540],
  ['JollyJuniper', 490],
  ['MintyMantis', 450],
  ['OttoOrbit', 410],
  ['WispWillow', 370],
  ['DandyDragon', 330],
  ['KiwiKnight', 300],
  ['BumbleBard', 270],
  ['EchoEmber', 240],
  ['TofuTempest', 210],
  ['ZestyZephyr', 180],
  ['NoodleNimbus', 150],
]

const foundersCount = 16
const lastJoinsAt = 0.97
const staff: readonly string[] = ['FernFable', 'ByteBadger']
const blocked: readonly string[] = ['VelvetVole']

/** Founders first, then whoever came later in the order in which they came. */
export const demoViewers = people.map(([displayName, startingRedCoin], index) => ({
  twitchId: String(firstTwitchId + BigInt(index)),
  /** The sign-in name. */
  username: displayName.toLowerCase(),
  displayName,
  avatar: `/art/avatar-${animals[index % animals.length]}.svg`,
  /** RedCoin that staff give at the start, by file to founders and one by one to later comers. */
  startingRedCoin,
  /** When they sign in for the first time: 0 is the first day of the story, 1 would be its end. */
  joinsAt:
    index < foundersCount
      ? 0
      : ((index - foundersCount + 1) * lastJoinsAt) / (people.length - foundersCount),
  /** How often they are there, from seldom (0.2) to every day (1). */
  keenness: [1, 0.5, 0.8, 0.3, 0.6][index % 5] ?? 0.5,
  /** Their account at Discord, null for who has linked none. */
  discordId: index % 3 === 2 ? null : String(firstDiscordId + BigInt(index)),
  /** Made an admin on the first day. */
  isStaff: staff.includes(displayName),
  /** Shut out from earning in the middle of the story. */
  isBlocked: blocked.includes(displayName),
}))

/** What a viewer holds after signing in to the sandbox for the first time. */
export const newcomerPacks: Readonly<Record<DemoPackKey, number>> = {
  starter: 60,
  lucky: 10,
  crown: 5,
  nebula: 3,
  vault: 1,
}
