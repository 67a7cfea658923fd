// Calls of operators and outside services: health, metrics, the API document, webhooks.

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const HealthResponse = z.object({ status: z.literal('ok') })

/** Why the database cannot be written. */
export const ReadOnlyReason = z.enum(['disk_full', 'standby', 'setting'])

export const ReadyResponse = z.object({
  status: z.literal('ok'),
  /** True while the database can only be read: writes are refused with 503. */
  readOnly: z.boolean(),
  /** Null while it can be written. */
  reason: z.nullable(ReadOnlyReason),
})

export const OpenApiResponse = z.custom<Readonly<Record<string, unknown>>>()

/** The answer to a Discord interaction; `type` says how `data` is shown. */
export const DiscordInteractionResponse = z.custom<{
  readonly type: number
  readonly data?: Readonly<Record<string, unknown>>
}>()

export const systemContract = {
  live: endpoint('public', 'GET', '/health/live', {
    summary: 'Says that the process runs.',
    response: HealthResponse,
    rate: 'none',
  }),
  ready: endpoint('public', 'GET', '/health/ready', {
    summary:
      'Says that no shutdown is under way, that the database answers, and whether it is writable.',
    response: ReadyResponse,
    domainErrors: ['service_unavailable'],
    rate: 'none',
  }),
  metrics: endpoint('operator', 'GET', '/metrics', {
    summary: 'Returns metrics in the Prometheus text format.',
    response: 'text',
    rate: 'none',
  }),
  openApi: endpoint('public', 'GET', '/api/openapi.json', {
    summary: 'Returns this document.',
    response: OpenApiResponse,
  }),
  twitchEventSub: endpoint('signature', 'POST', '/api/twitch/eventsub', {
    changes: [],
    summary: 'Receives Twitch EventSub webhooks; answers a challenge with its text.',
    bodyKind: 'raw',
    bodyLimit: 'message',
    response: 'text',
    domainErrors: ['forbidden', 'payload_too_large'],
    rate: 'none',
  }),
  discordInteractions: endpoint('signature', 'POST', '/api/discord/interactions', {
    changes: [],
    summary: 'Receives Discord interactions: pings and claim buttons.',
    bodyKind: 'raw',
    bodyLimit: 'message',
    response: DiscordInteractionResponse,
    domainErrors: ['service_unavailable'],
    rate: 'none',
  }),
  discordEvents: endpoint('signature', 'POST', '/api/discord/events', {
    changes: [],
    summary: 'Receives the Discord event that somebody has withdrawn the link, and answers 204.',
    bodyKind: 'raw',
    bodyLimit: 'message',
    response: 'text',
    rate: 'none',
  }),
}
