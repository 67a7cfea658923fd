// Entries that were carried over from the first log, and what entries say about later ones.

import { sha256Hex } from '../../adapters/random/rolls.ts'

/** An entry as it stands in the log. */
export interface LoggedEntry {
  readonly index: number
  readonly body: string
}

export interface CarriedRow {
  readonly index: number
  readonly created_at: Date
  readonly pack_type_id: number
  readonly first_nonce: number
  readonly quantity: number
  readonly table_hash: string
  readonly server_seed_hash: string
  readonly prize_ids: readonly (number | null)[] | null
}

export type Fields = Readonly<Record<string, unknown>>

/** The fields of an entry, none when it is no JSON object. */
export function fieldsOf({ body }: LoggedEntry): Fields {
  try {
    const fields: unknown = JSON.parse(body)
    return typeof fields === 'object' && fields !== null ? (fields as Fields) : {}
  } catch {
    return {}
  }
}

/** What entries say about later ones. */
export interface LogMemory {
  /** Hash of the last carried entry. */
  carriedHash: string
  carriedPosition: number
  /** Units left of each prize whose stock has been told, null for no end. */
  readonly stock: Map<unknown, number | null>
}

/** The first log was a chain; each carried entry holds the hash of the one before. */
export function carriedDifference(
  { position, body, hash }: Fields,
  row: CarriedRow | undefined,
  memory: LogMemory,
): string | undefined {
  const { carriedHash, carriedPosition } = memory
  memory.carriedHash = String(hash)
  memory.carriedPosition = carriedPosition + 1
  if (typeof body !== 'string' || sha256Hex(body) !== hash)
    return 'its hash is not that of its text'
  const told = fieldsOf({ index: 0, body })
  if (position !== carriedPosition + 1 || told['previousHash'] !== carriedHash) {
    return 'it does not follow from the carried entry before'
  }
  if (row === undefined) return 'there is no such opening request'
  const expected = JSON.stringify({
    position,
    openingRequestAt: `${row.created_at.toISOString().slice(0, 16)}:00.000Z`,
    packTypeId: row.pack_type_id,
    tableHash: row.table_hash,
    serverSeedHash: row.server_seed_hash,
    firstNonce: row.first_nonce,
    quantity: row.quantity,
    prizeIds: row.prize_ids ?? [],
    previousHash: carriedHash,
  })
  return body === expected ? undefined : 'the opening request is another one'
}
