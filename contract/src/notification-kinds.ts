// Everything that people are told: which kinds there are, what is said of each, and the channels.

/** Where news can go besides the bell. */
export const notificationChannels = ['email', 'push', 'discord'] as const
export type NotificationChannel = (typeof notificationChannels)[number]

/** What a sentence can name; empty where there is none. */
export interface Told {
  /** A prize, a stream, or a pack type. */
  readonly subject: string
  /** The new status of a claim, who carries a parcel, or a deadline. */
  readonly status: string
  /** Packs or RedCoin, in words. */
  readonly amount: string
}
type Sentence = (told: Told) => string

interface KindRule {
  /** Its name in the profile and in the list for staff, if it goes out of the product. */
  readonly label?: string
  /** One sentence for each piece of news. */
  readonly line?: Sentence
  /** What the bell says, if it tells of it. */
  readonly bell?: Sentence
  /** The screen that it leads to; the prizes if it says nothing else. */
  readonly to?: '/my-prizes' | '/history' | '/inventory' | '/profile' | '/twitch-streams'
  /** It cannot wait until morning: it goes out even in quiet hours. */
  readonly isUrgent?: true
  /** Only people who asked for it get it. */
  readonly isOptIn?: true
}

/** Kinds under a switch of the profile, which must be on besides the channel's own. */
function under<Name extends string | null, Kinds extends Readonly<Record<string, KindRule>>>(
  name: Name,
  kinds: Kinds,
) {
  const rules = Object.entries(kinds).map(([kind, rule]) => [kind, { ...rule, switch: name }])
  return Object.fromEntries(rules) as { [K in keyof Kinds]: Kinds[K] & { switch: Name } }
}

const statuses: Readonly<Record<string, string>> = {
  pending: 'is back to pending',
  processing: 'is being processed',
  completed: 'has been delivered',
}
const moved: Sentence = (told) => `Your ${told.subject} ${statuses[told.status] ?? 'has changed'}`
const won: Sentence = ({ subject }) => `You won: ${subject}`
const sent: Sentence = ({ subject, status }) =>
  `Your ${subject} is on its way${status === '' ? '' : ` with ${status}`}`
const asked: Sentence = ({ subject }) => `Has your ${subject} arrived? Let us know in My Prizes`
const given: Sentence = ({ amount }) => `You received ${amount}`
const taken: Sentence = ({ amount }) => `Staff took back ${amount}`

/** Every kind, once: the compiler asks for the rest, as CONTRIBUTING says. */
export const kindRules = {
  ...under('prizes', {
    prize_won: { label: 'You won a physical prize', line: won },
    code_ready: {
      label: 'A code you won is ready',
      line: won,
      bell: ({ subject }) => `Your code for ${subject} is in My Prizes`,
    },
    address_wanted: {
      label: 'A prize needs your address',
      line: ({ subject }) => `Your ${subject} needs an address`,
    },
    delivery_wanted: { bell: ({ subject }) => `Add a delivery address for your ${subject}` },
    deadline_near: {
      label: 'The time to claim a prize is running out',
      line: ({ subject, status }) => `Your ${subject} needs an address by ${status}`,
      bell: ({ subject }) => `Give an address for your ${subject} soon, or you will lose it`,
    },
    shipment_sent: { label: 'A prize is on its way', line: sent, bell: sent },
    shipment_returned: {
      label: 'A prize came back to us',
      line: ({ subject }) => `Your ${subject} came back to us`,
      bell: ({ subject }) => `Your ${subject} came back to us. Check the address`,
    },
    delivery_asked: { label: 'A prize should have arrived', line: asked, bell: asked },
    claim_status: { label: 'The status of a prize changed', line: moved, bell: moved },
  }),
  ...under('rewards', {
    granted: { label: 'Staff gave you packs or RedCoin', line: given, to: '/history' },
    taken: { label: 'Staff took packs or RedCoin back', line: taken, to: '/history' },
    packs_granted: { bell: given, to: '/inventory' },
    packs_removed: { bell: taken, to: '/inventory' },
    red_coin_granted: { bell: given, to: '/history' },
    red_coin_removed: { bell: taken, to: '/history' },
    discord_reward: { bell: ({ amount }) => `You earned ${amount} on Discord`, to: '/history' },
    watch_reward: {
      bell: ({ amount, subject }) => `You earned ${amount} by watching ${subject}`,
      to: '/twitch-streams',
    },
  }),
  ...under(null, {
    stream_live: {
      label: 'A partner stream goes live',
      line: ({ subject }) => `${subject} is live`,
      isOptIn: true,
      to: '/twitch-streams',
    },
    signed_in: {
      label: 'New sign-in to your account',
      line: () => 'New sign-in to your account',
      isUrgent: true,
      to: '/profile',
    },
    wallet_changed: {
      label: 'Your wallet was changed',
      line: () => 'Your wallet was changed',
      isUrgent: true,
      to: '/profile',
    },
    // That a channel does not work any more is said whatever somebody wants to hear of.
    email_refused: {
      bell: () => 'Your email address refused our emails, so we stopped sending them',
      to: '/profile',
    },
    discord_refused: {
      bell: () => 'Discord refused our messages to you, so we stopped sending them',
      to: '/profile',
    },
  }),
}

type Rules = typeof kindRules
type KindsWith<Word extends string> = {
  [Kind in keyof Rules]: Word extends keyof Rules[Kind] ? Kind : never
}[keyof Rules]
const kindsWith = <Word extends string>(word: Word) =>
  Object.entries(kindRules).flatMap(([kind, rule]) =>
    word in rule ? [kind] : [],
  ) as readonly string[] as readonly KindsWith<Word>[]

/** The kinds that go out of the product. */
export type NotificationKind = KindsWith<'label'>
export const notificationKinds = kindsWith('label')
/** The kinds that the bell tells of. */
export type NoticeKind = KindsWith<'bell'>
export const noticeKinds = kindsWith('bell')

/** The screen that news and notices of a kind lead to. */
export function screenOf(kind: keyof Rules) {
  const { to = '/my-prizes' }: KindRule = kindRules[kind]
  return to
}

/** Whether people get the kind without having chosen it. */
export function isToldByDefault(kind: NotificationKind): boolean {
  return !('isOptIn' in kindRules[kind])
}

/** Names of all that goes out: news, and messages that nobody can switch off. */
export const outboxLabels = {
  ...(Object.fromEntries(notificationKinds.map((kind) => [kind, kindRules[kind].label])) as Record<
    NotificationKind,
    string
  >),
  verify_address: 'Confirm your address',
  completion: 'Completion message in chat',
  reward: 'Reward message',
  reward_over: 'End of a reward message',
  checkpoint: 'Checkpoint of the public log',
} as const
export type OutboxKind = keyof typeof outboxLabels
export const outboxKinds = Object.keys(outboxLabels) as readonly OutboxKind[]

/** All channels: those that people choose, and those of the bots. */
export const outboxChannels = [...notificationChannels, 'chat', 'post'] as const
export type OutboxChannel = (typeof outboxChannels)[number]

/** How long the link that proves an address works, in hours. */
export const verifyLinkHours = 24
