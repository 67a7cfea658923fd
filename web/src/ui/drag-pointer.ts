// Following a pointer that drags one thing of a list to another place.

import type { PointerEvent } from 'react'

/** The attribute by which a handle says which thing it moves. */
export const orderHandle = 'data-order-handle'

/** A pointer that moves less, in pixels, has only pressed the handle. */
const liftPx = 4
/** How near the edge of the window, in pixels, the page scrolls along, and how far at a time. */
const edgePx = 56
const scrollPx = 14

interface Point {
  readonly x: number
  readonly y: number
}

interface Row {
  readonly id: number
  readonly box: DOMRect
}

/** The rows of the handles within `root`, in their order on the page. */
function rowsWithin(root: Element): Row[] {
  return [...root.querySelectorAll(`[${orderHandle}]`)].flatMap((handle) => {
    const row = handle.closest('tr, li')
    const id = Number(handle.getAttribute(orderHandle))
    return row ? [{ id, box: row.getBoundingClientRect() }] : []
  })
}

/** How far a point is from a box; 0 within it. */
function distance({ x, y }: Point, box: DOMRect): number {
  const across = Math.max(box.left - x, 0, x - box.right)
  const down = Math.max(box.top - y, 0, y - box.bottom)
  return Math.hypot(across, down)
}

/** Past the middle of a box, seen from another: only then do two of unequal size change places. */
function isPast(point: Point, box: DOMRect, from: DOMRect): boolean {
  const isSameLine = Math.abs(from.top - box.top) < Math.min(from.height, box.height) / 2
  const middle = isSameLine ? (box.left + box.right) / 2 : (box.top + box.bottom) / 2
  const at = isSameLine ? point.x : point.y
  const isAfter = isSameLine ? box.left > from.left : box.top > from.top
  return isAfter ? at > middle : at < middle
}

/** The id of the thing whose place the dragged one takes, or undefined where it stays. */
function takenBy(id: number, point: Point, rows: readonly Row[]): number | undefined {
  const own = rows.find((row) => row.id === id)
  const [near] = rows.toSorted((a, b) => distance(point, a.box) - distance(point, b.box))
  if (!own || !near || near.id === id) return undefined
  return isPast(point, near.box, own.box) ? near.id : undefined
}

function scrollAlong(y: number): void {
  if (y < edgePx) window.scrollBy(0, -scrollPx)
  else if (y > window.innerHeight - edgePx) window.scrollBy(0, scrollPx)
}

export interface Drag {
  readonly id: number
  /** The pointer has really moved. */
  readonly onLift: () => void
  /** It is over the place of another thing. */
  readonly onOver: (otherId: number) => void
  /** It was let go, or the drag was given up. */
  readonly onEnd: (isKept: boolean) => void
}

/**
 * Follows the pointer over the whole window until it is let go, since the handle itself moves in
 * the page. Escape gives up. @returns the way to stop listening
 */
export function followPointer(
  start: PointerEvent<HTMLElement>,
  { id, onLift, onOver, onEnd }: Drag,
): () => void {
  const root = start.currentTarget.closest('table, ul')
  const { pointerId, clientX, clientY } = start
  const gone = new AbortController()
  let isLifted = false
  const end = (isKept: boolean) => {
    gone.abort()
    if (isLifted) onEnd(isKept)
  }
  const onMove = (event: globalThis.PointerEvent) => {
    if (event.pointerId !== pointerId || !root) return
    const point = { x: event.clientX, y: event.clientY }
    if (!isLifted && Math.hypot(point.x - clientX, point.y - clientY) < liftPx) return
    if (!isLifted) onLift()
    isLifted = true
    scrollAlong(point.y)
    const other = takenBy(id, point, rowsWithin(root))
    if (other !== undefined) onOver(other)
  }
  const onUp = (event: globalThis.PointerEvent) => {
    if (event.pointerId === pointerId) end(event.type === 'pointerup')
  }
  const { signal } = gone
  window.addEventListener('pointermove', onMove, { signal })
  window.addEventListener('pointerup', onUp, { signal })
  window.addEventListener('pointercancel', onUp, { signal })
  const onKey = ({ key }: globalThis.KeyboardEvent) => key === 'Escape' && end(false)
  window.addEventListener('keydown', onKey, { signal, capture: true })
  return () => gone.abort()
}
