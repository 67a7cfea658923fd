// Lets the card on stage follow a fine pointer, with a foil that catches the light.

import { requestFrame } from '../../lib/request-frame.ts'

const finePointer = '(hover: hover) and (pointer: fine)'
const mostDegrees = 9

/**
 * Tilts `card` towards the pointer and moves its foil, by transform alone; `foil` may be absent.
 * Only mice and pens count. Returns the way to stop, which also lays the card flat again.
 */
export function followPointer(card: HTMLElement, foil: HTMLElement | null): () => void {
  if (typeof window.matchMedia !== 'function' || !window.matchMedia(finePointer).matches) {
    return () => undefined
  }
  let takeBack: (() => void) | undefined
  const lay = (transform: string, foilTransform: string) => {
    takeBack?.()
    takeBack = requestFrame(() => {
      card.style.transform = transform
      if (foil) foil.style.transform = foilTransform
    })
  }
  const move = (event: PointerEvent) => {
    const box = card.getBoundingClientRect()
    const x = (event.clientX - box.left) / box.width - 0.5
    const y = (event.clientY - box.top) / box.height - 0.5
    const tilt = `rotateX(${(-y * mostDegrees).toFixed(2)}deg) rotateY(${(x * mostDegrees).toFixed(2)}deg)`
    lay(tilt, `translate(${(x * 60).toFixed(1)}%, ${(y * 40).toFixed(1)}%)`)
  }
  const rest = () => lay('', '')
  card.addEventListener('pointermove', move)
  card.addEventListener('pointerleave', rest)
  return () => {
    card.removeEventListener('pointermove', move)
    card.removeEventListener('pointerleave', rest)
    takeBack?.()
    card.style.transform = ''
    if (foil) foil.style.transform = ''
  }
}
