// What the Discord bot's tab asks the server: its whitelist and its settings.

import { adminBotsContract as contract } from '@redpack/contract'
import { endpointQuery } from '../../lib/endpoint-query.ts'

/** How often the state of the bot is asked for while its tab is open, in milliseconds. */
const stateMs = 30_000

export const discordServersQuery = {
  ...endpointQuery(contract.servers, { shows: ['discord_bot'], empty: [] }),
  refetchInterval: stateMs,
}

export const botSettingsQuery = {
  ...endpointQuery(contract.settings, { shows: ['discord_bot'], isNeeded: true }),
  refetchInterval: stateMs,
}
