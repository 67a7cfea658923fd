// Everything this browser can say about a proof: what its numbers give, what the log says, and what
// the browser itself remembers.

import type { DrawProof, Verdict } from './draw-proof.ts'
import { agreesWithRememberedLog, loadLogKey } from './log-queries.ts'
import { compareWithMemory } from './own-seeds.ts'
import { type ReportStep, verificationSteps } from './verification-steps.ts'
import { type Verification, verifyProof } from './verify-proof.ts'

export interface Checked {
  /** Its verdict speaks of the memory of this browser too. */
  readonly verification: Verification
  readonly steps: readonly ReportStep[]
}

/** @throws when the browser offers no cryptography, as on a page without a secure connection */
export async function checkProof(proof: DrawProof, signal: AbortSignal): Promise<Checked> {
  const needsKey = typeof proof.log === 'string'
  const key = needsKey ? await loadLogKey(signal) : null
  const verification = await verifyProof(proof, key)
  const memory = await memoryStep(proof, verification, signal)
  const verdict = memory.verdict === 'failed' ? 'failed' : verification.verdict
  return {
    verification: { ...verification, verdict },
    steps: [...verificationSteps(proof, verification), memory],
  }
}

async function memoryStep(
  { opening }: DrawProof,
  { log }: Verification,
  signal: AbortSignal,
): Promise<ReportStep> {
  const found = await compareWithMemory(opening)
  const checkpoint = log.verdict === 'passed' ? log.proof?.checkpoint : undefined
  const agrees = checkpoint && (await agreesWithRememberedLog(checkpoint, signal))
  const faults = [
    ...(found ?? []),
    ...(agrees === false ? ['The log of the proof is not the one this browser remembers.'] : []),
  ]
  const known = [
    ...(found === null ? [] : ['the commitment it was shown before']),
    ...(agrees === true ? ['the log it has seen'] : []),
  ]
  const verdict: Verdict = faults.length > 0 ? 'failed' : known.length > 0 ? 'passed' : 'unchecked'
  return {
    name: 'memory',
    title: 'It agrees with what this browser remembers',
    verdict,
    text:
      faults.length > 0
        ? faults.join(' ')
        : known.length > 0
          ? `The proof agrees with ${known.join(' and ')}.`
          : 'This browser had not seen this seed pair before, so it has nothing to compare.',
    values: [],
  }
}
