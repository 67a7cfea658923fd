// The Discord bot's whitelist and settings as staff see them.

import type { BotSettings, DiscordServer } from '@redpack/contract'
import type { Queryable } from '../../adapters/db/database.ts'
import { rowQuery, rowsQuery } from '../../adapters/db/queries.ts'
import { nextSlot, postedRewardDefault, scheduleDefault } from '../../rules/post-schedule.ts'

const serversMax = 500

const servers = `SELECT id, server_name AS "serverName", server_id AS "serverId",
  channel_id AS "channelId", channel_name AS "channelName", is_active AS "isActive",
  checked_at IS NOT NULL AS "isChecked", problem FROM discord_servers`

/** The whitelist in the order in which it was made. */
export const discordServerList = rowsQuery<DiscordServer>(
  'read_discord_servers',
  `${servers} ORDER BY id LIMIT ${serversMax}`,
)

/** One entry; undefined when it has gone. */
export const discordServer = rowQuery<DiscordServer, [id: number]>(
  'read_discord_server',
  `${servers} WHERE id = $1`,
)

const readSettings = rowQuery<Pick<BotSettings, 'rewardAmount' | 'isActive' | 'postSchedule'>>(
  'read_discord_bot_settings',
  `SELECT reward_amount AS "rewardAmount", is_active AS "isActive",
     post_schedule AS "postSchedule"
   FROM discord_bot_settings ORDER BY id LIMIT 1`,
)

/** What the settings are, and what follows from them for a bot in this state. */
export async function botSettings(
  db: Queryable,
  bot: { readonly hasToken: boolean; readonly problem: string | undefined; readonly now: Date },
): Promise<BotSettings> {
  const saved = await readSettings(db)
  const postSchedule = saved?.postSchedule ?? [...scheduleDefault]
  const { rewardAmount, isActive } = saved ?? { rewardAmount: postedRewardDefault, isActive: true }
  const { hasToken, problem } = bot
  const runs = hasToken && problem === undefined && isActive && rewardAmount > 0
  const next = runs ? nextSlot(postSchedule, bot.now) : undefined
  return {
    rewardAmount,
    isActive,
    postSchedule,
    isDefault: saved === undefined,
    hasToken,
    problem: problem ?? null,
    nextPostAt: next?.toISOString() ?? null,
  }
}
