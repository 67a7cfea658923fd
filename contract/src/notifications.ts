// News for people: channels, kinds and quiet hours; and the outbox, for staff.

import * as z from 'zod/mini'
import { ActionAnswer, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { pushDevicesMax, sentenceMax } from './limits.ts'
import { pageCounts, pageFields } from './list-or-page.ts'
import {
  notificationChannels,
  notificationKinds,
  outboxChannels,
  outboxKinds,
} from './notification-kinds.ts'
import {
  clearableText,
  fieldsOf,
  flag,
  idNumber,
  LongIdParams,
  listOf,
  matching,
  nameText,
  requestObject,
} from './values.ts'

/** An ASCII mailbox on one line; no provider uses what RFC 5322 allows beyond that. */
const mailAddress = nameText({
  label: 'Email',
  max: 254,
  required: 'Email is required',
  isOneLine: true,
}).check(z.refine((text) => z.regexes.email.test(text), { error: 'Invalid email' }))

const timeSentence = 'Quiet hours must be times like 22:00'
const ClockTime = matching(/^([01]\d|2[0-3]):[0-5]\d$/, timeSentence)

/** In the person's local time; if they end before they begin, they span midnight. */
export const QuietHours = z.object({ from: ClockTime, until: ClockTime }, { error: timeSentence })

const Choice = z.object(fieldsOf(notificationChannels, () => z.boolean()))
/** One field per kind. */
const Preferences = z.object(fieldsOf(notificationKinds, () => Choice))

export const NotificationsResponse = z.object({
  /** False without a mail server: there is nothing to choose then. */
  isEmailSetUp: z.boolean(),
  /** False without a key for push. */
  isPushSetUp: z.boolean(),
  /** True if there is a bot and the caller linked an account; otherwise no switch is shown. */
  isDiscordPossible: z.boolean(),
  channels: z.object({
    email: z.object({
      /** The one in use, or else the one waiting for its link; null for none. */
      address: z.nullable(z.string()),
      verified: z.boolean(),
      /** A new one that waits for its link while the old one is in use. */
      pending: z.nullable(z.string()),
      /** True when the link to the waiting one has expired. */
      isLinkOver: z.boolean(),
      /** When the mail server refused the address; nothing was sent to it since. */
      refusedAt: z.nullable(Timestamp),
    }),
    /** Devices, newest first; `id` is the start of their endpoint's SHA-256 in hex. */
    push: z.array(z.object({ id: z.string(), label: z.string() })),
    discord: z.boolean(),
    /** When Discord refused messages to the caller, which switched them off. */
    discordRefusedAt: z.nullable(Timestamp),
  }),
  preferences: Preferences,
  /** Streams that the kind `stream_live` covers; null for all. */
  liveStreams: z.nullable(z.array(z.int())),
  quietHours: z.nullable(QuietHours),
  /** Time zone of the quiet hours. */
  timezone: z.string(),
})
export type NotificationsResponse = z.infer<typeof NotificationsResponse>

const choiceSentence = 'A preference must be true or false'

const streamsSentence = 'Streams must be a list of their ids'

/** Any of these; absent fields and kinds stay unchanged. */
export const UpdateNotificationsRequest = requestObject({
  /**
   * `email: null` forgets the address, `discord` switches messages there on or off; other calls
   * prove an address or register a device.
   */
  channels: z.optional(
    z.object({ email: z.optional(z.unknown()), discord: z.optional(flag(choiceSentence)) }),
  ),
  preferences: z.optional(
    z.partialRecord(
      z.enum(notificationKinds, { error: 'There is no such kind of news' }),
      z.object(
        fieldsOf(notificationChannels, () => z.optional(flag(choiceSentence))),
        { error: choiceSentence },
      ),
      { error: 'Preferences must be an object' },
    ),
  ),
  liveStreams: z.optional(
    z.nullable(listOf(idNumber(streamsSentence), streamsSentence, 100, 'Name at most 100 streams')),
  ),
  quietHours: z.optional(z.nullable(QuietHours)),
})

export const VerifyEmailRequest = requestObject({ address: mailAddress })

const endpointSentence = 'This is not the address of a push service'
const PushEndpoint = z
  .string({ error: endpointSentence })
  .check(z.maxLength(2_000, { error: endpointSentence }), z.url({ error: endpointSentence }))

/** A browser's `PushSubscription`, serialised as JSON. */
export const PushSubscriptionRequest = requestObject({
  endpoint: PushEndpoint,
  keys: z.object(
    {
      p256dh: matching(/^B[A-Za-z0-9_-]{86}=?$/, 'This is not a public key'),
      auth: matching(/^[A-Za-z0-9_-]{22}={0,2}$/, 'This is not a secret of a subscription'),
    },
    { error: 'The keys of the subscription are missing' },
  ),
})

/** By the subscription itself, or by its id in the list. */
export const ForgetDeviceRequest = requestObject({
  endpoint: z.optional(PushEndpoint),
  id: z.optional(z.string().check(z.regex(/^[0-9a-f]{32}$/, { error: 'Invalid id' }))),
})

const tokenMax = 200
/** What came with a link; a malformed one counts as expired. */
export const LinkQuery = z.object({
  token: z.catch(z.string().check(z.maxLength(tokenMax)), ''),
})

export const notificationsContract = {
  read: endpoint('viewer', 'GET', '/api/user/notifications', {
    summary: "Returns the caller's news channels, preferences and quiet hours.",
    response: NotificationsResponse,
  }),
  update: endpoint('viewer', 'PUT', '/api/user/notifications', {
    changes: ['notifications'],
    summary: 'Changes the given preferences and quiet hours.',
    body: UpdateNotificationsRequest,
    response: NotificationsResponse,
  }),
  verifyEmail: endpoint('viewer', 'POST', '/api/user/notifications/email', {
    changes: ['notifications'],
    summary: 'Mails a link to an address; news goes there once the link is confirmed.',
    body: VerifyEmailRequest,
    response: NotificationsResponse,
    domainErrors: ['service_unavailable'],
    rate: 'sign-in',
  }),
  pushKey: endpoint('public', 'GET', '/api/notifications/push-key', {
    summary: 'Returns the key that browsers subscribe with; null where push is not set up.',
    response: z.object({ publicKey: z.nullable(z.string()) }),
  }),
  addDevice: endpoint('viewer', 'POST', '/api/user/notifications/push', {
    changes: ['notifications'],
    summary: `Registers a browser for push; above ${pushDevicesMax}, the oldest is forgotten.`,
    body: PushSubscriptionRequest,
    response: NotificationsResponse,
    domainErrors: ['service_unavailable', 'duplicate'],
  }),
  forgetDevice: endpoint('viewer', 'DELETE', '/api/user/notifications/push', {
    changes: ['notifications'],
    summary: "Forgets one of the caller's browsers; succeeds for an unknown one too.",
    body: ForgetDeviceRequest,
    response: NotificationsResponse,
  }),
  verify: endpoint('public', 'POST', '/api/notifications/verify', {
    changes: ['notifications', 'profile'],
    summary: 'Confirms an address by a mailed token, once, without a sign-in.',
    query: LinkQuery,
    response: ActionAnswer,
    domainErrors: ['not_found'],
    rate: 'sign-in',
  }),
  verifyPage: endpoint('public', 'GET', '/api/notifications/verify', {
    summary: 'Opens the page that asks before an address is confirmed.',
    query: LinkQuery,
    response: 'redirect',
  }),
  unsubscribe: endpoint('public', 'POST', '/api/notifications/unsubscribe', {
    changes: [],
    summary: 'Switches email off by a mailed token, without a sign-in (RFC 8058).',
    query: LinkQuery,
    response: ActionAnswer,
    fromAnySite: true,
    domainErrors: ['not_found'],
  }),
  unsubscribePage: endpoint('public', 'GET', '/api/notifications/unsubscribe', {
    summary: 'Opens the page that asks before email is switched off.',
    query: LinkQuery,
    response: 'redirect',
  }),
}

export const outboxStates = ['waiting', 'sent', 'failed'] as const

export const OutboxMessage = z.object({
  id: z.int(),
  kind: z.enum(outboxKinds),
  channel: z.enum(outboxChannels),
  state: z.enum(outboxStates),
  /** How often sending was tried. */
  attempts: z.int(),
  nextAttempt: z.nullable(Timestamp),
  /** Why the last try failed, without personal data. */
  lastError: z.nullable(z.string()),
  createdAt: Timestamp,
  sentAt: z.nullable(Timestamp),
})
export type OutboxMessage = z.infer<typeof OutboxMessage>

export const OutboxQuery = z.object({
  /** Those of one state; all without it. */
  state: z.optional(z.catch(z.optional(z.enum(outboxStates)), undefined)),
  page: pageFields.page,
  limit: pageFields.limit,
})
export type OutboxQuery = z.infer<typeof OutboxQuery>

export const OutboxResponse = z.object({
  messages: z.array(OutboxMessage),
  counts: z.object({ waiting: z.int(), sent: z.int(), failed: z.int() }),
  ...pageCounts,
})
export type OutboxResponse = z.infer<typeof OutboxResponse>

/** A kind of news on every channel, with example data. */
export const NewsPreview = z.object({
  kind: z.enum(notificationKinds),
  /** The sentence that staff added; null for none. */
  sentence: z.nullable(z.string()),
  email: z.object({ subject: z.string(), text: z.string() }),
  push: z.object({ title: z.string(), body: z.string() }),
  discord: z.string(),
})
export type NewsPreview = z.infer<typeof NewsPreview>

export const NewsPreviewsResponse = z.object({ kinds: z.array(NewsPreview) })
export type NewsPreviewsResponse = z.infer<typeof NewsPreviewsResponse>

const Sentence = requestObject({
  sentence: clearableText({ label: 'Sentence', max: sentenceMax, isOneLine: true }),
})

export const adminOutboxContract = {
  kinds: endpoint('staff', 'GET', '/api/admin/outbox/kinds', {
    summary: 'Shows every kind of news as people get it, with example data.',
    response: NewsPreviewsResponse,
  }),
  saveSentence: endpoint('staff', 'PUT', '/api/admin/outbox/kinds/{kind}', {
    changes: ['outbox', 'audit'],
    summary: "Adds the operator's sentence to a kind of news; null removes it.",
    params: z.object({
      kind: z.enum(notificationKinds, { error: 'There is no such kind of news' }),
    }),
    body: z.extend(Sentence, { expected: z.optional(Sentence) }),
    response: NewsPreviewsResponse,
    domainErrors: ['changed_meanwhile'],
    idempotent: true,
  }),
  list: endpoint('staff', 'GET', '/api/admin/outbox', {
    summary: 'Lists waiting, sent and failed messages without their texts, newest first.',
    query: OutboxQuery,
    response: OutboxResponse,
  }),
  again: endpoint('staff', 'POST', '/api/admin/outbox/{id}/again', {
    changes: ['outbox', 'audit'],
    summary: 'Sends a failed message again, starting now.',
    params: LongIdParams,
    response: ActionAnswer,
    domainErrors: ['not_found', 'wrong_state'],
    idempotent: true,
  }),
}
