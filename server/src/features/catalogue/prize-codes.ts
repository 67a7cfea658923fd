// Codes as prizes, as staff add them: with a verdict for each line.

import { type AddCodesResponse, adminPrizesContract, type codeVerdicts } from '@redpack/contract'
import { bulkRowsMax } from '@redpack/contract/limits'
import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Encryption } from '../../adapters/encryption/encryption.ts'
import { command } from '../../adapters/http/command.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { decodeFile } from '../../rules/bulk-file.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { prizeCodeContext } from '../../shared/sealed-text.ts'
import { targetOf } from '../../shared/staff-call.ts'
import { setStock } from '../ledger/ledger-tables.ts'
import {
  dropUnused,
  idsForCodes,
  insertCodes,
  knownMarks,
  lockForCodes,
  unusedCodes,
} from './prize-code-tables.ts'
import { lockLivePrize, prizesChanged, sum } from './prizes.ts'

const codeMax = 200

export function registerPrizeCodes(context: FeatureContext): void {
  command(context, adminPrizesContract.addCodes, {
    order: ({ params, body, file }) =>
      [params.id, file === undefined ? (body.codes ?? []) : linesOf(file.bytes)] as const,
    run: (tx, by, [id, lines]) => addCodes(tx, by, context.deps.encryption, id, lines),
  })
}

/**
 * The lines of a file, without the byte order mark and the end of the last line.
 * @throws DomainError invalid_input for what is no text
 */
function linesOf(bytes: Uint8Array): string[] {
  const text = decodeFile(bytes, 'file of codes')
  const lines = text.split(/\r\n|\n|\r/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** What the mark of a code is the fingerprint of. */
export const markedOf = (code: string) => ['prize_code', code] as const

/**
 * Adds codes to a prize, whose stock grows by those that are new. No code is told again: an answer
 * names lines, and the log of staff actions a number. Unused codes of deleted prizes count as new.
 * @throws DomainError not_found, wrong_state for a prize that delivers none, invalid_input for no
 * line or too many
 */
export async function addCodes(
  tx: Queryable,
  { requestId, now }: Author,
  encryption: Encryption,
  id: number,
  lines: readonly string[],
): Promise<Outcome<AddCodesResponse>> {
  if (lines.length === 0) throw new DomainError('invalid_input', 'There is no code in it')
  if (lines.length > bulkRowsMax) {
    throw new DomainError('invalid_input', `At most ${bulkRowsMax} codes at once`)
  }
  const codes = lines.map((line) => line.normalize('NFC').trim())
  const first = new Map(codes.toReversed().map((code, at) => [code, codes.length - 1 - at]))
  const fitting = codes.filter(
    (code, at) => first.get(code) === at && code !== '' && code.length <= codeMax,
  )
  const earlier = new Map(
    fitting.map((code) => [code, encryption.fingerprints(...markedOf(code))] as const),
  )
  const marks = [...earlier.values()].flat()
  const locked = await lockForCodes(tx, id, marks)
  const prize = await lockLivePrize(tx, id)
  if (!prize.deliversCodes) throw new DomainError('wrong_state', 'This prize delivers no codes')
  const source = { type: 'staff_change', id: requestId } as const
  // What a deleted prize never gave away is no longer its own.
  const deleted = locked.filter((each) => each !== id)
  const takenFrom = [...new Set(await dropUnused(tx, deleted, marks))]
  for (const each of takenFrom) {
    const quantity = await unusedCodes(tx, each)
    await setStock(tx, { kind: 'prize', id: each, quantity, source, now })
  }
  const known = new Set(await knownMarks(tx, marks))
  const fresh = fitting.filter((code) => !earlier.get(code)?.some((mark) => known.has(mark)))
  const ids = await idsForCodes(tx, fresh.length)
  const rows = fresh.map((code, index) => {
    const row = ids[index] ?? 0
    const mark = encryption.fingerprint(...markedOf(code))
    return { id: row, mark, sealed: encryption.seal(code, prizeCodeContext(row)), code }
  })
  const inserted = await insertCodes(tx, id, rows, now)
  const added = new Set(rows.flatMap(({ code, mark }) => (inserted.has(mark) ? [code] : [])))
  if (added.size > 0) {
    const quantity = sum(prize.inventoryQuantity, added.size)
    await setStock(tx, { kind: 'prize', id, quantity, source, now })
  }
  const verdictOf = (code: string, at: number): (typeof codeVerdicts)[number] => {
    if (code === '') return 'empty'
    if (code.length > codeMax) return 'too_long'
    if (first.get(code) !== at) return 'twice'
    return added.has(code) ? 'added' : 'known'
  }
  const verdicts = codes.map((code, at) => ({ line: at + 1, verdict: verdictOf(code, at) }))
  return {
    answer: { added: added.size, verdicts },
    audit: {
      action: 'prize.add_codes',
      ...targetOf('prize', id),
      after: { added: added.size, lines: lines.length, ...(takenFrom.length > 0 && { takenFrom }) },
    },
    events: prizesChanged,
  }
}
