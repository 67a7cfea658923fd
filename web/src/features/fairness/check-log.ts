// Checks the whole draw log in the browser: every entry, the tree over them, what was remembered of
// it, and every draw whose seeds are revealed. It works bundle by bundle, so the page stays awake.

import { isSame } from '../../lib/tlog/bytes.ts'
import { type Checkpoint, readCheckpoint } from '../../lib/tlog/checkpoint.ts'
import { growingTree, hashBytes, leafHash } from '../../lib/tlog/merkle-tree.ts'
import { tileWidth, widthOf } from '../../lib/tlog/tiles.ts'
import { loadEntries, loadTile } from './log-files.ts'
import { type OpenLog, openLog, readRememberedLog } from './log-memory.ts'
import { type ReplayCounts, type ReplayFault, startReplay } from './replay.ts'

export interface LogCheck {
  readonly checked: number
  readonly total: number
  readonly counts: ReplayCounts
  readonly faults: readonly ReplayFault[]
  readonly faultCount: number
  /** What is wrong with the tree over the entries, in sentences. */
  readonly treeFaults: readonly string[]
  /** True once every entry has been seen. */
  readonly isDone: boolean
  /** Size of the remembered log that was found again inside this one. */
  readonly rememberedSize: number | undefined
  readonly checkpoint: Checkpoint
}

/** Bundles that are asked for ahead of the one being checked. */
const bundlesAhead = 3

interface Bundle {
  readonly entries: readonly Uint8Array[]
  readonly tile: Uint8Array
}

async function loadBundle(index: number, size: number, signal: AbortSignal): Promise<Bundle> {
  const width = widthOf(index, size)
  const [entries, tile] = await Promise.all([
    loadEntries(index, width, signal),
    loadTile(0, index, width, signal),
  ])
  return { entries, tile }
}

/** The bundles of a tree in their order; a few are on their way while one is looked at. */
async function* bundlesOf(size: number, signal: AbortSignal): AsyncGenerator<Bundle> {
  const count = Math.ceil(size / tileWidth)
  const waiting: Promise<Bundle>[] = []
  for (let index = 0, asked = 0; index < count; index += 1) {
    for (; asked < Math.min(count, index + 1 + bundlesAhead); asked += 1) {
      const bundle = loadBundle(asked, size, signal)
      // A failure is told when its turn comes.
      bundle.catch(() => undefined)
      waiting.push(bundle)
    }
    const next = waiting.shift()
    if (next) yield await next
  }
}

/**
 * Checks the log up to its newest checkpoint, telling how far it has come.
 * @returns undefined while the log has no checkpoint
 * @throws LogFault when the checkpoint itself contradicts what is remembered; whatever a call that
 * fails throws, also when the signal ends it
 */
export async function checkLog(
  onProgress: (check: LogCheck) => void,
  signal: AbortSignal,
): Promise<LogCheck | undefined> {
  const before = await readRememberedLog()
  const log = await openLog(signal)
  if (!log) return undefined
  const remembered = before && readCheckpoint(before.checkpoint)
  return followEntries(log, remembered, onProgress, signal)
}

async function followEntries(
  { checkpoint }: OpenLog,
  remembered: Checkpoint | undefined,
  onProgress: (check: LogCheck) => void,
  signal: AbortSignal,
): Promise<LogCheck> {
  const { size } = checkpoint
  const replay = startReplay()
  const tree = growingTree()
  const treeFaults: string[] = []
  const text = new TextDecoder()
  let rememberedSize: number | undefined
  const state = (isDone: boolean): LogCheck => ({
    checked: tree.size,
    total: size,
    counts: { ...replay.counts },
    faults: [...replay.faults],
    faultCount: replay.faultCount,
    treeFaults: [...treeFaults],
    isDone,
    rememberedSize,
    checkpoint,
  })
  for await (const { entries, tile } of bundlesOf(size, signal)) {
    for (const [at, entry] of entries.entries()) {
      const leaf = leafHash(entry)
      if (!isSame(leaf, tile.slice(at * hashBytes, (at + 1) * hashBytes))) {
        treeFaults.push(`Entry ${tree.size} is another than the one its tile was made of.`)
      }
      replay.take(tree.size, text.decode(entry))
      tree.append(leaf)
      if (tree.size === remembered?.size) {
        if (isSame(tree.root(), remembered.root)) rememberedSize = tree.size
        else treeFaults.push('The entries this browser had seen before are others now.')
      }
    }
    signal.throwIfAborted()
    onProgress(state(false))
  }
  if (!isSame(tree.root(), checkpoint.root)) {
    treeFaults.push('The entries do not give the root that the checkpoint is signed for.')
  }
  return state(true)
}
