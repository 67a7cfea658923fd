// Recognises that somebody tears the pack: a press on it, or a drag across it, by any pointer.

const leastDistance = 24

/** Calls `onTear` after a press or a drag of 24 px. Returns the way to stop. */
export function onTear(element: HTMLElement, tear: () => void): () => void {
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
  element.addEventListener('pointerdown', down)
  element.addEventListener('pointermove', move)
  element.addEventListener('pointerup', up)
  return () => {
    element.removeEventListener('pointerdown', down)
    element.removeEventListener('pointermove', move)
    element.removeEventListener('pointerup', up)
  }
}
