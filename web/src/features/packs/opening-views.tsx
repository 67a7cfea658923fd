// What moves in an opening: the pack, and one card at a time.

import {
  Component,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { cn } from '../../lib/class-names.ts'
import { logFailure } from '../../lib/log.ts'
import { PackFace, type PackLook } from './owned-packs.tsx'
import { type OutcomeKind, outcomeKind, type Rarity, rarityOf } from './rarity.ts'
import { stageCard, stageSlot } from './result-card.tsx'
import { type OpeningContent, ResultView } from './result-view.tsx'
import {
  nearbyOrigin,
  openingFilm,
  openingStepMs,
  type PackOrigin,
  StageTimeline,
  stageBeats,
} from './stage-timeline.ts'
import type { OpeningControls } from './use-opening.ts'
import { inFirstFrame, usePaintedFrames } from './use-painted.ts'

interface OpeningViewsProps extends OpeningContent {
  readonly pack: PackLook
  /** Where the pack's picture was on the page when it was opened. */
  readonly from: DOMRect | null
  readonly isReduced: boolean
  readonly run: OpeningControls
}

/**
 * The pack and the cards. What is heavy to draw gets frames of its own: the heading, the pack, and
 * out of sight the first card, so that its own moment only has to show it.
 */
export function OpeningViews(props: OpeningViewsProps) {
  const { pack, from, isReduced, run, ...content } = props
  const { results, chances } = content
  const { step, index, isStill } = run.state
  const frames = usePaintedFrames(2)
  const isOpening = step === 'opening' && frames > 0
  const isWaiting = isOpening && frames > 1 && results.length > 0
  const isShown = step === 'results' && frames > 0
  return (
    // The first card waits out of sight in the place where it will be seen.
    <div className="opening-views grid grid-cols-1 items-start *:[grid-area:1/1]">
      {isOpening && (
        <AnimationBoundary onFail={run.fail}>
          <OpeningStep
            pack={pack}
            results={results}
            chances={chances}
            from={from}
            isStill={isReduced}
            isTorn={run.isTorn}
            onTear={run.tear}
            onFail={run.fail}
          />
        </AnimationBoundary>
      )}
      {(isWaiting || isShown) && (
        <AnimationBoundary key={index} onFail={run.fail}>
          <ResultView
            {...content}
            packName={pack.name}
            index={index}
            motion={isStill ? 'none' : isReduced ? 'reduced' : 'full'}
            isWaiting={isWaiting}
            onFail={run.fail}
          />
        </AnimationBoundary>
      )}
    </div>
  )
}

// Catches a picture that cannot be drawn, so that the results stay within reach.
interface AnimationBoundaryProps {
  readonly onFail: () => void
  readonly children: ReactNode
}

/** Draws nothing once its children have failed; give it a new key to try again. */
class AnimationBoundary extends Component<AnimationBoundaryProps> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch(cause: unknown) {
    logFailure('The pack opening could not be drawn', cause)
    this.props.onFail()
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children
  }
}

// The two seconds before the first result: the stage with its pack, and with reduced motion a bar.
interface OpeningStepProps
  extends Pick<OpeningContent, 'results' | 'chances'>,
    Omit<PackStageProps, 'outcome' | 'rarity'> {
  /** Called when the player tears the pack before it tears by itself. */
  readonly onTear: () => void
}

function OpeningStep(props: OpeningStepProps) {
  const { results, chances, onTear: tearNow, ...stage } = props
  const { isStill, isTorn } = stage
  const scene = useRef<HTMLDivElement>(null)
  const [first] = results
  const count = results.length
  const tear = useEffectEvent(tearNow)
  useEffect(() => {
    if (scene.current) return onTear(scene.current, () => tear())
  }, [])
  useEffect(fetchEmoji, [])
  return (
    <div ref={scene} className="opening-scene pack-scene cursor-pointer touch-none">
      <PackStage
        {...stage}
        outcome={first ? outcomeKind(first) : null}
        rarity={first ? rarityOf(first, chances) : 0}
      />
      <div
        className={cn(
          'mx-auto flex w-[min(100%,34rem)] flex-wrap content-center-safe justify-center gap-x-1.5 px-5 text-center text-muted',
          // Gone when the pack tears, by itself or by a hand.
          !isStill &&
            'tear-hint animate-[fade-out_120ms_1400ms_forwards] data-[torn=true]:[animation-delay:0ms]',
        )}
        data-torn={isTorn}
      >
        {count > 1 && <p>{count} packs</p>}
        {isStill ? (
          <WaitingBar key={String(isTorn)} fromMs={isTorn ? stageBeats.tear : 0} />
        ) : (
          <p>
            {count > 1 && '· '}Swipe or tap
            <span className="pointer-coarse:hidden">, or press Space</span>
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
  return (
    <progress
      className="progress w-[min(100%,20rem)] appearance-none [&::-moz-progress-bar]:bg-primary-graphic [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-primary-graphic"
      aria-label="Opening"
      max={1}
      value={share}
    />
  )
}

const leastDistance = 24

/** Calls `onTear` after a press or a drag of 24 px. Returns the way to stop. */
export function onTear(element: HTMLElement, tear: () => void): () => void {
  const gone = new AbortController()
  const { signal } = gone
  let start: { readonly id: number; readonly x: number; readonly y: number } | null = null
  const down = (event: PointerEvent) => {
    start = event.isPrimary ? { id: event.pointerId, x: event.clientX, y: event.clientY } : null
  }
  const move = (event: PointerEvent) => {
    if (start?.id !== event.pointerId) return
    if (Math.hypot(event.clientX - start.x, event.clientY - start.y) >= leastDistance) up(event)
  }
  const up = (event: PointerEvent) => {
    if (start?.id !== event.pointerId) return
    start = null
    tear()
  }
  element.addEventListener('pointerdown', down, { signal })
  element.addEventListener('pointermove', move, { signal })
  element.addEventListener('pointerup', up, { signal })
  return () => gone.abort()
}

// The picture of the opening step: the pack arrives, breathes, shakes, tears and gives up a card.
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

function PackStage(props: PackStageProps) {
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
      <div className="stage-bloom" data-part="bloom" />
      <div ref={slot} className={stageSlot}>
        <div className="stage-slit" data-part="slit" />
        <div className={cn('stage-card card-back opacity-0', stageCard)} data-part="card" />
        <div className="pack-half-bottom absolute inset-0" data-part="pack-bottom">
          <PackFace pack={pack} />
        </div>
        <div className="pack-half-top absolute inset-0" data-part="pack-top">
          <PackFace pack={pack} />
        </div>
      </div>
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
