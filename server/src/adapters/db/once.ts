// Makes a call with an Idempotency-Key take effect once, however often it arrives.

import { createHash } from 'node:crypto'
import { type JsonText, jsonText, trustedJson } from '../../rules/json-text.ts'
import { Refusal } from '../../rules/refusal.ts'
import type { StaffCall } from '../../rules/staff-call.ts'
import { type Database, type Queryable, statement } from './database.ts'
import { sqlState } from './retry.ts'

export interface KeyedCall {
  readonly userId: number
  /** Method and path, so that one key can serve different calls. */
  readonly route: string
  readonly key: string | undefined
  /** Everything that decides what the call does; another input under the same key is refused. */
  readonly input: unknown
  readonly now: Date
}

/** A call of staff: their key counts for them, on its route. */
export function keyedByStaff(staff: StaffCall, input: unknown, now: Date): KeyedCall {
  return { userId: staff.actorId, route: staff.route, key: staff.idempotencyKey, input, now }
}

export interface OnceAnswer<Answer> {
  readonly body: JsonText<Answer>
  /** True when the text was stored by an earlier request with the same key. */
  readonly replayed: boolean
}

const claimKey = statement(
  'claim_idempotency_key',
  `INSERT INTO idempotency_keys (user_id, route, key, input_hash, created_at)
   VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING key`,
)
const readKey = statement(
  'read_idempotency_key',
  'SELECT input_hash, body FROM idempotency_keys WHERE user_id = $1 AND route = $2 AND key = $3',
)
const keepAnswer = statement(
  'keep_idempotent_answer',
  `UPDATE idempotency_keys SET status = 200, body = $4
   WHERE user_id = $1 AND route = $2 AND key = $3`,
)

/**
 * Runs `work` in one transaction whose first write is the key's row (economy.md 1.1): the same key
 * and input answers the stored text, a concurrent twin waits for the first to end. What `work`
 * refuses is not stored, since the transaction rolls back.
 * @throws Refusal idempotency_mismatch, idempotency_in_flight, or whatever `work` throws
 */
export function once<Answer>(
  db: Database,
  call: KeyedCall,
  work: (tx: Queryable) => Promise<Answer>,
): Promise<OnceAnswer<Answer>> {
  const { userId, route, key, now } = call
  const inputHash = createHash('sha256').update(JSON.stringify(call.input)).digest('hex')
  return db.transaction(async (tx) => {
    if (key === undefined) return { body: jsonText(await work(tx)), replayed: false }
    const claimed = await tx
      .run(claimKey, [userId, route, key, inputHash, now])
      .catch(refuseAfterWaiting)
    if (claimed.length === 0) return replay(tx, call, inputHash)
    const body = jsonText(await work(tx))
    await tx.run(keepAnswer, [userId, route, key, body])
    return { body, replayed: false }
  })
}

function inFlight(): Refusal {
  return new Refusal('idempotency_in_flight', 'A request with this Idempotency-Key is in progress')
}

/** The twin that holds the key outlived the time a lock is waited for. */
function refuseAfterWaiting(error: unknown): never {
  if (sqlState(error) === '55P03') throw inFlight()
  throw error
}

async function replay<Answer>(
  tx: Queryable,
  call: KeyedCall,
  inputHash: string,
): Promise<OnceAnswer<Answer>> {
  const rows = await tx.run<{ input_hash: string; body: string | null }>(readKey, [
    call.userId,
    call.route,
    call.key,
  ])
  const stored = rows[0]
  if (stored === undefined || (stored.input_hash === inputHash && stored.body === null)) {
    throw inFlight()
  }
  if (stored.input_hash !== inputHash || stored.body === null) {
    throw new Refusal(
      'idempotency_mismatch',
      'This Idempotency-Key was used with a different request',
    )
  }
  return { body: trustedJson(stored.body), replayed: true }
}
