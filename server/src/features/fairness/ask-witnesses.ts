// Asks the witnesses to cosign the newest checkpoint. None of them can hold anything up.

import { consistencyRanges } from '@redpack/fair/tree'
import type { Deps } from '../../adapters/deps.ts'
import { newestCheckpoint, type StoredCheckpoint } from './checkpoint-tables.ts'
import { rangeRoots } from './log-tables.ts'
import {
  storeCosignature,
  storeWitnessProblem,
  type WitnessToAsk,
  witnessesToAsk,
} from './witness-tables.ts'

const firstPauseMillis = 5_000
const pauseMillisMax = 3_600_000

type WitnessDeps = Pick<Deps, 'db' | 'clock' | 'publicLog'>
type Witness = Deps['publicLog']['witnesses'][number]

/**
 * All are asked at once; each answers in two seconds or counts as failed, and is then left alone
 * for a while that doubles up to an hour.
 */
export async function askWitnesses(deps: WitnessDeps): Promise<void> {
  const { witnesses } = deps.publicLog
  if (witnesses.length === 0) return
  const checkpoint = await newestCheckpoint(deps.db)
  if (checkpoint === undefined) return
  const keys = witnesses.map(({ verifierKey }) => verifierKey)
  const toAsk = await witnessesToAsk(deps.db, keys, checkpoint.size, deps.clock.now())
  await Promise.all(
    toAsk.map(async (state) => {
      const witness = witnesses.find(({ verifierKey }) => verifierKey === state.verifierKey)
      if (witness !== undefined) await ask(deps, witness, state, checkpoint)
    }),
  )
}

/** A witness that knows another size says so; it is asked once more from there. */
async function ask(
  deps: WitnessDeps,
  witness: Witness,
  state: WitnessToAsk,
  checkpoint: StoredCheckpoint,
): Promise<void> {
  const { verifierKey } = witness
  let older = state.seenSize
  for (let isSecond = false; ; isSecond = true) {
    // Its memory may be ahead of a log that was brought back in time.
    const known = older > checkpoint.size ? 0 : older
    const path = await rangeRoots(deps.db, consistencyRanges(known, checkpoint.size))
    const answer = await witness.cosign(known, path, checkpoint.note)
    const now = deps.clock.now()
    if (answer.kind === 'cosigned') {
      const { size, note } = checkpoint
      return storeCosignature(deps.db, { verifierKey, size, note }, answer.line, now)
    }
    if (answer.kind === 'conflict') {
      older = answer.size
      if (older <= checkpoint.size && !isSecond) continue
    }
    const pause = Math.min(firstPauseMillis * 2 ** state.failuresInRow, pauseMillisMax)
    const problem = answer.kind === 'failed' ? answer.reason : sizeProblem(older, checkpoint.size)
    const nextTryAt = new Date(now.getTime() + pause)
    const seenSize = answer.kind === 'conflict' ? older : null
    return storeWitnessProblem(deps.db, verifierKey, seenSize, problem, nextTryAt)
  }
}

function sizeProblem(seen: number, size: number): string {
  return seen > size
    ? `It has seen ${seen} entries of this log, which has only ${size}: its history was lost`
    : 'It does not keep what it has cosigned'
}
