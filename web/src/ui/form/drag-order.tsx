// Putting the things of a list in another order: by dragging a handle, or by keys on the handle.
// The list is shown in its new order while one of them is lifted, and saved once, at the end.

import { GripVertical } from 'lucide-react'
import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { announce } from '../feedback/live-region.tsx'
import { IconButton } from './button.tsx'

export interface DragOrderOptions {
  /** The things in the order in which they are stored. */
  readonly ids: readonly number[]
  readonly nameOf: (id: number) => string
  /** Puts one thing at a place, counted from 0. */
  readonly onPlace: (id: number, to: number) => void
}

export interface HandleProps {
  readonly isLifted: boolean
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  readonly onBlur: (event: { readonly relatedTarget: EventTarget | null }) => void
}

/** Where the thing in hand was and where it is shown, counted from 0. */
export interface Lifted {
  readonly id: number
  readonly from: number
  readonly to: number
}

const steps: Readonly<Record<string, (to: number, last: number) => number>> = {
  ArrowUp: (to) => to - 1,
  ArrowLeft: (to) => to - 1,
  ArrowDown: (to) => to + 1,
  ArrowRight: (to) => to + 1,
  Home: () => 0,
  End: (_, last) => last,
}

/** The lifted thing as it is shown, and what can become of it. Each step is read out. */
function useLifted(options: DragOrderOptions) {
  const [lifted, setLifted] = useState<Lifted>()
  // Events between two renders go on from the last of them, with the list as it is by then.
  const latest = useRef({ ...options, lifted })
  useEffect(() => {
    latest.current = { ...options, lifted }
  })
  const show = useCallback((next: Lifted | undefined) => {
    latest.current.lifted = next
    setLifted(next)
  }, [])
  const placeOf = useCallback((at: number) => `place ${at + 1} of ${latest.current.ids.length}`, [])
  const lift = useCallback(
    (id: number) => {
      const { ids, nameOf } = latest.current
      const from = ids.indexOf(id)
      show({ id, from, to: from })
      const keys = 'Arrow keys move it, Space drops it, Escape cancels.'
      announce(`${nameOf(id)} lifted, ${placeOf(from)}. ${keys}`)
    },
    [show, placeOf],
  )
  const moveTo = useCallback(
    (wanted: (to: number, last: number) => number) => {
      const { ids, nameOf, lifted: now } = latest.current
      if (!now) return
      const last = ids.length - 1
      const to = Math.min(Math.max(wanted(now.to, last), 0), last)
      if (to === now.to) return
      show({ ...now, to })
      announce(`${nameOf(now.id)}, ${placeOf(to)}`)
    },
    [show, placeOf],
  )
  const end = useCallback(
    (isKept: boolean) => {
      const { nameOf, onPlace, lifted: now } = latest.current
      if (!now) return
      show(undefined)
      if (isKept && now.to !== now.from) onPlace(now.id, now.to)
      else announce(`${nameOf(now.id)} is back at ${placeOf(now.from)}`)
    },
    [show, placeOf],
  )
  /** The place at which another thing is shown while this one is in hand. */
  const placeShown = useCallback((otherId: number) => {
    const { ids, lifted: now } = latest.current
    if (!now) return ids.indexOf(otherId)
    const others = ids.filter((id) => id !== now.id)
    return others.toSpliced(now.to, 0, now.id).indexOf(otherId)
  }, [])
  return { lifted, lift, moveTo, end, placeShown }
}

/**
 * Lifts, moves and puts down. What is lifted goes back with Escape, and is put down when the focus
 * goes elsewhere.
 * @returns where the lifted thing is shown, and what each handle needs
 */
export function useDragOrder(options: DragOrderOptions) {
  const { lifted, lift, moveTo, end, placeShown } = useLifted(options)
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])

  // A row that changes places in the page loses the focus.
  useEffect(() => {
    if (!lifted) return
    document.querySelector<HTMLElement>(`[${orderHandle}="${lifted.id}"]`)?.focus()
  }, [lifted])

  const handleOf = useCallback(
    (id: number): HandleProps => {
      const isLifted = lifted?.id === id
      return {
        isLifted,
        onPointerDown: (event) => {
          if (event.button !== 0) return
          stop.current?.()
          const onOver = (otherId: number) => moveTo(() => placeShown(otherId))
          stop.current = followPointer(event, { id, onLift: () => lift(id), onOver, onEnd: end })
        },
        onKeyDown: (event) => {
          const step = steps[event.key]
          if (event.key === ' ' || event.key === 'Enter') {
            if (isLifted) end(true)
            else lift(id)
          } else if (isLifted && event.key === 'Escape') end(false)
          else if (isLifted && step) moveTo(step)
          else return
          event.preventDefault()
          event.stopPropagation()
        },
        onBlur: ({ relatedTarget }) => {
          if (isLifted && relatedTarget !== null) end(true)
        },
      }
    },
    [lifted, lift, moveTo, end, placeShown],
  )
  return { lifted, handleOf }
}

/** The attribute by which a handle says which thing it moves. */
const orderHandle = 'data-order-handle'

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

export interface DragHandleProps extends HandleProps {
  readonly id: number
  /** What is moved. */
  readonly name: string
}

/** A list with handles keeps other ways to move things, for who can use neither of the two. */
export function DragHandle({ id, name, isLifted, ...handlers }: DragHandleProps) {
  return (
    <IconButton
      {...handlers}
      {...{ [orderHandle]: id }}
      label={`Reorder ${name}: drag, or press Space and use the arrow keys`}
      aria-pressed={isLifted}
      className="drag-handle"
      icon={GripVertical}
    />
  )
}
