// Takes a Discord server off the whitelist; its open messages can no longer be claimed.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { removeServerRow } from './server-tables.ts'

const rowIdMax = 2_147_483_647

/** @throws DomainError not_found */
export async function removeServer(
  tx: Queryable,
  _by: Author,
  /** Row number or Discord's id of the server. */
  id: string,
): Promise<Outcome<void>> {
  const isRowId = /^[1-9]\d{0,9}$/.test(id) && Number(id) <= rowIdMax
  const removed = await removeServerRow(tx, isRowId ? Number(id) : undefined, id)
  if (removed === undefined) throw new DomainError('not_found', 'Discord server not found')
  const target = { targetType: 'discord_server', targetId: removed.serverId }
  return {
    answer: undefined,
    audit: { action: 'discord_server.remove', ...target, before: removed },
  }
}
