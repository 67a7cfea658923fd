// The opening modal: two seconds of stage, then the results one at a time, by button, key or swipe.

import './opening-scene.css'
import './opening-stage.css'
import './result-card.css'
import {
  type OddsResponse,
  type OpeningResult,
  packColorDefault,
  packColorOf,
  packThemes,
} from '@redpack/contract'
import { ChevronDown, CloudAlert, PackageOpen, Volume2, VolumeX, Zap, ZapOff } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { browserSwitch, useSwitch } from '../../lib/browser-switch.ts'
import { cn } from '../../lib/class-names.ts'
import { useMedia } from '../../lib/media.ts'
import { streamerMode } from '../../lib/streamer-mode.ts'
import { announce } from '../../ui/feedback/live-region.tsx'
import { Button, IconButton } from '../../ui/form/button.tsx'
import { FullDialog, FullDialogTitle } from '../../ui/overlay/full-dialog.tsx'
import { canVibrate, useOpeningEffects } from './opening-effects.ts'
import { isLastResult, type OpeningState } from './opening-reducer.ts'
import { OpeningViews } from './opening-views.tsx'
import type { PackLook } from './owned-packs.tsx'
import { usePrizePictures } from './prize-pictures.ts'
import { chancesOf, spokenResult } from './rarity.ts'
import { useOpening } from './use-opening.ts'
import { afterPaint } from './use-painted.ts'

/** An answered opening that is to be shown. */
export interface ShownOpening {
  readonly key: string
  readonly pack: PackLook
  readonly results: readonly OpeningResult[]
  /** True when this browser drew the results again and found them. */
  readonly isProven?: boolean
  /** The odds that were seen; the rarity of a prize follows from them. */
  readonly odds?: OddsResponse | undefined
  /** Position of the first result nobody has seen; above 0 the opening step is left out. */
  readonly firstUnseen: number
}

interface OpeningModalProps {
  readonly opening: ShownOpening
  /** Where the pack's picture was on the page when it was opened. */
  readonly from: DOMRect | null
  readonly onSeen: (seen: number) => void
  readonly onClose: (seen: number) => void
  /** Takes the focus when the modal has closed. */
  readonly returnTo: () => HTMLElement | null
}

export function OpeningModal({ opening, from, onSeen, onClose, returnTo }: OpeningModalProps) {
  const { pack, results, isProven = false, odds, firstUnseen } = opening
  const chances = useMemo(() => chancesOf(odds), [odds])
  const isSoundOn = useSwitch(sound)
  const { isReduced } = useReducedMotion()
  const effects = useOpeningEffects(isSoundOn, packHue(pack.color))
  const run = useOpening({ results, chances, firstUnseen, effects, onSeen, onClose })
  const { state } = run
  const pictures = usePrizePictures(results)
  const isOpening = state.step === 'opening'
  const isResult = state.step === 'results'
  const main = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const bar = useBarState(state)
  const action = primaryAction(bar, run)

  useAnnouncements(state, results)
  useFocusOnButton(bar, button)
  useSwipe(main, bar.step === 'results' ? run.next : null)

  return (
    <FullDialog onClose={run.close} returnTo={returnTo}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys beside the dialog's buttons */}
      <div
        className="opening on-page"
        style={{ '--pack': packHex(pack.color) }}
        onKeyDown={(event) => advanceByKey(event, bar, run)}
      >
        <header
          className={cn(
            'relative z-1 flex items-center gap-3 pt-[calc(0.75rem+env(safe-area-inset-top))] pb-3 md:grid md:grid-cols-[1fr_auto_1fr] low:py-1',
            sides,
          )}
        >
          <FullDialogTitle className="opening-title line-clamp-2 text-[clamp(1.125rem,0.9rem+1.1vw,1.75rem)] tabular-nums wrap-anywhere focus:outline-none md:col-start-2 md:text-center">
            {titleOf(bar, pack.name)}
          </FullDialogTitle>
          <OpeningSwitches />
        </header>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset holds form fields */}
        <div
          ref={main}
          role="group"
          aria-label="Result"
          tabIndex={isResult ? 0 : undefined}
          className="opening-main"
          data-step={bar.step}
        >
          <OpeningViews
            pack={pack}
            results={results}
            isProven={isProven}
            chances={chances}
            pictures={pictures}
            from={from}
            isReduced={isReduced}
            run={run}
          />
          <OpeningNotice step={state.step} />
          {bar.step === 'results' && (
            <ScrollCue
              key={state.index}
              text={state.count > 1 && isLastResult(state) ? 'Your opening' : 'More below'}
            />
          )}
        </div>
        <footer
          className={cn(
            'opening-actions relative z-1 grid justify-items-center gap-3 pt-3 pb-[calc(0.875rem+env(safe-area-inset-bottom))] md:pb-6 low:auto-cols-auto low:grid-flow-col low:items-center low:justify-center low:gap-4 low:pt-1.5 low:pb-[calc(0.5rem+env(safe-area-inset-bottom))]',
            // The torn pack falls out of sight behind it.
            'bg-[linear-gradient(transparent,var(--page-surface)_1rem)]',
            sides,
          )}
        >
          {(isResult || isOpening) && <OpeningProgress index={state.index} count={state.count} />}
          {/* Two of them stand side by side in one line each, on the smallest phone too. */}
          <div className="flex min-h-12 w-[min(100%,26rem)] flex-row-reverse gap-3 *:flex-1 *:px-2 low:w-[min(60vw,26rem)]">
            {action && (
              <Button ref={button} size="large" onClick={action.run}>
                {action.label}
              </Button>
            )}
            {canSkip(bar) && (
              <Button tone="ghost" size="large" onClick={run.close}>
                Skip to End
              </Button>
            )}
          </div>
        </footer>
      </div>
    </FullDialog>
  )
}

/**
 * The state that heading and buttons show. The first result has its frame to itself; they follow in
 * the next one.
 */
function useBarState(state: OpeningState): OpeningState {
  const isOpening = state.step === 'opening'
  const [hasOpened, setOpened] = useState(!isOpening)
  useEffect(() => {
    if (!isOpening) return afterPaint(() => setOpened(true))
  }, [isOpening])
  return hasOpened || state.step !== 'results' ? state : { ...state, step: 'opening' }
}

const pressKeys: ReadonlySet<string> = new Set(['Enter', ' ', 'ArrowRight'])

/** Room at both sides, also beside what a phone keeps for itself. */
const sides = 'pr-[max(1rem,env(safe-area-inset-right))] pl-[max(1rem,env(safe-area-inset-left))]'

function OpeningNotice({ step }: { readonly step: OpeningState['step'] }) {
  if (step !== 'animation-error' && step !== 'no-results') return null
  const Icon = step === 'no-results' ? PackageOpen : CloudAlert
  return (
    <div className="mx-auto grid min-h-[100cqh] max-w-120 place-content-center justify-items-center gap-5 p-6 text-center text-[1.125rem]">
      <Icon strokeWidth={1.25} className="size-20 text-muted" />
      <p>
        {step === 'no-results'
          ? 'Pack opening completed but no results were returned.'
          : 'Pack opening animation encountered an error. Your results are still available.'}
      </p>
    </div>
  )
}

function titleOf({ step, index, count }: OpeningState, packName: string): string {
  switch (step) {
    case 'animation-error':
      return 'Animation Error'
    case 'no-results':
      return 'No Results'
    case 'results':
      return `Result ${index + 1} of ${count}`
    default:
      return `Opening ${packName}...`
  }
}

function canSkip(state: OpeningState): boolean {
  if (state.step === 'results') return !isLastResult(state)
  return state.step === 'opening' || state.step === 'animation-error'
}

/** What the main button does; it stays the same button from the first result to the last. */
function primaryAction(
  bar: OpeningState,
  { next, close, showResults }: ReturnType<typeof useOpening>,
) {
  switch (bar.step) {
    case 'results':
      return { label: isLastResult(bar) ? 'Close' : 'Next Result', run: next }
    case 'animation-error':
      return { label: 'Show Results', run: showResults }
    case 'no-results':
      return { label: 'Close', run: close }
    default:
      return null
  }
}

function useAnnouncements({ step, index }: OpeningState, results: readonly OpeningResult[]): void {
  const say = useEffectEvent((position: number) => {
    const result = results[position]
    if (result) {
      announce(spokenResult(result, position, results.length, streamerMode.isOn()))
    }
  })
  useEffect(() => {
    if (step === 'results') say(index)
  }, [step, index])
}

/** The button takes the focus when it appears, unless the player has moved it to a switch. */
function useFocusOnButton(
  { step }: OpeningState,
  button: { readonly current: HTMLButtonElement | null },
): void {
  useEffect(() => {
    if (step === 'opening') return
    // The heading comes first, also when the dialog opens with a result.
    const timer = setTimeout(() => {
      const focused = document.activeElement
      if (!(focused instanceof HTMLButtonElement)) button.current?.focus()
    })
    return () => clearTimeout(timer)
  }, [step, button])
}

/**
 * Space, Enter and the right arrow tear the pack, and then do what the button does, also before it
 * has the focus. A held key stops at the last result. As long as the bar says that the pack is
 * being opened, nobody has seen a result: a press tears.
 */
function advanceByKey(
  event: KeyboardEvent,
  state: OpeningState,
  { next, tear }: ReturnType<typeof useOpening>,
): void {
  const isOnControl = event.target instanceof Element && event.target.closest('button, a, summary')
  if (state.step === 'opening' && !event.repeat && !isOnControl && pressKeys.has(event.key)) {
    event.preventDefault()
    tear()
  }
  if (state.step !== 'results') return
  if (event.repeat && isLastResult(state)) {
    event.preventDefault()
    return
  }
  if (event.key === 'ArrowRight' || (pressKeys.has(event.key) && !isOnControl)) {
    event.preventDefault()
    next()
  }
}

/** A pack type's colour as six-digit hex; anything unknown is the default pack colour. */
export function packHex(color: string): string {
  const kept = packColorOf(color) ?? packColorDefault
  const hex = packThemes[kept] ?? kept
  const wide = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join('') : null
  return (wide ? `#${wide}` : hex).toLowerCase()
}

/** Hue of a pack type's colour in degrees, 0 to 360; greys count as 0. */
export function packHue(color: string): number {
  const value = Number.parseInt(packHex(color).slice(1), 16)
  const red = value >> 16
  const green = (value >> 8) & 255
  const blue = value & 255
  const max = Math.max(red, green, blue)
  const spread = max - Math.min(red, green, blue)
  if (spread === 0) return 0
  if (max === red) return (60 * ((green - blue) / spread) + 360) % 360
  if (max === green) return 60 * ((blue - red) / spread) + 120
  return 60 * ((red - green) / spread) + 240
}

// How far a batch has come: one pip per result, or a bar where pips would be too many.
const mostPips = 12

/** Decoration for the eye: the heading says the same in words. Nothing for a single result. */
function OpeningProgress({ index, count }: { readonly index: number; readonly count: number }) {
  if (count < 2) return null
  if (count > mostPips) {
    return (
      <div className="progress h-2.5 w-[min(100%,26rem)] low:w-40" aria-hidden="true">
        <div
          className="h-full origin-left bg-primary-graphic"
          style={{ transform: `scaleX(${(index + 1) / count})` }}
        />
      </div>
    )
  }
  return (
    <div className="flex h-2.5 items-center gap-2" aria-hidden="true">
      {Array.from({ length: count }, (_, pip) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a pip is its position
          key={pip}
          data-pip={pip < index ? 'past' : pip === index ? 'now' : 'next'}
          className="size-2 rounded-full border-[1.5px] border-control data-[pip=now]:w-5 data-[pip=now]:border-primary-graphic data-[pip=now]:bg-primary-graphic data-[pip=past]:bg-control"
        />
      ))}
    </div>
  )
}

export function OpeningSwitches() {
  const isSoundOn = useSwitch(sound)
  const { isReduced, isFixed } = useReducedMotion()
  return (
    <div className="ms-auto flex flex-none gap-2">
      <IconButton
        label={canVibrate() ? 'Sound and vibration' : 'Sound'}
        aria-pressed={isSoundOn}
        onClick={() => sound.set(!isSoundOn)}
        icon={isSoundOn ? Volume2 : VolumeX}
      />
      {!isFixed && (
        <IconButton
          label="Reduce motion"
          aria-pressed={isReduced}
          onClick={() => lessMotion.set(!isReduced)}
          icon={isReduced ? ZapOff : Zap}
        />
      )}
    </div>
  )
}

const sound = browserSwitch('redpack:opening-sound', false)
const lessMotion = browserSwitch('redpack:reduced-motion', false)

/**
 * Less motion, because the system asks for it or the player does. `isFixed` is true in the first
 * case: the system's wish is not overruled here.
 */
export function useReducedMotion() {
  const isFixed = useMedia('(prefers-reduced-motion: reduce)')
  const isChosen = useSwitch(lessMotion)
  return { isReduced: isFixed || isChosen, isFixed }
}

/** Stands at the end of what scrolls and sticks to its lower edge. Decoration: keys scroll too. */
export function ScrollCue({ text }: { readonly text: string }) {
  const end = useRef<HTMLDivElement>(null)
  const [isMore, setMore] = useState(false)
  useEffect(() => {
    if (!end.current || typeof IntersectionObserver !== 'function') return
    // A busy page hears of several changes at once; the last is how it stands.
    const observer = new IntersectionObserver((changes) =>
      setMore(changes.at(-1)?.isIntersecting === false),
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [])
  return (
    <>
      <div ref={end} className="h-px" aria-hidden="true" />
      {isMore && (
        // Takes no room of its own, so that it never makes what it speaks of.
        <div
          className="scroll-cue pointer-events-none sticky bottom-0 z-2 -mt-(--cue) grid h-(--cue) items-end justify-items-center bg-[linear-gradient(transparent,var(--page-surface)_70%)]"
          aria-hidden="true"
        >
          <span className="flex items-center gap-1 text-sm text-ink">
            {text} <ChevronDown className="size-4.5" />
          </span>
        </div>
      )}
    </>
  )
}

const leastDistance = 48

/** Calls `next` when a touch or pen travels at least 48 px to the left and mostly sideways. */
function useSwipe(area: { readonly current: HTMLElement | null }, next: (() => void) | null): void {
  useEffect(() => {
    const element = area.current
    if (!element || !next) return
    const gone = new AbortController()
    const { signal } = gone
    let start: { readonly id: number; readonly x: number; readonly y: number } | null = null
    const down = (event: PointerEvent) => {
      start =
        event.pointerType === 'mouse' || !event.isPrimary
          ? null
          : { id: event.pointerId, x: event.clientX, y: event.clientY }
    }
    const up = (event: PointerEvent) => {
      if (!start || start.id !== event.pointerId) return
      const left = start.x - event.clientX
      const sideways = Math.abs(start.y - event.clientY)
      start = null
      if (left >= leastDistance && left > sideways * 1.5) next()
    }
    const forget = () => {
      start = null
    }
    element.addEventListener('pointerdown', down, { signal })
    element.addEventListener('pointerup', up, { signal })
    element.addEventListener('pointercancel', forget, { signal })
    return () => gone.abort()
  }, [area, next])
}
