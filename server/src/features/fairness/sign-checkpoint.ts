// Signs the state of the public log, and never one that contradicts what was signed before.

import { hexOf } from '@redpack/fair/bytes'
import {
  type Checkpoint,
  checkpointText,
  parseCheckpoint,
  parseNote,
  signatureLine,
  signatureTypes,
  verifierKey,
} from '@redpack/fair/notes'
import { consistencyRanges, provesConsistency } from '@redpack/fair/tree'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { nodeHash, nodeHashing } from '../../adapters/random/hashing.ts'
import {
  addLogKey,
  currentLogKey,
  type LogKey,
  type LogTrouble,
  newestCheckpoint,
  setLogTrouble,
  storeCheckpoint,
} from './checkpoint-tables.ts'
import { logSize, rangeRoots, takeAppendLock, treeRoot } from './log-tables.ts'

/** What signing needs. */
export type SigningDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'publicLog' | 'log'>
type Signer = NonNullable<Deps['publicLog']['signer']>

/**
 * Signs the log as it stands, when it has grown or its key is new. Answers why it could not; then
 * the last checkpoint stays, and entries go on being appended and served. What was signed before is
 * known from the database and, since a dump can bring that back in time, from the data folder.
 */
export async function signCheckpoint(deps: SigningDeps): Promise<LogTrouble | undefined> {
  const { signer } = deps.publicLog
  if (signer === undefined) return 'key_changed'
  const { before, trouble } = await deps.db.transaction(async (tx) => {
    // Nobody appends meanwhile, so that size and hashes are of one moment.
    await takeAppendLock(tx, true)
    const key = (await currentLogKey(tx)) ?? (await firstKey(deps, tx, signer))
    const found = await signUnlessTroubled(deps, tx, key, signer)
    await setLogTrouble(tx, key.id, found ?? null)
    return { before: key.trouble, trouble: found }
  })
  if (trouble !== undefined && trouble !== before) {
    deps.log.error({ trouble }, 'the public log cannot be signed; see docs/operating.md')
  }
  return trouble
}

/** The log is named after the address under which it is first signed. */
async function firstKey(deps: SigningDeps, tx: Queryable, signer: Signer): Promise<LogKey> {
  const key = {
    origin: `${new URL(deps.config.publicUrl).host}/log`,
    publicKey: signer.publicKey,
    fromSize: await logSize(tx),
    reason: 'first',
    lastNote: null,
  } as const
  return addLogKey(tx, key, deps.clock.now())
}

async function signUnlessTroubled(
  deps: SigningDeps,
  tx: Queryable,
  key: LogKey,
  signer: Signer,
): Promise<LogTrouble | undefined> {
  if (hexOf(key.publicKey) !== hexOf(signer.publicKey)) return 'key_changed'
  const size = await logSize(tx)
  const signed = await newestCheckpoint(tx)
  const kept = remembered(deps.publicLog, key.origin)
  const isSigned = signed?.size === size && signed.keyId === key.id
  if (isSigned && key.trouble === null && (kept === undefined || kept.size === size))
    return undefined
  const root = await treeRoot(tx, size)
  const now: Checkpoint = { origin: key.origin, size, root }
  const trouble = await contradiction(tx, now, [signed, kept])
  if (trouble !== undefined) return trouble
  if (isSigned) {
    deps.publicLog.memory.keep(signed.note)
    return undefined
  }
  const text = checkpointText(now)
  const { origin, publicKey } = key
  const named = verifierKey(origin, signatureTypes.ed25519, publicKey, nodeHashing.sha256)
  const note = `${text}\n${signatureLine(named, signer.sign(text))}`
  await storeCheckpoint(tx, { size, root, keyId: key.id, note }, deps.clock.now())
  deps.publicLog.memory.keep(note)
  return undefined
}

/** What this machine has signed last under the name, whatever the database says. */
function remembered({ memory }: Deps['publicLog'], origin: string): Checkpoint | undefined {
  const note = parseNote(memory.read() ?? '')
  const checkpoint = note && parseCheckpoint(note.text)
  return checkpoint?.origin === origin ? checkpoint : undefined
}

/** Why the entries do not continue what was signed under the name, whatever the key. */
export async function historyTrouble(
  deps: Pick<SigningDeps, 'publicLog'>,
  tx: Queryable,
  origin: string,
): Promise<LogTrouble | undefined> {
  const size = await logSize(tx)
  const tree = { size, root: await treeRoot(tx, size) }
  const signed = [await newestCheckpoint(tx), remembered(deps.publicLog, origin)]
  return contradiction(tx, tree, signed)
}

type Tree = Pick<Checkpoint, 'size' | 'root'>

/** Why the tree does not continue one of those that were signed. */
async function contradiction(
  tx: Queryable,
  now: Tree,
  signed: readonly (Tree | undefined)[],
): Promise<LogTrouble | undefined> {
  for (const older of signed) {
    if (older === undefined) continue
    if (older.size > now.size) return 'history_lost'
    const proof = await rangeRoots(tx, consistencyRanges(older.size, now.size))
    if (!provesConsistency(older, now, proof, nodeHash)) return 'inconsistent'
  }
  return undefined
}
