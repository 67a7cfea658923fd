// The Discord bot's whitelist and test post, and what it pays and when it posts.

import {
  type AddDiscordServerRequest,
  type BotSettings,
  adminBotsContract as contract,
  type SaveBotSettingsRequest,
} from '@redpack/contract'
import { integerMax } from '@redpack/contract/limits'
import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { command, withAnswer, withSentence } from '../../adapters/http/command.ts'
import { serve, staffMember } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { isSame, refuseChangedMeanwhile, withGiven } from '../../rules/changed-meanwhile.ts'
import { nextSlot, postingHours } from '../../rules/post-schedule.ts'
import { existing, invariant, wrongField } from '../../shared/domain-error.ts'
import { DiscordFault } from '../../shared/far-side-faults.ts'
import { targetOf } from '../../shared/staff-call.ts'
import { botProblem, clearBotStop, stopBot } from '../outbox/bot-stop-tables.ts'
import { currentSettings, sendTestClaim } from './posts.ts'
import { problemOfPlace } from './send-post.ts'
import {
  addServerRow,
  type CheckResult,
  discordServer,
  discordServerList,
  findServer,
  lockSettings,
  removeServerRow,
  type SettingsRow,
  writeSettings,
} from './tables.ts'

export function registerDiscordBot(context: FeatureContext): void {
  const { app, deps, guards } = context
  serve(app, guards, contract.servers, () => discordServerList(deps.db))
  command(context, contract.addServer, {
    order: ({ body }) => body,
    prepare: (server) => checkServer(deps, server),
    run: async (tx, by, server, check) => {
      const done = await addServer(tx, by, server, check)
      const added = await discordServer(tx, done.answer)
      invariant(added !== undefined, 'a server that was just added is there')
      return withAnswer(done, added)
    },
  })
  command(context, contract.removeServer, {
    order: ({ params }) => params.id,
    run: async (tx, by, id) =>
      withSentence(await removeServer(tx, by, id), 'Discord server removed'),
  })
  serve(app, guards, contract.settings, () => botSettings(deps))
  command(context, contract.saveSettings, {
    order: ({ body }) => body,
    run: async (tx, by, change) =>
      withAnswer(await saveSettings(tx, by, change), await botSettings({ ...deps, db: tx })),
  })
  // Its post is planned, sent and recorded in transactions of their own.
  serve(app, guards, contract.testClaim, async (call) => {
    const messageId = await sendTestClaim(deps, staffMember(call), call.body.channelId)
    return { success: true as const, message: 'Test claim sent', messageId }
  })
}

/** What the settings are, and what follows from them for the bot as it is now. */
async function botSettings(
  deps: Omit<Deps, 'db'> & { readonly db: Queryable },
): Promise<BotSettings> {
  const { rewardAmount, isActive, postSchedule, isDefault } = await currentSettings(deps.db)
  const problem = await botProblem(deps)
  const { hasToken } = deps.discord
  const runs = hasToken && problem === undefined && isActive && rewardAmount > 0
  const next = runs ? nextSlot(postSchedule, deps.clock.now()) : undefined
  return {
    rewardAmount,
    isActive,
    postSchedule,
    isDefault,
    hasToken,
    problem: problem ?? null,
    nextPostAt: next?.toISOString() ?? null,
  }
}

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
