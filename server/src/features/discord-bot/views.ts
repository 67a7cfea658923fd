// The Discord bot's whitelist and settings as staff see them.

import type { BotSettings, DiscordServer } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { nextSlot, postedRewardDefault, scheduleDefault } from '../../rules/post-schedule.ts'

const serversMax = 500

const columns = `id, server_name AS "serverName", server_id AS "serverId",
  channel_id AS "channelId", channel_name AS "channelName", is_active AS "isActive",
  checked_at AS "checkedAt", problem`
const readServers = statement(
  'read_discord_servers',
  `SELECT ${columns} FROM discord_servers ORDER BY id LIMIT ${serversMax}`,
)
const readServer = statement(
  'read_discord_server',
  `SELECT ${columns} FROM discord_servers WHERE id = $1`,
)
const readSettings = statement(
  'read_discord_bot_settings',
  `SELECT reward_amount AS "rewardAmount", is_active AS "isActive",
     post_schedule AS "postSchedule"
   FROM discord_bot_settings ORDER BY id LIMIT 1`,
)

type Row = Omit<DiscordServer, 'isChecked'> & { checkedAt: Date | null }

const toDiscordServer = ({ checkedAt, ...row }: Row): DiscordServer => ({
  ...row,
  isChecked: checkedAt !== null,
})

/** The whitelist in the order in which it was made. */
export async function discordServerList(db: Queryable): Promise<DiscordServer[]> {
  return (await db.run<Row>(readServers, [])).map(toDiscordServer)
}

/** One entry; undefined when it has gone. */
export async function discordServer(db: Queryable, id: number): Promise<DiscordServer | undefined> {
  return (await db.run<Row>(readServer, [id])).map(toDiscordServer)[0]
}

/** What the settings are, and what follows from them for a bot in this state. */
export async function botSettings(
  db: Queryable,
  bot: { readonly hasToken: boolean; readonly problem: string | undefined; readonly now: Date },
): Promise<BotSettings> {
  const [saved] = await db.run<{
    rewardAmount: number
    isActive: boolean
    postSchedule: number[]
  }>(readSettings, [])
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
