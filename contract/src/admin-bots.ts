// The chat bots as staff set them up (W-067 to W-075).

import * as z from 'zod/mini'
import { ActionAnswer, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { nameMax, textMax } from './limits.ts'
import {
  clearableText,
  editObject,
  flag,
  IdOrTextParams,
  listOf,
  nameText,
  redCoinNumber,
  requestObject,
  wholeNumber,
} from './values.ts'

/**
 * State of the chat bot: all works, a scope is missing, the token expires soon and cannot be
 * renewed, Twitch rejects it, Twitch could not be asked yet, or the server's encryption key cannot
 * open the stored tokens.
 */
export const botStates = [
  'ready',
  'limited',
  'expiring',
  'rejected',
  'unchecked',
  'unreadable',
] as const

/** The stored credentials; both tokens are masked except for their last four characters. */
export const BotCredentials = z.object({
  botUsername: z.string(),
  botUserId: z.string(),
  clientId: z.string(),
  accessToken: z.string(),
  refreshToken: z.nullable(z.string()),
  expiresAt: z.nullable(Timestamp),
  scopes: z.string(),
  isActive: z.boolean(),
  canSendChat: z.boolean(),
  canReadChatters: z.boolean(),
  /** False when the token ends at `expiresAt` and staff must enter a new one. */
  canRefresh: z.boolean(),
  /** When Twitch last answered about the token. */
  checkedAt: z.nullable(Timestamp),
  state: z.enum(botStates),
  /** What staff should do now; null for nothing. */
  advice: z.nullable(z.string()),
})
export type BotCredentials = z.infer<typeof BotCredentials>

export const BotCredentialsResponse = z.nullable(BotCredentials)

function required(label: string, max: number = nameMax) {
  return nameText({ label, max, required: `${label} is required` })
}

/** A token that equals its mask keeps the stored one, as in an untouched form. */
export const SaveBotCredentialsRequest = requestObject({
  botUsername: required('Bot username'),
  botUserId: required('Bot user ID'),
  clientId: required('Client ID'),
  accessToken: required('Access token', textMax),
  refreshToken: z.optional(clearableText({ label: 'Refresh token', max: textMax })),
})
export type SaveBotCredentialsRequest = z.infer<typeof SaveBotCredentialsRequest>

export const DiscordServer = z.object({
  id: z.int(),
  serverName: z.string(),
  serverId: z.string(),
  channelId: z.string(),
  channelName: z.string(),
  isActive: z.boolean(),
  /** True when Discord has confirmed the channel and the bot's permissions in it. */
  isChecked: z.boolean(),
  /** What keeps the bot from posting there, or why nothing was checked; null when all is well. */
  problem: z.nullable(z.string()),
})
export type DiscordServer = z.infer<typeof DiscordServer>

export const AddDiscordServerRequest = requestObject({
  serverName: required('Server name'),
  serverId: required('Server ID', 64),
  channelId: required('Channel ID', 64),
  channelName: required('Channel name'),
})
export type AddDiscordServerRequest = z.infer<typeof AddDiscordServerRequest>

export const BotSettings = z.object({
  rewardAmount: z.int(),
  isActive: z.boolean(),
  /** Hours as stored; the form shows them differently. */
  postSchedule: z.array(z.int()),
  /** True while nothing is saved. */
  isDefault: z.boolean(),
  /** True when the product has a bot token. */
  hasToken: z.boolean(),
  /** Why the bot does not post at all; null when it does or is switched off. */
  problem: z.nullable(z.string()),
  /** When the next post starts; null when none is due. */
  nextPostAt: z.nullable(Timestamp),
})
export type BotSettings = z.infer<typeof BotSettings>

const hoursWrong = 'Post schedule must be a list of hours from 0 to 24'
const Hour = wholeNumber({ message: hoursWrong, min: 0, max: 24 })

export const SaveBotSettingsRequest = editObject({
  rewardAmount: redCoinNumber('Reward amount must be 0 or greater', 0),
  isActive: flag('Active must be true or false'),
  postSchedule: listOf(Hour, hoursWrong, 25, hoursWrong),
})
export type SaveBotSettingsRequest = z.infer<typeof SaveBotSettingsRequest>

export const TestClaimRequest = requestObject({ channelId: required('Channel ID', 64) })
export type TestClaimRequest = z.infer<typeof TestClaimRequest>

export const TestClaimResponse = z.extend(ActionAnswer, { messageId: z.string() })

export const adminBotsContract = {
  credentials: endpoint('staff', 'GET', '/api/admin/twitch/bot-credentials', {
    summary: "Returns the Twitch bot's credentials with masked tokens, or null.",
    response: BotCredentialsResponse,
  }),
  saveCredentials: endpoint('staff', 'POST', '/api/admin/twitch/bot-credentials', {
    changes: [],
    summary: "Replaces the Twitch bot's credentials.",
    bodyLimit: 'texts',
    body: SaveBotCredentialsRequest,
    response: BotCredentials,
    domainErrors: ['changed_meanwhile'],
  }),
  deleteCredentials: endpoint('staff', 'DELETE', '/api/admin/twitch/bot-credentials', {
    changes: ['twitch_bot'],
    summary: "Deletes the Twitch bot's credentials.",
    response: ActionAnswer,
    domainErrors: ['not_found'],
  }),
  servers: endpoint('staff', 'GET', '/api/admin/discord/servers', {
    summary: 'Lists the Discord servers on the whitelist.',
    response: z.array(DiscordServer),
  }),
  addServer: endpoint('staff', 'POST', '/api/admin/discord/servers', {
    changes: ['discord_bot'],
    summary: 'Adds a Discord server to the whitelist.',
    body: AddDiscordServerRequest,
    response: DiscordServer,
    domainErrors: ['duplicate'],
  }),
  removeServer: endpoint('staff', 'DELETE', '/api/admin/discord/servers/{id}', {
    changes: ['discord_bot'],
    summary: 'Removes a Discord server from the whitelist, by row number or server id.',
    params: IdOrTextParams,
    response: ActionAnswer,
  }),
  settings: endpoint('staff', 'GET', '/api/admin/discord/bot-settings', {
    summary: "Returns the Discord bot's settings.",
    response: BotSettings,
  }),
  saveSettings: endpoint('staff', 'PUT', '/api/admin/discord/bot-settings', {
    changes: ['discord_bot'],
    summary: 'Changes the given settings of the Discord bot.',
    body: SaveBotSettingsRequest,
    response: BotSettings,
    domainErrors: ['changed_meanwhile'],
  }),
  testClaim: endpoint('staff', 'POST', '/api/admin/discord/test-claim', {
    changes: ['discord_bot'],
    summary: 'Posts one claim message to a channel of the whitelist.',
    body: TestClaimRequest,
    response: TestClaimResponse,
    domainErrors: ['not_found', 'wrong_state', 'service_unavailable'],
  }),
}
