// The picture of the opening step: the pack arrives, breathes, shakes, tears and gives up a card.

import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { OutcomeKind } from './outcome.ts'
import { PackFace, type PackLook } from './pack-face.tsx'
import type { Rarity } from './rarity.ts'
import { openingStepMs, stageBeats } from './stage-beats.ts'
import { nearbyOrigin, openingFilm, type PackOrigin } from './stage-keyframes.ts'
import { StageTimeline } from './stage-timeline.ts'
import { inFirstFrame } from './use-painted.ts'

interface PackStageProps {
  readonly pack: PackLook
  /** Colour and pattern of the light inside, seen from the tear on; null when nothing is inside. */
  readonly outcome: OutcomeKind | null
  /** How strong that light is. */
  readonly rarity: Rarity
  /** Where the pack was before, in viewport pixels; it travels from there. */
  readonly from: DOMRect | null
  /** True shows the unopened pack standing still. */
  readonly isStill: boolean
  /** True once the player has torn the pack: the film goes on from the tear. */
  readonly isTorn: boolean
  /** Called when the film has failed; the picture stands still then. */
  readonly onFail: () => void
}

export function PackStage(props: PackStageProps) {
  const { pack, outcome, rarity, from, isStill, isTorn } = props
  const slot = useRef<HTMLDivElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const running = useRef<StageTimeline>(undefined)
  const onFail = useEffectEvent(props.onFail)

  useLayoutEffect(() => {
    const [picture, pack] = [stage.current, slot.current]
    if (isStill || !picture || !pack) return
    return inFirstFrame(() => {
      const origin = from ? originOf(from, pack.getBoundingClientRect()) : nearbyOrigin
      const film = StageTimeline.play(
        picture,
        'opening',
        openingFilm(origin),
        openingStepMs,
        onFail,
      )
      running.current = film
      return () => film.cancel()
    })
  }, [isStill, from])

  useEffect(() => {
    if (isTorn) running.current?.skipTo(stageBeats.tear)
  }, [isTorn])

  return (
    <div
      ref={stage}
      className="opening-stage"
      data-outcome={outcome ?? 'none'}
      style={{ '--might': rarity }}
      aria-hidden="true"
    >
      <div className="stage-aura" data-part="aura" />
      <div className="stage-rays" data-part="rays" />
      <div className="stage-dust" data-part="dust" />
      <div ref={slot} className="stage-slot">
        <div className="stage-card card-back" data-part="card" />
        <div className="pack-half pack-half-bottom" data-part="pack-bottom">
          <PackFace pack={pack} />
        </div>
        <div className="stage-slit" data-part="slit" />
        <div className="pack-half pack-half-top" data-part="pack-top">
          <PackFace pack={pack} />
        </div>
      </div>
      <div className="stage-bloom" data-part="bloom" />
    </div>
  )
}

/** The pack's place before the opening, seen from its place on the stage. */
function originOf(from: DOMRect, to: DOMRect): PackOrigin {
  if (to.height === 0 || from.height === 0) return nearbyOrigin
  return {
    x: from.left + from.width / 2 - (to.left + to.width / 2),
    y: from.top + from.height / 2 - (to.top + to.height / 2),
    scale: from.height / to.height,
  }
}
