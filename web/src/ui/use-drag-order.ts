// Putting the things of a list in another order: by dragging a handle, or by keys on the handle.
// The list is shown in its new order while one of them is lifted, and saved once, at the end.

import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { followPointer, orderHandle } from './drag-pointer.ts'
import { announce } from './live-region.tsx'

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
      const keys = 'Arrow keys move it, Space puts it down, Escape puts it back.'
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
