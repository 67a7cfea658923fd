// What Discord sends when somebody presses a button or withdraws the link: checks the sender and
// says what happened.

import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { parsed } from '@redpack/fair/bytes'
import {
  ApplicationWebhookEventType,
  ApplicationWebhookType,
  InteractionType,
} from 'discord-api-types/v10'
import * as z from 'zod/mini'

/** Longest difference between Discord's clock and ours, both ways. */
const skewMillisMax = 5 * 60_000

/** A request as it arrived, before anything of it is believed. */
export interface SignedRequest {
  readonly signature: string | undefined
  readonly timestamp: string | undefined
  readonly body: Buffer
}

export interface Click {
  readonly kind: 'click'
  readonly interactionId: string
  /** Allows answers to this click for 15 minutes; a secret. */
  readonly token: string
  readonly buttonId: string
  readonly messageId: string
  readonly channelId: string
  readonly discordUserId: string
}

/** `forged` is what does not prove its sender, `other` what the product does not handle. */
export type Interaction =
  | { readonly kind: 'ping' }
  | { readonly kind: 'other' }
  | { readonly kind: 'forged' }
  | Click

const text = z.string().check(z.minLength(1), z.maxLength(200))
const User = z.object({ id: text })
const Received = z.object({
  id: text,
  application_id: z.string(),
  type: z.int(),
  token: z.string().check(z.maxLength(1_000)),
})
const PressedButton = z.object({
  data: z.object({ custom_id: text, component_type: z.literal(2) }),
  message: z.object({ id: text }),
  channel_id: text,
  member: z.optional(z.object({ user: User })),
  user: z.optional(User),
})

export interface InteractionSettings {
  /** 64 hexadecimal digits; without it every request is forged. */
  readonly publicKey: string | undefined
  /** The application that interactions must be meant for. */
  readonly clientId: string | undefined
}

/**
 * Reads an interaction whose Ed25519 signature over timestamp and raw body is right and not older
 * than five minutes.
 */
export function openInteraction(
  settings: InteractionSettings,
  request: SignedRequest,
  now: Date,
): Interaction {
  if (!isGenuine(publicKeyOf(settings.publicKey), request, now)) return { kind: 'forged' }
  const body = parsed(request.body.toString())
  const received = Received.safeParse(body)
  if (!received.success) return { kind: 'other' }
  const { id, application_id, type, token } = received.data
  if (type === InteractionType.Ping) return { kind: 'ping' }
  if (application_id !== settings.clientId) return { kind: 'forged' }
  if (type !== InteractionType.MessageComponent) return { kind: 'other' }
  const pressed = PressedButton.safeParse(body)
  const user = pressed.data?.member?.user ?? pressed.data?.user
  if (!pressed.success || user === undefined) return { kind: 'other' }
  return {
    kind: 'click',
    interactionId: id,
    token,
    buttonId: pressed.data.data.custom_id,
    messageId: pressed.data.message.id,
    channelId: pressed.data.channel_id,
    discordUserId: user.id,
  }
}

/** A webhook event; `withdrawn` says whose link to the application is over. */
export type DiscordEvent =
  | { readonly kind: 'forged' | 'other' }
  | { readonly kind: 'withdrawn'; readonly discordUserId: string; readonly at: Date }

const ReceivedEvent = z.object({ application_id: z.string(), type: z.int() })
const Withdrawn = z.object({
  event: z.object({
    timestamp: z.optional(text),
    type: z.literal(ApplicationWebhookEventType.ApplicationDeauthorized),
    data: z.object({ user: User }),
  }),
})

/** Reads a webhook event, signed like an interaction. A ping is one that asks for nothing. */
export function openEvent(
  settings: InteractionSettings,
  request: SignedRequest,
  now: Date,
): DiscordEvent {
  if (!isGenuine(publicKeyOf(settings.publicKey), request, now)) return { kind: 'forged' }
  const body = parsed(request.body.toString())
  const received = ReceivedEvent.safeParse(body)
  if (received.data?.application_id !== settings.clientId) return { kind: 'forged' }
  const withdrawn = Withdrawn.safeParse(body)
  if (received.data?.type !== ApplicationWebhookType.Event || !withdrawn.success) {
    return { kind: 'other' }
  }
  const { timestamp = '', data } = withdrawn.data.event
  // Its times have no zone and are those of UTC; what cannot be read is of now.
  const told = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(timestamp) ? timestamp : `${timestamp}Z`)
  const at = Number.isNaN(told) ? now : new Date(told)
  return { kind: 'withdrawn', discordUserId: data.user.id, at }
}

function isGenuine(key: KeyObject | undefined, request: SignedRequest, now: Date): boolean {
  const { signature = '', timestamp = '', body } = request
  if (key === undefined || !/^\d{1,12}$/.test(timestamp)) return false
  if (!/^[0-9a-f]{128}$/i.test(signature)) return false
  if (Math.abs(Number(timestamp) * 1000 - now.getTime()) > skewMillisMax) return false
  return verify(
    null,
    Buffer.concat([Buffer.from(timestamp), body]),
    key,
    Buffer.from(signature, 'hex'),
  )
}

function publicKeyOf(hex: string | undefined): KeyObject | undefined {
  if (hex === undefined || !/^[0-9a-f]{64}$/i.test(hex)) return undefined
  const x = Buffer.from(hex, 'hex').toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}
