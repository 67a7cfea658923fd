// Saves what the Discord bot pays and when it posts, and keeps the whitelist of servers.

import type { AddDiscordServerRequest, SaveBotSettingsRequest } from '@redpack/contract'
import { integerMax } from '@redpack/contract/limits'
import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { isSame, refuseChangedMeanwhile, withGiven } from '../../rules/changed-meanwhile.ts'
import { postingHours } from '../../rules/post-schedule.ts'
import { existing, invariant, wrongField } from '../../shared/domain-error.ts'
import { DiscordFault } from '../../shared/far-side-faults.ts'
import { targetOf } from '../../shared/staff-call.ts'
import { clearBotStop } from '../outbox/bot-stop-tables.ts'
import { botProblem, problemOfPlace, stopBot } from './send-post.ts'
import {
  addServerRow,
  type CheckResult,
  findServer,
  lockSettings,
  removeServerRow,
  type SettingsRow,
  writeSettings,
} from './tables.ts'

/**
 * Changes the given settings; the others keep what is saved, or the defaults while nothing is.
 * Posting by other hours, or again, begins with the next slot. A bot that stopped because of its
 * token tries again.
 * @throws DomainError changed_meanwhile
 */
export async function saveSettings(
  tx: Queryable,
  { now }: Author,
  change: SaveBotSettingsRequest,
): Promise<Outcome<void>> {
  const { row: before, isNew } = await lockSettings(tx)
  invariant(before !== undefined, 'locked settings exist')
  refuseChangedMeanwhile(before, change, change.expected)
  const { rewardAmount, isActive, postSchedule } = withGiven<SettingsRow>(before, change)
  const goesOn = isActive === before.isActive && isSameSchedule(postSchedule, before.postSchedule)
  const scheduledFrom = goesOn ? before.scheduledFrom : now
  const hours = JSON.stringify(postSchedule)
  await writeSettings(tx, { rewardAmount, isActive, hours, scheduledFrom })
  await clearBotStop(tx)
  const said = { before: isNew ? undefined : auditedSettings(before) }
  const after = { rewardAmount, isActive, postSchedule }
  const target = targetOf('setting', 'discord_bot')
  return {
    answer: undefined,
    audit: isSame(said.before, after)
      ? undefined
      : { action: 'discord_settings.save', ...target, ...said, after },
  }
}

function isSameSchedule(one: readonly number[], other: readonly number[]): boolean {
  return postingHours(one).join() === postingHours(other).join()
}

function auditedSettings({ rewardAmount, isActive, postSchedule }: SettingsRow) {
  return { rewardAmount, isActive, postSchedule }
}

/** @throws DomainError duplicate for a server that is on the list */
export async function addServer(
  tx: Queryable,
  { now }: Author,
  server: AddDiscordServerRequest,
  check: CheckResult,
): Promise<Outcome<number>> {
  const row = await addServerRow(tx, { ...server, ...check, now })
  if (row === undefined) throw duplicate()
  const target = targetOf('discord_server', server.serverId)
  return { answer: row.id, audit: { action: 'discord_server.add', ...target, after: row } }
}

const duplicate = () =>
  wrongField('serverId', 'This Discord server is already on the list', 'duplicate')

const unchecked = (problem: string): CheckResult => ({ checkedAt: null, problem })

/**
 * Asks Discord whether the bot can post there. Where Discord cannot be asked the entry is made all
 * the same and says that it is unchecked.
 * @throws DomainError duplicate for a server that is on the list, invalid_input with what is wrong
 */
export async function checkServer(
  deps: Deps,
  server: AddDiscordServerRequest,
): Promise<CheckResult> {
  if ((await findServer(deps.db, server.serverId)) !== undefined) throw duplicate()
  if (!deps.discord.hasToken) return unchecked('Not checked: the bot has no token.')
  if ((await botProblem(deps)) !== undefined) {
    return unchecked('Not checked: Discord does not accept the bot token.')
  }
  try {
    const check = await deps.discord.checkPlace(server.serverId, server.channelId)
    const problem = problemOfPlace(check)
    if (problem === undefined) return { checkedAt: deps.clock.now(), problem: null }
    throw wrongField(problem.field, problem.words)
  } catch (error) {
    if (!(error instanceof DiscordFault)) throw error
    if (error.kind === 'token') await stopBot(deps)
    return unchecked(`Not checked: ${error.message}.`)
  }
}

/** @throws DomainError not_found */
export async function removeServer(
  tx: Queryable,
  _by: Author,
  /** Row number or Discord's id of the server. */
  id: string,
): Promise<Outcome<void>> {
  const isRowId = /^[1-9]\d{0,9}$/.test(id) && Number(id) <= integerMax
  const removed = existing(
    await removeServerRow(tx, isRowId ? Number(id) : undefined, id),
    'Discord server not found',
  )
  const target = targetOf('discord_server', removed.serverId)
  return {
    answer: undefined,
    audit: { action: 'discord_server.remove', ...target, before: removed },
  }
}
