// Plays the parts of a picture as one film: same start, same length, every beat known by name.

import { logFailure } from '../../lib/log.ts'
import { openingStepMs, type StageBeat, stageBeats } from './stage-beats.ts'

/** What one part of the picture does over the whole film. */
export interface PartMotion {
  readonly part: string
  readonly keyframes: readonly Keyframe[]
}

/** The offset of a moment of the opening step, for a keyframe. */
export function at(ms: number): number {
  return ms / openingStepMs
}

/** False where the browser has no Web Animations: nothing moves there. */
export function canAnimate(element: Element = Element.prototype): boolean {
  return typeof element.animate === 'function'
}

/**
 * One film made of Web Animations. All parts share one length, so a single current time addresses
 * the whole picture; each animation is named `{film}:{part}` and can be found in
 * `document.getAnimations()` as well. An animation that fails takes the film off, which leaves the
 * picture still.
 */
export class StageTimeline {
  #animations: readonly Animation[] = []

  readonly #onFail: (() => void) | undefined

  private constructor(onFail: (() => void) | undefined) {
    this.#onFail = onFail
  }

  /**
   * Starts the film on the elements of `root` that carry `data-part`. A part without an element is
   * left out. Where the browser has no Web Animations the film is empty and the picture is still.
   */
  static play(
    root: ParentNode,
    film: string,
    motions: readonly PartMotion[],
    durationMs: number = openingStepMs,
    onFail?: () => void,
  ): StageTimeline {
    const timeline = new StageTimeline(onFail)
    timeline.#tryEach(motions, ({ part, keyframes }) => {
      const element = root.querySelector<HTMLElement>(`[data-part="${part}"]`)
      if (!element || !canAnimate(element)) return
      const animation = element.animate([...keyframes], { duration: durationMs, fill: 'both' })
      animation.id = `${film}:${part}`
      timeline.#animations = [...timeline.#animations, animation]
    })
    return timeline
  }

  #tryEach<T>(parts: readonly T[], act: (part: T) => void): void {
    try {
      for (const part of parts) act(part)
    } catch (error) {
      logFailure('An animation has failed', error)
      this.cancel()
      this.#onFail?.()
    }
  }

  get parts(): readonly string[] {
    return this.#animations.map((animation) => animation.id)
  }

  /** Freezes the picture at a named beat, or at a moment in milliseconds. */
  seek(beat: StageBeat | number): void {
    const ms = typeof beat === 'number' ? beat : stageBeats[beat]
    this.#tryEach(this.#animations, (animation) => {
      animation.pause()
      animation.currentTime = ms
    })
  }

  /** Goes on from a later moment, in milliseconds; never back. */
  skipTo(ms: number): void {
    this.#tryEach(this.#animations, (animation) => {
      if (Number(animation.currentTime ?? 0) < ms) animation.currentTime = ms
    })
  }

  /** Keeps the picture as it is until `resume`. */
  hold(): void {
    this.#tryEach(this.#animations, (animation) => animation.pause())
  }

  resume(): void {
    this.#tryEach(this.#animations, (animation) => animation.play())
  }

  /** Takes the film off the elements. */
  cancel(): void {
    const animations = this.#animations
    this.#animations = []
    for (const animation of animations) {
      try {
        animation.cancel()
      } catch (error) {
        logFailure('An animation could not be ended', error)
      }
    }
  }
}
