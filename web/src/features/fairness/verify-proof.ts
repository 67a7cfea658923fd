// Draws one opened pack again from its proof, with the browser's own cryptography, and follows its
// entry to the checkpoint of the public log.

import { hmac, sha256 } from '../../lib/digest.ts'
import { bytesOfHex, utf8 } from '../../lib/tlog/bytes.ts'
import type { VerifierKey } from '../../lib/tlog/signed-note.ts'
import { checkLogProof, type LogFinding } from './check-log-proof.ts'
import type { DrawProof, Verdict } from './draw-proof.ts'
import {
  canonicalTable,
  drawnAt,
  isOutcomeOf,
  isTable,
  type RollRange,
  rollMessage,
  rollOf,
  rollRanges,
  type TableEntry,
} from './draw-table.ts'

/** The checks, in the order in which they build on one another. */
export const checkNames = ['table', 'commitment', 'roll', 'outcome', 'log'] as const
export type CheckName = (typeof checkNames)[number]

export interface Verification {
  /** Failed when any check failed, else waiting when any is waiting. */
  readonly verdict: Verdict
  readonly checks: Readonly<Record<CheckName, Verdict>>
  /** SHA-256 of the table as it was computed here. */
  readonly tableHash: string
  /** Ranges of the prizes in the table's order, empty for a table that is none. */
  readonly ranges: readonly RollRange[]
  /** SHA-256 of the server seed as it was computed here, null while it is secret. */
  readonly serverSeedHash: string | null
  /** The whole HMAC in hex, null while the server seed is secret. */
  readonly digest: string | null
  /** The first 52 bits of the digest, null while the server seed is secret. */
  readonly roll: bigint | null
  /** The entry whose range holds the roll; null for none, undefined while it is unknown. */
  readonly drawn: TableEntry | null | undefined
  /** What was found about the entry in the public log. */
  readonly log: LogFinding
}

const seedPattern = /^[0-9a-f]{64}$/

/**
 * Computes everything a proof claims. A proof whose server seed is still secret waits.
 * @param key the key of the log, when it is known
 * @throws when the browser offers no cryptography, as on a page without a secure connection
 */
export async function verifyProof(
  proof: DrawProof,
  key: VerifierKey | null = null,
): Promise<Verification> {
  const { opening, table } = proof
  const log = await checkLogProof(proof, key)
  const tableHash = await sha256(utf8(canonicalTable(table)))
  const ranges = isTable(table) ? rollRanges(table.entries) : []
  const isWhole = opening.scheme === 1 || table.consolationRedCoin !== undefined
  const isSameTable =
    isTable(table) &&
    isWhole &&
    tableHash === opening.tableHash &&
    table.packTypeId === opening.packTypeId
  const tableCheck = isSameTable ? 'passed' : 'failed'
  if (opening.serverSeed === null) {
    const waiting = { commitment: 'waiting', roll: 'waiting', outcome: 'waiting' } as const
    const known = { serverSeedHash: null, digest: null, roll: null, drawn: undefined }
    const checks = { table: tableCheck, ...waiting, log: log.verdict } as const
    return verification(checks, { tableHash, ranges, log, ...known })
  }
  const isSeed = seedPattern.test(opening.serverSeed)
  const seed = isSeed ? bytesOfHex(opening.serverSeed) : new Uint8Array()
  const serverSeedHash = await sha256(seed)
  const isCommitted = isSeed && serverSeedHash === opening.serverSeedHash
  const digest = isSeed ? await hmac(seed, messageOf(opening)) : null
  const roll = digest === null ? null : rollOf(digest)
  const drawn = roll === null ? undefined : drawnAt(ranges, roll)
  const isRightNonce = Number.isSafeInteger(opening.nonce) && opening.nonce >= 0
  return verification(
    {
      table: tableCheck,
      commitment: isCommitted ? 'passed' : 'failed',
      roll: roll !== null && isRightNonce ? 'passed' : 'failed',
      outcome: drawn !== undefined && isOutcomeOf(drawn, table, opening) ? 'passed' : 'failed',
      log: log.verdict,
    },
    { tableHash, ranges, serverSeedHash, digest, roll, drawn, log },
  )
}

function verification(
  checks: Verification['checks'],
  found: Omit<Verification, 'verdict' | 'checks'>,
): Verification {
  const verdicts = Object.values(checks)
  const worst = (['failed', 'waiting'] as const).find((verdict) => verdicts.includes(verdict))
  return { verdict: worst ?? 'passed', checks, ...found }
}

/** The text that is signed with the server seed to give the roll. */
export function messageOf({ scheme, clientSeed, nonce, tableHash }: DrawProof['opening']): string {
  return rollMessage(scheme, clientSeed, nonce, tableHash)
}
