// Kinds of news that people can get outside the product, and the channels.

/** Where news can go besides the bell. */
export const notificationChannels = ['email', 'push', 'discord'] as const
export type NotificationChannel = (typeof notificationChannels)[number]

interface KindRule {
  /** Its name in the profile and in the list for staff. */
  readonly label: string
  /** The profile switch that must be on besides the channel's own; null for none. */
  readonly switch: 'prizes' | 'rewards' | null
  /** True if it cannot wait until morning: it goes out even in quiet hours. */
  readonly isUrgent: boolean
  /** True if only people who asked for it get it. */
  readonly isOptIn?: boolean
}

/** Every kind, once: a new one needs a line here, and its source and words in the outbox. */
export const notificationRules = {
  prize_won: { label: 'You won a physical prize', switch: 'prizes', isUrgent: false },
  code_ready: { label: 'A code you won is ready', switch: 'prizes', isUrgent: false },
  address_wanted: { label: 'A prize needs your address', switch: 'prizes', isUrgent: false },
  deadline_near: {
    label: 'The time to claim a prize is running out',
    switch: 'prizes',
    isUrgent: false,
  },
  shipment_sent: { label: 'A prize is on its way', switch: 'prizes', isUrgent: false },
  shipment_returned: { label: 'A prize came back to us', switch: 'prizes', isUrgent: false },
  delivery_asked: { label: 'A prize should have arrived', switch: 'prizes', isUrgent: false },
  claim_status: { label: 'The status of a prize changed', switch: 'prizes', isUrgent: false },
  granted: { label: 'Staff gave you packs or RedCoin', switch: 'rewards', isUrgent: false },
  taken: { label: 'Staff took packs or RedCoin back', switch: 'rewards', isUrgent: false },
  stream_live: {
    label: 'A partner stream goes live',
    switch: null,
    isUrgent: false,
    isOptIn: true,
  },
  signed_in: { label: 'New sign-in to your account', switch: null, isUrgent: true },
  wallet_changed: { label: 'Your wallet was changed', switch: null, isUrgent: true },
} as const satisfies Readonly<Record<string, KindRule>>

export type NotificationKind = keyof typeof notificationRules

/** Whether people get the kind without having chosen it. */
export function isToldByDefault(kind: NotificationKind): boolean {
  const { isOptIn = false }: KindRule = notificationRules[kind]
  return !isOptIn
}

export const notificationKinds = Object.keys(notificationRules) as readonly NotificationKind[]

/** All that goes out: news, and messages that nobody can switch off. */
export const outboxRules = {
  ...notificationRules,
  verify_address: { label: 'Confirm your address' },
  completion: { label: 'Completion message in chat' },
  reward: { label: 'Reward message' },
  reward_over: { label: 'End of a reward message' },
  checkpoint: { label: 'Checkpoint of the public log' },
} as const
export type OutboxKind = keyof typeof outboxRules
export const outboxKinds = Object.keys(outboxRules) as readonly OutboxKind[]

/** All channels: those that people choose, and those of the bots. */
export const outboxChannels = [...notificationChannels, 'chat', 'post'] as const
export type OutboxChannel = (typeof outboxChannels)[number]

/** How long the link that proves an address works, in hours. */
export const verifyLinkHours = 24
