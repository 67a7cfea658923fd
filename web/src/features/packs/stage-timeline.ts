// Plays the parts of a picture as one film: same start, same length, every beat known by name.

import { logFailure } from '../../lib/log.ts'

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

/** Length of the opening step, from the specification's table of constants. */
export const openingStepMs = 2000

/**
 * Named points of the opening step. Nothing before `tear` may depend on the outcome; what happens
 * between two beats belongs to the earlier one.
 */
export const stageBeats = {
  arrive: 0,
  settle: 180,
  shake: 700,
  tear: 1400,
  bloom: 1750,
  reveal: openingStepMs,
} as const

/** Moments inside the shake at which the pack is at its widest; sound and haptics strike there. */
export const shakeStrikesMs = [790, 1020, 1250] as const

/** A card turns in this time; from the fourth card of a batch on, cards without a prize hurry. */
export const flipMs = 320
export const hurriedFlipMs = 180
export const countUpMs = 400
/** With reduced motion every change of picture is a cross-fade of this length. */
export const crossFadeMs = 120

/**
 * Time the card of result `index` (zero-based) takes to turn, in milliseconds: full length for the
 * first three and for every prize.
 */
export function flipDurationMs(index: number, isPrize: boolean): number {
  return index < 3 || isPrize ? flipMs : hurriedFlipMs
}

/** Where the pack comes from: the picture of the chosen card, measured against the stage's pack. */
export interface PackOrigin {
  readonly x: number
  readonly y: number
  readonly scale: number
}

/** Used when the card is not on screen: the pack rises a little from below. */
export const nearbyOrigin: PackOrigin = { x: 0, y: 48, scale: 0.86 }

const { arrive, settle, shake, tear, bloom, reveal } = stageBeats
const springOut = 'cubic-bezier(0.2, 1.3, 0.4, 1)'
const easeOut = 'cubic-bezier(0.2, 0.8, 0.2, 1)'
const easeIn = 'cubic-bezier(0.6, 0, 0.9, 0.4)'
const easeInOut = 'cubic-bezier(0.5, 0, 0.5, 1)'

function pose(x: string, y: string, scale: number, degrees: number): string {
  return `translate(${x}, ${y}) scale(${scale}) rotate(${degrees}deg)`
}

const rest = pose('0px', '0px', 1, 0)

/** The pack's way from its card to the last moment before the tear; both halves move as one. */
function approach(origin: PackOrigin): Keyframe[] {
  const frames: Keyframe[] = [
    {
      offset: at(arrive),
      transform: pose(`${origin.x}px`, `${origin.y}px`, origin.scale, 0),
      easing: springOut,
    },
    { offset: at(settle), transform: rest, easing: easeInOut },
    { offset: at(440), transform: pose('0px', '-6px', 1.03, 0), easing: easeInOut },
    { offset: at(shake), transform: rest, easing: easeInOut },
  ]
  shakeStrikesMs.forEach((strike, index) => {
    const degrees = [1.5, 2.75, 4][index] ?? 4
    frames.push(
      { offset: at(strike - 45), transform: pose('-2px', '0px', 1.01, -degrees) },
      { offset: at(strike + 35), transform: pose('2px', '0px', 1.02, degrees) },
      { offset: at(strike + 110), transform: rest },
    )
  })
  frames.push({ offset: at(tear), transform: pose('0px', '0px', 1.03, 0), easing: easeOut })
  return frames.map((frame) => ({ ...frame, opacity: 1 }))
}

function halves(origin: PackOrigin): PartMotion[] {
  const before = approach(origin)
  return [
    {
      part: 'pack-top',
      keyframes: [
        ...before,
        // Sideways and down: what flew up would cross the heading.
        { offset: at(1500), transform: pose('6%', '-1%', 1.03, 4), opacity: 1, easing: easeIn },
        { offset: at(bloom), transform: pose('70%', '14%', 1, 26), opacity: 1 },
        { offset: at(1860), transform: pose('120%', '34%', 1, 44), opacity: 0 },
        { offset: 1, transform: pose('120%', '34%', 1, 44), opacity: 0 },
      ],
    },
    {
      part: 'pack-bottom',
      keyframes: [
        ...before,
        { offset: at(1480), transform: pose('0%', '0%', 1.03, 0), opacity: 1, easing: easeInOut },
        // It fades only where nothing shines through any more.
        { offset: at(bloom), transform: pose('0%', '24%', 1, 0), opacity: 1, easing: easeIn },
        { offset: at(1890), transform: pose('0%', '84%', 1, -2), opacity: 1 },
        { offset: at(1960), transform: pose('0%', '110%', 1, -3), opacity: 0 },
        { offset: 1, transform: pose('0%', '110%', 1, -3), opacity: 0 },
      ],
    },
  ]
}

const surroundings: readonly PartMotion[] = [
  {
    part: 'dust',
    keyframes: [
      { offset: 0, transform: 'translateY(24px)', opacity: 0 },
      { offset: at(settle), transform: 'translateY(16px)', opacity: 0 },
      { offset: at(460), transform: 'translateY(0px)', opacity: 1 },
      { offset: at(1100), transform: 'translateY(-28px)', opacity: 0.8 },
      { offset: at(tear), transform: 'translateY(-44px)', opacity: 0 },
      { offset: 1, transform: 'translateY(-44px)', opacity: 0 },
    ],
  },
  {
    part: 'aura',
    keyframes: [
      { offset: 0, transform: 'scale(0.5)', opacity: 0 },
      { offset: at(settle), transform: 'scale(0.6)', opacity: 0.35, easing: easeInOut },
      { offset: at(shake), transform: 'scale(0.72)', opacity: 0.5, easing: easeInOut },
      { offset: at(tear), transform: 'scale(1.1)', opacity: 0.95, easing: easeOut },
      { offset: at(bloom), transform: 'scale(1.16)', opacity: 0.8 },
      { offset: 1, transform: 'scale(0.9)', opacity: 0.45 },
    ],
  },
  {
    part: 'rays',
    keyframes: [
      { offset: 0, transform: 'rotate(-30deg) scale(0.8)', opacity: 0 },
      { offset: at(settle), transform: 'rotate(-27deg) scale(0.8)', opacity: 0.25 },
      { offset: at(shake), transform: 'rotate(-20deg) scale(0.85)', opacity: 0.4 },
      { offset: at(tear), transform: 'rotate(-8deg) scale(1)', opacity: 0.55 },
      { offset: at(bloom), transform: 'rotate(4deg) scale(1.1)', opacity: 0.7 },
      { offset: 1, transform: 'rotate(12deg) scale(1.15)', opacity: 0.4 },
    ],
  },
]

/** Where the card lies while the pack is closed. */
const inside = 'translateY(10%) scale(0.76)'

const light: readonly PartMotion[] = [
  {
    part: 'slit',
    keyframes: [
      { offset: 0, transform: 'scale(0.02, 0.4)', opacity: 0 },
      { offset: at(tear), transform: 'scale(0.02, 0.4)', opacity: 0, easing: easeOut },
      { offset: at(1440), transform: 'scale(0.2, 0.6)', opacity: 1, easing: easeOut },
      { offset: at(1640), transform: 'scale(1, 0.8)', opacity: 1, easing: easeInOut },
      { offset: at(bloom), transform: 'scale(1.08, 1.25)', opacity: 1 },
      { offset: at(1880), transform: 'scale(1.2, 2)', opacity: 0 },
      { offset: 1, transform: 'scale(1.2, 2)', opacity: 0 },
    ],
  },
  {
    part: 'bloom',
    keyframes: [
      { offset: 0, transform: 'scale(0.4)', opacity: 0 },
      { offset: at(bloom), transform: 'scale(0.4)', opacity: 0, easing: easeOut },
      { offset: at(1835), transform: 'scale(1)', opacity: 0.75, easing: easeInOut },
      { offset: 1, transform: 'scale(1.25)', opacity: 0 },
    ],
  },
  {
    part: 'card',
    keyframes: [
      // Inside the pack, and out of it: never see-through, as it stands behind the front half.
      { offset: 0, transform: inside, opacity: 0 },
      { offset: at(tear), transform: inside, opacity: 0 },
      { offset: at(tear), transform: inside, opacity: 1 },
      { offset: at(1480), transform: inside, opacity: 1, easing: easeInOut },
      { offset: at(bloom), transform: 'translateY(-2%) scale(0.8)', opacity: 1, easing: easeOut },
      { offset: at(reveal), transform: 'translateY(0%) scale(1)', opacity: 1 },
    ],
  },
]

/** The whole film of the opening step for a pack that comes from `origin`. */
export function openingFilm(origin: PackOrigin): readonly PartMotion[] {
  return [...surroundings, ...light, ...halves(origin)]
}
