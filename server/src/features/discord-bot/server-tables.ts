// The SQL of the whitelist: Discord servers with the channel the bot posts to.

import { type Queryable, statement } from '../../adapters/db/database.ts'

export interface NewServer {
  readonly serverName: string
  readonly serverId: string
  readonly channelId: string
  readonly channelName: string
}

export interface ServerRow extends NewServer {
  readonly id: number
  readonly isActive: boolean
}

const columns = `id, server_name AS "serverName", server_id AS "serverId",
  channel_id AS "channelId", channel_name AS "channelName", is_active AS "isActive"`

const findByServer = statement(
  'find_discord_server',
  `SELECT ${columns} FROM discord_servers WHERE server_id = $1`,
)
const findByChannel = statement(
  'find_discord_channel',
  `SELECT ${columns} FROM discord_servers WHERE channel_id = $1 AND is_active ORDER BY id LIMIT 1`,
)
const addRow = statement(
  'add_discord_server',
  `INSERT INTO discord_servers (server_name, server_id, channel_id, channel_name, added_at,
     checked_at, problem)
   VALUES (:serverName, :serverId, :channelId, :channelName, :now, :checkedAt, :problem)
   ON CONFLICT DO NOTHING RETURNING ${columns}`,
)
const removeByServer = statement(
  'remove_discord_server',
  `DELETE FROM discord_servers WHERE server_id = $1 RETURNING ${columns}`,
)
const removeByRow = statement(
  'remove_discord_server_row',
  `DELETE FROM discord_servers WHERE id = $1 RETURNING ${columns}`,
)
const countRefusal = statement(
  'count_discord_refusal',
  `UPDATE discord_servers SET refused_count = refused_count + 1, problem = $2,
     is_active = is_active AND refused_count + 1 < $3
   WHERE channel_id = $1 RETURNING is_active AS "isActive"`,
)
const clearProblem = statement(
  'clear_discord_problem',
  `UPDATE discord_servers SET refused_count = 0, problem = NULL, checked_at = $2
   WHERE channel_id = $1 AND is_active`,
)

export async function findServer(db: Queryable, serverId: string): Promise<ServerRow | undefined> {
  return (await db.run<ServerRow>(findByServer, [serverId]))[0]
}

/** The active entry of a channel. */
export async function findActiveChannel(
  db: Queryable,
  channelId: string,
): Promise<ServerRow | undefined> {
  return (await db.run<ServerRow>(findByChannel, [channelId]))[0]
}

export interface CheckResult {
  /** When Discord has confirmed the channel; null when it was not asked. */
  readonly checkedAt: Date | null
  readonly problem: string | null
}

/** Undefined when the server is on the list already. */
export async function addServerRow(
  tx: Queryable,
  server: NewServer,
  check: CheckResult,
  now: Date,
): Promise<ServerRow | undefined> {
  const { serverName, serverId, channelId, channelName } = server
  const { checkedAt, problem } = check
  const values = { serverName, serverId, channelId, channelName, now, checkedAt, problem }
  return (await tx.run<ServerRow>(addRow, values))[0]
}

/**
 * Removes the entry with this row number or, where no row has it, this server id. Undefined when
 * there is none.
 */
export async function removeServerRow(
  tx: Queryable,
  rowId: number | undefined,
  serverId: string,
): Promise<ServerRow | undefined> {
  const byRow = rowId === undefined ? [] : await tx.run<ServerRow>(removeByRow, [rowId])
  return byRow[0] ?? (await tx.run<ServerRow>(removeByServer, [serverId]))[0]
}

/** Counts a refused post; the `refusalsMax`th in a row switches the channel off. */
export async function countRefusedPost(
  tx: Queryable,
  channelId: string,
  problem: string,
  refusalsMax: number,
): Promise<{ isActive: boolean } | undefined> {
  return (await tx.run<{ isActive: boolean }>(countRefusal, [channelId, problem, refusalsMax]))[0]
}

/** A post has arrived: whatever was wrong with the channel is over. */
export async function clearServerProblem(
  tx: Queryable,
  channelId: string,
  now: Date,
): Promise<void> {
  await tx.run(clearProblem, [channelId, now])
}
