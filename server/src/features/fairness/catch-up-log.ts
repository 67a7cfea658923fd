// Lets a request wait until the public log holds what is committed, without a run of its own each.

import { appendLogEntries, type LogDeps } from './append-entries.ts'

/** More than waits in a running installation; a longer queue is the background step's work. */
const batchesMax = 5

/**
 * Appends what was committed before the call. Callers that come while a run is under way share the
 * one that follows it, since that one sees what they have committed.
 */
export function logCatchUp(deps: LogDeps): () => Promise<void> {
  let underWay: Promise<void> | undefined
  let following: Promise<void> | undefined

  async function run(): Promise<void> {
    await appendLogEntries(deps, { batches: batchesMax, waits: true })
  }

  function start(): Promise<void> {
    const started = run().finally(() => {
      if (underWay === started) underWay = undefined
    })
    underWay = started
    return started
  }

  return () => {
    if (underWay === undefined) return start()
    following ??= underWay
      .catch(() => undefined)
      .then(() => {
        following = undefined
        return start()
      })
    return following
  }
}
