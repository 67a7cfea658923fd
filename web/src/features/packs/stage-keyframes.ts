// What every part of the opening picture does between its beats; transform and opacity only.

import { shakeStrikesMs, stageBeats } from './stage-beats.ts'
import { at, type PartMotion } from './stage-timeline.ts'

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

/** Parts that know the outcome (by colour and pattern) and so stay dark until the tear. */
export const outcomeParts: readonly string[] = ['slit', 'bloom']
