// Recognises a swipe to the left; an extra to the button, never the only way.

const leastDistance = 48

/**
 * Calls `onSwipe` when a touch or pen travels at least 48 px to the left and mostly sideways.
 * Returns the way to stop.
 */
export function onSwipeLeft(element: HTMLElement, onSwipe: () => void): () => void {
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
    if (left >= leastDistance && left > sideways * 1.5) onSwipe()
  }
  const forget = () => {
    start = null
  }
  element.addEventListener('pointerdown', down)
  element.addEventListener('pointerup', up)
  element.addEventListener('pointercancel', forget)
  return () => {
    element.removeEventListener('pointerdown', down)
    element.removeEventListener('pointerup', up)
    element.removeEventListener('pointercancel', forget)
  }
}
