// The two seconds before the first result: the stage with its pack, and with reduced motion a bar.

import type { OpeningResult } from '@redpack/contract'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type OutcomeKind, outcomeKind } from './outcome.ts'
import type { PackLook } from './pack-face.tsx'
import { PackStage } from './pack-stage.tsx'
import { type Chances, rarityOf } from './rarity.ts'
import { openingStepMs, stageBeats } from './stage-beats.ts'
import { onTear } from './tear.ts'

interface OpeningStepProps {
  readonly pack: PackLook
  readonly results: readonly OpeningResult[]
  readonly chances: Chances
  readonly from: DOMRect | null
  readonly isStill: boolean
  readonly isTorn: boolean
  /** Called when the player tears the pack before it tears by itself. */
  readonly onTear: () => void
  /** Called when nothing moves because the film has failed. */
  readonly onFail: () => void
}

export function OpeningStep(props: OpeningStepProps) {
  const { pack, results, chances, from, isStill, isTorn } = props
  const scene = useRef<HTMLDivElement>(null)
  const [first] = results
  const outcome: OutcomeKind | null = first ? outcomeKind(first) : null
  const count = results.length
  const tear = useEffectEvent(props.onTear)
  useEffect(() => {
    if (scene.current) return onTear(scene.current, () => tear())
  }, [])
  useEffect(fetchEmoji, [])
  return (
    <div ref={scene} className="opening-scene pack-scene">
      <PackStage
        pack={pack}
        outcome={outcome}
        rarity={first ? rarityOf(first, chances) : 0}
        from={from}
        isStill={isStill}
        isTorn={isTorn}
        onFail={props.onFail}
      />
      <div className="opening-details opening-waiting">
        {count > 1 && <p className="waiting-count">{count} packs</p>}
        {isStill ? (
          <WaitingBar key={String(isTorn)} fromMs={isTorn ? stageBeats.tear : 0} />
        ) : (
          <p className="tear-hint" data-torn={isTorn}>
            Swipe, press or hit Space to tear it
          </p>
        )}
      </div>
    </div>
  )
}

/**
 * The emoji that greets a prize has a font of its own. Without it the first card waits for the
 * search through the fonts of the system, and then for the real one.
 */
function fetchEmoji(): void {
  document.fonts?.load('1em "Redpack emoji"', '🎉').catch(() => undefined)
}

const tickMs = 100

/** Grows in small steps instead of moving. */
function WaitingBar({ fromMs }: { readonly fromMs: number }) {
  const [share, setShare] = useState(fromMs / openingStepMs)
  useEffect(() => {
    const start = performance.now() - fromMs
    const timer = setInterval(
      () => setShare(Math.min(1, (performance.now() - start) / openingStepMs)),
      tickMs,
    )
    return () => clearInterval(timer)
  }, [fromMs])
  return <progress className="waiting-bar" aria-label="Opening" max={1} value={share} />
}
