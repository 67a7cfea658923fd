// The burst that greets a physical prize: 24 sprites that fly once and are gone.

import { logFailure } from '../../lib/log.ts'
import { canAnimate } from './stage-timeline.ts'

const burstSize = 24
const burstMs = 900
/** Turning by this angle from sprite to sprite spreads them evenly, without chance. */
const goldenAngle = Math.PI * (3 - Math.sqrt(5))

/**
 * Lets the sprites fly from the middle of `host`, which must be positioned. They are made when they
 * start, so that the frame of the card does not carry them too, and remove themselves; the returned
 * function removes them at once. Does nothing where Web Animations are missing.
 */
export function playBurst(host: HTMLElement, delayMs: number): () => void {
  if (!canAnimate(host)) return () => undefined
  let sprites: HTMLElement[] = []
  const timer = setTimeout(() => {
    sprites = burstIn(host)
  }, delayMs)
  return () => {
    clearTimeout(timer)
    for (const sprite of sprites) sprite.remove()
  }
}

function burstIn(host: HTMLElement): HTMLElement[] {
  const reach = Math.max(host.clientWidth, host.clientHeight) * 0.78
  const sprites = Array.from({ length: burstSize }, (_, index) => {
    const sprite = document.createElement('span')
    sprite.className = `burst-sprite burst-sprite-${index % 4}`
    return sprite
  })
  host.append(...sprites)
  try {
    for (const [index, sprite] of sprites.entries()) fly(sprite, index, reach)
  } catch (error) {
    logFailure('The burst could not be animated', error)
    for (const sprite of sprites) sprite.remove()
  }
  return sprites
}

function fly(sprite: HTMLElement, index: number, reach: number): void {
  const angle = index * goldenAngle
  const distance = reach * (0.62 + (0.38 * ((index * 7) % burstSize)) / burstSize)
  const x = Math.cos(angle) * distance
  const y = Math.sin(angle) * distance
  const turn = 180 + ((index * 97) % 360)
  const flight = sprite.animate(
    [
      { transform: 'translate(0px, 0px) scale(0.4) rotate(0deg)', opacity: 0 },
      {
        offset: 0.12,
        transform: `translate(${x * 0.35}px, ${y * 0.35}px) scale(1.1) rotate(${turn * 0.3}deg)`,
        opacity: 1,
        easing: 'cubic-bezier(0.1, 0.8, 0.3, 1)',
      },
      {
        offset: 0.7,
        transform: `translate(${x}px, ${y}px) scale(1) rotate(${turn * 0.8}deg)`,
        opacity: 1,
      },
      {
        transform: `translate(${x * 1.04}px, ${y + 46}px) scale(0.7) rotate(${turn}deg)`,
        opacity: 0,
      },
    ],
    { duration: burstMs },
  )
  flight.id = `burst:${index}`
  flight.onfinish = () => sprite.remove()
}
