// Makes a call with an Idempotency-Key take effect once, however often it arrives.

import { type JsonText, jsonText } from '../../shared/json-text.ts'
import type { Database, Queryable } from './database.ts'
import { existsQuery, rowQuery, writeQuery } from './queries.ts'
import { sqlState } from './retry.ts'
import {
  answerOfKey,
  hashInput,
  insertKey,
  isKey,
  keyInFlight,
  type StoredKey,
} from './stored-key.ts'

export interface KeyedCall {
  readonly userId: number
  /** Method and path, so that one key can serve different calls. */
  readonly route: string
  readonly key: string | undefined
  /** Everything that decides what the call does; another input under the same key is refused. */
  readonly input: unknown
  readonly now: Date
}

export interface IdempotentAnswer<Answer> {
  readonly body: JsonText<Answer>
  /** True when the text was stored by an earlier request with the same key. */
  readonly replayed: boolean
}

type Name = [userId: number, route: string, key: string]

const claimKey = existsQuery<[...Name, inputHash: string, now: Date]>(
  'claim_idempotency_key',
  `${insertKey}
   VALUES ($1, $2, $3, $4, NULL, NULL, $5)
   ON CONFLICT DO NOTHING RETURNING key`,
)
const readKey = rowQuery<StoredKey, Name>(
  'read_idempotency_key',
  `SELECT k.input_hash AS "inputHash", k.body, k.status FROM idempotency_keys k
   WHERE ${isKey('$1', '$2', '$3')}`,
)
const keepAnswer = writeQuery<[...Name, body: string]>(
  'keep_idempotent_answer',
  `UPDATE idempotency_keys k SET status = 200, body = $4 WHERE ${isKey('$1', '$2', '$3')}`,
)

/**
 * Runs `work` in one transaction whose first write is the key's row (economy.md 1.1): the same key
 * and input answers the stored text, a concurrent twin waits for the first to end. What `work`
 * refuses is not stored, since the transaction rolls back.
 * @throws DomainError idempotency_mismatch, idempotency_in_flight, already_completed where the
 * answer named somebody who has left since, or whatever `work` throws
 */
export function idempotent<Answer>(
  db: Database,
  call: KeyedCall,
  work: (tx: Queryable) => Promise<Answer>,
  write: (answer: Answer) => JsonText<Answer> = jsonText,
): Promise<IdempotentAnswer<Answer>> {
  const { userId, route, key, now } = call
  if (key === undefined) {
    return db.transaction(async (tx) => ({ body: write(await work(tx)), replayed: false }))
  }
  const inputHash = hashInput(call.input)
  return db.transaction(async (tx) => {
    const isFirst = await claimKey(tx, userId, route, key, inputHash, now).catch(refuseAfterWaiting)
    if (!isFirst) {
      const stored = await readKey(tx, userId, route, key)
      if (stored === undefined) throw keyInFlight()
      return { body: answerOfKey(stored, inputHash), replayed: true }
    }
    const body = write(await work(tx))
    await keepAnswer(tx, userId, route, key, body)
    return { body, replayed: false }
  })
}

/** The twin that holds the key outlived the time a lock is waited for. */
function refuseAfterWaiting(error: unknown): never {
  if (sqlState(error) === '55P03') throw keyInFlight()
  throw error
}
