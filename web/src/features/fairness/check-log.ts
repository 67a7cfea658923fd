// Checks the whole draw log in the browser: every entry, the tree over them, what was remembered of
// it, and every draw. It works bundle by bundle, so the page stays awake.

import { portableHashing } from '@redpack/fair/bytes'
import { type CutStock, Replay, type ReplayCounts, type ReplayFault } from '@redpack/fair/replay'
import { beginning, follow, LogFault } from '@redpack/fair/tree'
import { loadTile } from './log-files.ts'
import { hashes, openLog } from './log-reader.ts'

export interface LogCheck {
  readonly checked: number
  readonly total: number
  readonly counts: ReplayCounts
  readonly faults: readonly ReplayFault[]
  readonly faultCount: number
  /** What is wrong with the tree over the entries, in a sentence. */
  readonly treeFault: string | undefined
  /** Sold-outs soon after staff had taken from the stock. */
  readonly cutStocks: readonly CutStock[]
  /** True once every entry has been seen. */
  readonly isDone: boolean
  /** Size of the remembered log, which this one goes on from. */
  readonly rememberedSize: number | undefined
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
  const log = await openLog(signal)
  if (!log) return undefined
  const replay = new Replay(portableHashing)
  const { checkpoint } = log
  const state = (isDone: boolean, treeFault?: string): LogCheck => ({
    checked: replay.size,
    total: checkpoint.size,
    counts: { ...replay.counts },
    faults: [...replay.faults],
    faultCount: replay.faultCount,
    cutStocks: [...replay.cutStocks],
    treeFault,
    isDone,
    rememberedSize: log.before?.size,
  })
  try {
    for await (const { entries } of follow(checkpoint, beginning, loadTile(signal), hashes)) {
      for (const entry of entries) replay.take(entry)
      signal.throwIfAborted()
      onProgress(state(false))
    }
  } catch (error) {
    if (!(error instanceof LogFault)) throw error
    return state(true, error.message)
  }
  return state(true)
}
