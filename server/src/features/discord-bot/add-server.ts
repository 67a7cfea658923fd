// Puts a Discord server with its channel on the whitelist.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { DiscordFault } from '../../shared/discord-fault.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { botProblem, stopBot } from './bot-stop.ts'
import { problemOfPlace } from './channel-words.ts'
import { addServerRow, type CheckResult, findServer, type NewServer } from './server-tables.ts'

/** @throws DomainError duplicate for a server that is on the list */
export async function addServer(
  tx: Queryable,
  { now }: Author,
  server: NewServer,
  check: CheckResult,
): Promise<Outcome<number>> {
  const row = await addServerRow(tx, server, check, now)
  if (row === undefined) throw duplicate()
  const target = { targetType: 'discord_server', targetId: server.serverId }
  return { answer: row.id, audit: { action: 'discord_server.add', ...target, after: row } }
}

function duplicate(): DomainError {
  const message = 'This Discord server is already on the list'
  return new DomainError('duplicate', message, { errors: [{ path: 'serverId', message }] })
}

const unchecked = (problem: string): CheckResult => ({ checkedAt: null, problem })

/**
 * Asks Discord whether the bot can post there. Where Discord cannot be asked the entry is made all
 * the same and says that it is unchecked.
 * @throws DomainError duplicate for a server that is on the list, invalid_input with what is wrong
 */
export async function checkServer(deps: Deps, server: NewServer): Promise<CheckResult> {
  if ((await findServer(deps.db, server.serverId)) !== undefined) throw duplicate()
  if (!deps.discord.hasToken) return unchecked('Not checked: the bot has no token.')
  if ((await botProblem(deps)) !== undefined) {
    return unchecked('Not checked: Discord does not accept the bot token.')
  }
  try {
    const check = await deps.discord.checkPlace(server.serverId, server.channelId)
    const problem = problemOfPlace(check)
    if (problem === undefined) return { checkedAt: deps.clock.now(), problem: null }
    const errors = [{ path: problem.field, message: problem.words }]
    throw new DomainError('invalid_input', problem.words, { errors })
  } catch (error) {
    if (!(error instanceof DiscordFault)) throw error
    if (error.kind === 'token') await stopBot(deps)
    return unchecked(`Not checked: ${error.message}.`)
  }
}
