// The two seconds before the first result: the stage with its pack, and with reduced motion a bar.

import type { OpeningResult } from '@redpack/contract'
import { useEffect, useState } from 'react'
import { type OutcomeKind, outcomeKind } from './outcome.ts'
import type { PackLook } from './pack-face.tsx'
import { PackStage } from './pack-stage.tsx'
import { openingStepMs } from './stage-beats.ts'

interface OpeningStepProps {
  readonly pack: PackLook
  readonly results: readonly OpeningResult[]
  readonly from: DOMRect | null
  readonly isStill: boolean
}

export function OpeningStep({ pack, results, from, isStill }: OpeningStepProps) {
  const [first] = results
  const outcome: OutcomeKind | null = first ? outcomeKind(first) : null
  const count = results.length
  return (
    <div className="opening-scene">
      <PackStage pack={pack} outcome={outcome} from={from} isStill={isStill} />
      <div className="opening-details opening-waiting">
        {count > 1 && <p className="waiting-count">{count} packs</p>}
        {isStill && <WaitingBar />}
      </div>
    </div>
  )
}

const tickMs = 100

/** Grows in small steps instead of moving. */
function WaitingBar() {
  const [share, setShare] = useState(0)
  useEffect(() => {
    const start = performance.now()
    const timer = setInterval(
      () => setShare(Math.min(1, (performance.now() - start) / openingStepMs)),
      tickMs,
    )
    return () => clearInterval(timer)
  }, [])
  return <progress className="waiting-bar" aria-label="Opening" max={1} value={share} />
}
