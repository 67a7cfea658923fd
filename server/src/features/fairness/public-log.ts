// The public log: what has happened is appended, signed and cosigned, and proven to whoever asks.
//
// Entries stand in the order of the queue's ids (docs/economy.md, Order). A row that commits late
// is appended late and never missed, and what hangs together is in order all the same: ids of one
// chain are given out under the lock of its user, those of a limited prize under the lock of the
// prize, both held until the commit. A table is committed, or stands before its first draw.

import { hexOf, utf8 } from '@redpack/fair/bytes'
import {
  type Checkpoint,
  checkpointText,
  logProofText,
  parseCheckpoint,
  parseNote,
  signatureLine,
  signatureTypes,
  verifierKey,
  verifierKeyText,
} from '@redpack/fair/notes'
import {
  consistencyRanges,
  growTree,
  inclusionRanges,
  provesConsistency,
  rootOfEdge,
  type TreeHead,
} from '@redpack/fair/tree'
import type { Queryable } from '../../adapters/db/database.ts'
import { retireChains } from '../../adapters/db/retire-chains.ts'
import type { Deps } from '../../adapters/deps.ts'
import { logHashes, nodeHashing } from '../../adapters/random/hashing.ts'
import {
  addLogKey,
  currentLogKey,
  forgetCheckpoints,
  type LogFault,
  type LogKey,
  newestCheckpoint,
  requestInLog,
  type StoredCheckpoint,
  setLogFault,
  storeCheckpoint,
  storeCosignature,
  storeWitnessProblem,
  type WitnessToAsk,
  witnessesToAsk,
} from './checkpoint-tables.ts'
import { countSteps, stepsOfRows } from './delivery-tables.ts'
import {
  appendEntries,
  countDraws,
  logRoots,
  logSize,
  setRowsAside,
  treeEdge,
  tryAppendLock,
  type WaitingRow,
  waitForAppendLock,
  waitingRows,
} from './log-tables.ts'

/** One round: each step stands on what is committed, so none can hold an earlier one up. */
export async function keepLog(deps: Deps): Promise<void> {
  await appendLogEntries(deps)
  await signCheckpoint(deps)
  await askWitnesses(deps)
}

/** Making entries holds up everything else, so there is an end to it. */
const batchSize = 2000

/**
 * Appends what is committed and waits, oldest first, in transactions of two thousand queue rows.
 * Running it twice, or in several processes at once, appends each row once. A row from which no
 * entry can be made is set aside, told to the operator's log, and named by the books. `batches` are
 * the transactions at most.
 * @returns how many entries were appended by this run
 */
export async function appendLogEntries(
  deps: Pick<Deps, 'db' | 'log'>,
  { batches = Number.POSITIVE_INFINITY } = {},
): Promise<number> {
  let total = 0
  for (let batch = 0; batch < batches; batch += 1) {
    const { appended, damaged, isMore } = await deps.db.transaction(appendBatch)
    total += appended
    for (const row of damaged) deps.log.error(row, 'no log entry can be made from this row')
    if (!isMore) break
  }
  return total
}

/** `isMore` tells that the queue was longer than one batch. */
async function appendBatch(tx: Queryable) {
  const rows = (await tryAppendLock(tx)) ? await waitingRows(tx, batchSize) : []
  const seen = new Set<string>()
  const judged = rows.map((row) => ({ row, reason: damageOf(row, seen) }))
  const damaged = judged.flatMap(({ row: { id, kind, ref }, reason }) =>
    reason === undefined ? [] : [{ id, kind, ref, reason }],
  )
  const sound = judged.flatMap(({ row, reason }) => (reason === undefined ? row : []))
  const { firstSteps, faults, changes } = await stepsOfRows(tx, sound)
  for (const [{ id, kind, ref }, reason] of faults) damaged.push({ id, kind, ref, reason })
  const good = faults.size > 0 ? sound.filter((row) => !faults.has(row)) : sound
  const bodies = good.flatMap(({ id, entries }) => [...entries, ...(firstSteps.get(id) ?? [])])
  if (damaged.length > 0) await setRowsAside(tx, damaged)
  if (bodies.length > 0) {
    const size = await logSize(tx)
    const leafHashes = bodies.map((body) => logHashes.leafHash(utf8(body)))
    const edge = await treeEdge(tx, size)
    const { subtrees } = growTree(size, edge, leafHashes, logHashes.nodeHash)
    await appendEntries(tx, size, good, firstSteps, bodies, leafHashes, subtrees)
    await countDraws(tx, good)
    await countSteps(tx, changes)
  }
  return { appended: bodies.length, damaged, isMore: rows.length >= batchSize }
}

/** Why no entry can be made of a row; undefined when it can. */
function damageOf({ kind, ref, entries, loggedAt }: WaitingRow, seen: Set<string>) {
  const name = `${kind} ${ref}`
  // Changes of stock without an event of their own name the prize, and may follow each other, as
  // the steps of a shipment do.
  const isTwice = seen.has(name) && !ref.startsWith('prize ') && kind !== 'shipment'
  seen.add(name)
  if (isTwice) return 'it waits twice'
  if (loggedAt !== null) return 'it is in the log already'
  return entries.length === 0 ? 'what it names is missing or damaged' : undefined
}

export type SigningDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'publicLog' | 'log'>
type Signer = NonNullable<Deps['publicLog']['signer']>

/**
 * Signs the log as it stands, when it has grown or its key is new. Answers why it could not; then
 * the last checkpoint stays, and entries go on being appended and served. What was signed before is
 * known from the database and, since a dump can bring that back in time, from the data folder.
 */
export async function signCheckpoint(deps: SigningDeps): Promise<LogFault | undefined> {
  const { signer } = deps.publicLog
  if (signer === undefined) return 'key_changed'
  const { before, trouble } = await deps.db.transaction(async (tx) => {
    // Nobody appends meanwhile, so that size and hashes are of one moment.
    await waitForAppendLock(tx)
    const key = (await currentLogKey(tx)) ?? (await firstKey(deps, tx, signer))
    const found = await trySignCheckpoint(deps, tx, key, signer)
    await setLogFault(tx, key.id, found ?? null)
    // What the database has lost was told.
    const isNew = found !== undefined && found !== 'key_changed' && found !== key.trouble
    if (isNew) await retireChains(tx)
    return { before: key.trouble, trouble: found }
  })
  if (trouble !== undefined && trouble !== before) {
    deps.log.error({ trouble }, 'the public log cannot be signed; see docs/operating.md')
  }
  return trouble
}

/** The log is named after the address under which it is first signed. */
async function firstKey(deps: SigningDeps, tx: Queryable, { publicKey }: Signer): Promise<LogKey> {
  const origin = `${new URL(deps.config.publicUrl).host}/log`
  const key = { origin, publicKey, fromSize: await logSize(tx), lastNote: null }
  return addLogKey(tx, { ...key, reason: 'first', now: deps.clock.now() })
}

async function trySignCheckpoint(
  deps: Pick<SigningDeps, 'clock' | 'publicLog'>,
  tx: Queryable,
  key: LogKey,
  signer: Signer,
  keep = (note: string) => deps.publicLog.memory.keep(note),
) {
  if (hexOf(key.publicKey) !== hexOf(signer.publicKey)) return 'key_changed'
  const { kept, number } = remembered(deps.publicLog, key.origin)
  // A log that was given up for a new one came back with a dump from before that.
  if (number > numbered(key.origin).number) return 'history_lost'
  const size = await logSize(tx)
  const signed = await newestCheckpoint(tx)
  const isSigned = signed?.size === size && signed.keyId === key.id
  if (isSigned && key.trouble === null && (kept ?? signed).size === size) return undefined
  const root = rootOfEdge(await treeEdge(tx, size), logHashes)
  const now: Checkpoint = { origin: key.origin, size, root }
  const trouble = await contradiction(tx, now, [signed, kept])
  if (trouble !== undefined) return trouble
  const text = checkpointText(now)
  let note = signed?.note
  if (note === undefined || !isSigned) {
    note = `${text}\n${signatureLine(namedKey(key), signer.sign(text))}`
    await storeCheckpoint(tx, { size, root, keyId: key.id, note }, deps.clock.now())
  }
  keep(note)
  return undefined
}

const namedKey = ({ origin, publicKey }: LogKey) =>
  verifierKey(origin, signatureTypes.ed25519, publicKey, nodeHashing.sha256)

/** `host/log` is the first, `host/log-2` the second of that name. */
function numbered(origin: string) {
  const [, name = origin, number = '1'] = /^(.*\/log)(?:-(\d+))?$/.exec(origin) ?? []
  return { name, number: Number(number) }
}

/**
 * What this machine has signed last under the origin, whatever the database says, and the number of
 * the newest log of its name.
 */
function remembered({ memory }: Deps['publicLog'], origin: string) {
  const note = parseNote(memory.read() ?? '')
  const checkpoint = note && parseCheckpoint(note.text)
  const [own, last] = [numbered(origin), numbered(checkpoint?.origin ?? '')]
  return {
    kept: checkpoint?.origin === origin ? checkpoint : undefined,
    number: last.name === own.name ? Math.max(last.number, own.number) : own.number,
  }
}

/** Why the tree does not continue one of those that were signed. */
async function contradiction(
  tx: Queryable,
  now: TreeHead,
  signed: readonly (TreeHead | undefined)[],
): Promise<LogFault | undefined> {
  for (const older of signed) {
    if (older === undefined) continue
    if (older.size > now.size) return 'history_lost'
    const proof = await logRoots(tx, consistencyRanges(older.size, now.size))
    if (!provesConsistency(older, now, proof, logHashes.nodeHash)) return 'inconsistent'
  }
  return undefined
}

const firstPauseMillis = 5_000
const pauseMillisMax = 3_600_000

/** Each answers in two seconds, or is left alone for a while that doubles up to an hour. */
export async function askWitnesses(deps: Pick<Deps, 'db' | 'clock' | 'publicLog'>): Promise<void> {
  const { witnesses } = deps.publicLog
  const checkpoint = witnesses.length > 0 ? await newestCheckpoint(deps.db) : undefined
  if (checkpoint === undefined) return
  const keys = witnesses.map(({ verifierKey }) => verifierKey)
  const toAsk = await witnessesToAsk(deps.db, keys, checkpoint.size, deps.clock.now())
  await Promise.all(toAsk.map((state) => ask(deps, state, checkpoint)))
}

/** A witness that knows another size says so; it is asked once more from there. */
async function ask(
  { db, clock, publicLog }: Pick<Deps, 'db' | 'clock' | 'publicLog'>,
  { verifierKey, seenSize, failuresInRow }: WitnessToAsk,
  checkpoint: StoredCheckpoint,
): Promise<void> {
  const witness = publicLog.witnesses.find((each) => each.verifierKey === verifierKey)
  if (witness === undefined) return
  const { size, note } = checkpoint
  const cosign = async (older: number) => {
    // Its memory may be ahead of a log that was brought back in time.
    const known = older > size ? 0 : older
    return witness.cosign(known, await logRoots(db, consistencyRanges(known, size)), note)
  }
  let answer = await cosign(seenSize)
  if (answer.kind === 'conflict' && answer.size <= size) answer = await cosign(answer.size)
  const now = clock.now()
  if (answer.kind === 'cosigned') {
    return storeCosignature(db, verifierKey, checkpoint, answer.line, now)
  }
  const isAhead = answer.kind === 'conflict' && answer.size > size
  const problem =
    answer.kind === 'failed'
      ? answer.reason
      : isAhead
        ? `It has seen ${answer.size} entries of this log, which has only ${size}: its history was lost`
        : 'It does not keep what it has cosigned'
  const pause = Math.min(firstPauseMillis * 2 ** failuresInRow, pauseMillisMax)
  const nextTryAt = new Date(now.getTime() + pause)
  const seen = answer.kind === 'conflict' ? answer.size : null
  await storeWitnessProblem(db, verifierKey, seen, problem, nextTryAt)
}

/**
 * What was done, if anything: another key for the same log, or a new log under another name. With
 * `unseen` the log is in a trouble that nothing here shows.
 */
export interface Renewal {
  readonly kind: 'none' | 'well' | 'no_key' | 'unseen' | 'new_key' | 'new_log'
  readonly origin?: string
  readonly fromSize?: number
}

/**
 * A log whose history agrees with all that was signed keeps its name and gets the key that is set
 * now. One that contradicts what was signed can never be signed under its name again: it becomes a
 * new log, which whoever keeps watch will notice. The rows of before stay as the record of it.
 */
export async function renewLog(
  deps: Pick<SigningDeps, 'db' | 'clock' | 'publicLog'>,
): Promise<Renewal> {
  const { signer, memory } = deps.publicLog
  let note: string | undefined
  const renewal = await deps.db.transaction<Renewal>(async (tx) => {
    await waitForAppendLock(tx)
    const key = await currentLogKey(tx)
    const fromSize = await logSize(tx)
    if (key === undefined) return { kind: 'none' }
    if (signer === undefined) return { kind: 'no_key' }
    const { publicKey } = signer
    // The newest checkpoint that anybody may have seen.
    const lastNote = memory.read() ?? (await newestNote(tx)) ?? null
    const renew = async (origin: string, reason: 'new_key' | 'new_log') => {
      const now = deps.clock.now()
      const next = await addLogKey(tx, { origin, publicKey, fromSize, reason, lastNote, now })
      // Nobody is shown the key without a checkpoint that it has signed.
      await trySignCheckpoint(deps, tx, next, signer, (signed) => {
        note = signed
      })
      return { kind: reason, origin, fromSize }
    }
    const tree = { size: fromSize, root: rootOfEdge(await treeEdge(tx, fromSize), logHashes) }
    const { kept, number } = remembered(deps.publicLog, key.origin)
    const own = numbered(key.origin)
    const signed = [await newestCheckpoint(tx), kept]
    if (number > own.number || (await contradiction(tx, tree, signed)) !== undefined) {
      await forgetCheckpoints(tx)
      return renew(`${own.name}-${number + 1}`, 'new_log')
    }
    // Found by a process that remembers more than this folder does.
    if (/history_lost|inconsistent/.test(key.trouble ?? '')) return { kind: 'unseen' }
    if (hexOf(key.publicKey) !== hexOf(publicKey)) return renew(key.origin, 'new_key')
    await setLogFault(tx, key.id, null)
    return { kind: 'well' }
  })
  // Not before it is committed: what was lost would be known no more. Where this folder cannot be
  // written, the process that signs next keeps it.
  try {
    if (note !== undefined) memory.keep(note)
  } catch {}
  return renewal
}

/** The newest checkpoint with all its signatures, undefined before the first. */
export async function newestNote(db: Queryable): Promise<string | undefined> {
  return (await newestCheckpoint(db))?.served
}

/** The key in force as others are given it, undefined before the first checkpoint. */
export async function servedKey(db: Queryable): Promise<string | undefined> {
  const key = await currentLogKey(db)
  return key && verifierKeyText(namedKey(key))
}

/** The C2SP tlog-proof of an opening request; null while no checkpoint covers it. */
export async function logProofOf(db: Queryable, requestId: string): Promise<string | null> {
  return (await proofsOf(db, await requestInLog(db, requestId)))[0] ?? null
}

/** Proofs of those entries that a checkpoint covers. */
export async function proofsOf(
  db: Queryable,
  entries: readonly { readonly index: number; readonly body: string }[],
): Promise<string[]> {
  const checkpoint = await newestCheckpoint(db)
  if (!checkpoint) return []
  const { size, served } = checkpoint
  const covered = entries.filter(({ index }) => index < size)
  const prove = async ({ index, body }: (typeof covered)[number]) =>
    logProofText(
      { index, entry: utf8(body) },
      await logRoots(db, inclusionRanges(index, size)),
      served,
    )
  return Promise.all(covered.map(prove))
}
