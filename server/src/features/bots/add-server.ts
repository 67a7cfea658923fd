// Puts a Discord server with its channel on the whitelist.

import type { World } from '../../adapters/world.ts'
import { DiscordFault } from '../../rules/discord-fault.ts'
import { Refusal } from '../../rules/refusal.ts'
import type { StaffMember } from '../../rules/staff-call.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { botProblem, stopBot } from './bot-stop.ts'
import { problemOfPlace } from './channel-words.ts'
import { addServerRow, type CheckResult, findServer, type NewServer } from './server-tables.ts'

/**
 * Asks Discord first whether the bot can post there. Where Discord cannot be asked the entry is
 * made all the same and says that it is unchecked. Answers the row number.
 * @throws Refusal duplicate for a server that is on the list, invalid_input with what is wrong
 */
export async function addServer(
  world: World,
  staff: StaffMember,
  server: NewServer,
): Promise<number> {
  if ((await findServer(world.db, server.serverId)) !== undefined) throw duplicate()
  const check = await checkServer(world, server)
  const now = world.clock.now()
  return world.db.transaction(async (tx) => {
    const row = await addServerRow(tx, server, check, now)
    if (row === undefined) throw duplicate()
    await recordStaffAction(tx, {
      ...staff,
      action: 'discord_server.add',
      targetType: 'discord_server',
      targetId: server.serverId,
      after: row,
      now,
    })
    return row.id
  })
}

function duplicate(): Refusal {
  const message = 'This Discord server is already on the list'
  return new Refusal('duplicate', message, { errors: [{ path: 'serverId', message }] })
}

const unchecked = (problem: string): CheckResult => ({ checkedAt: null, problem })

async function checkServer(world: World, server: NewServer): Promise<CheckResult> {
  if (!world.discord.hasToken) return unchecked('Not checked: the bot has no token.')
  if ((await botProblem(world)) !== undefined) {
    return unchecked('Not checked: Discord does not accept the bot token.')
  }
  try {
    const check = await world.discord.checkPlace(server.serverId, server.channelId)
    const problem = problemOfPlace(check)
    if (problem === undefined) return { checkedAt: world.clock.now(), problem: null }
    const errors = [{ path: problem.field, message: problem.words }]
    throw new Refusal('invalid_input', problem.words, { errors })
  } catch (error) {
    if (!(error instanceof DiscordFault)) throw error
    if (error.kind === 'token') await stopBot(world)
    return unchecked(`Not checked: ${error.message}.`)
  }
}
