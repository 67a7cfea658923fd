// The Discord bot's whitelist and settings as staff see them.

import type { BotSettings, DiscordServer } from '@redpack/contract'
import { asc, eq } from 'drizzle-orm'
import type { Queryable } from '../../adapters/db/database.ts'
import { discordBotSettings, discordServers } from '../../adapters/db/schema-streams.ts'
import { nextSlot, postedRewardDefault, scheduleDefault } from '../../rules/post-schedule.ts'

const serversMax = 500

const columns = {
  id: discordServers.id,
  serverName: discordServers.serverName,
  serverId: discordServers.serverId,
  channelId: discordServers.channelId,
  channelName: discordServers.channelName,
  isActive: discordServers.isActive,
  checkedAt: discordServers.checkedAt,
  problem: discordServers.problem,
}

type Row = Omit<DiscordServer, 'isChecked'> & { checkedAt: Date | null }

const shown = ({ checkedAt, ...row }: Row): DiscordServer => ({
  ...row,
  isChecked: checkedAt !== null,
})

/** The whitelist in the order in which it was made. */
export async function discordServerList(db: Queryable): Promise<DiscordServer[]> {
  const rows = await db.orm
    .select(columns)
    .from(discordServers)
    .orderBy(asc(discordServers.id))
    .limit(serversMax)
  return rows.map(shown)
}

/** One entry; undefined when it has gone. */
export async function discordServer(db: Queryable, id: number): Promise<DiscordServer | undefined> {
  const rows = await db.orm.select(columns).from(discordServers).where(eq(discordServers.id, id))
  return rows.map(shown)[0]
}

/** What the settings are, and what follows from them for a bot in this state. */
export async function botSettings(
  db: Queryable,
  bot: { readonly hasToken: boolean; readonly problem: string | undefined; readonly now: Date },
): Promise<BotSettings> {
  const rows = await db.orm
    .select()
    .from(discordBotSettings)
    .orderBy(asc(discordBotSettings.id))
    .limit(1)
  const saved = rows[0]
  const postSchedule = (saved?.postSchedule as number[] | undefined) ?? [...scheduleDefault]
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
