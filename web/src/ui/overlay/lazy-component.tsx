// Parts of the page whose code comes when somebody is about to use them: menus, sheets, dialogs.

import { type ComponentType, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { logFailure } from '../../lib/log.ts'
import { toast } from '../feedback/toast.ts'

/** What shows that somebody is about to press: spread over the button that opens a part. */
export interface Intent {
  readonly onPointerEnter: () => void
  readonly onFocus: () => void
}

/** A component that can be fetched ahead; `read` is undefined until it is there. */
export interface Part<Props> {
  readonly fetch: () => Promise<void>
  readonly read: () => ComponentType<Props> | undefined
  readonly subscribe: (listener: () => void) => () => void
}

/** Declares a part; its code is fetched once, and asked for again after a failure. */
export function lazyComponent<Props>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  let loaded: ComponentType<Props> | undefined
  let pending: Promise<void> | undefined
  const listeners = new Set<() => void>()
  const keep = (component: ComponentType<Props>) => {
    loaded = component
    for (const listener of listeners) listener()
  }
  return {
    fetch: () => {
      pending ??= load()
        .then(keep)
        .catch((error: unknown) => {
          pending = undefined
          throw error
        })
      return pending
    },
    read: () => loaded,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

interface OnDemand<Props> {
  /** The component once it was asked for and is there. */
  readonly Component: ComponentType<Props> | undefined
  readonly intent: Intent
  /** Asks for it; says so when it cannot be had, and calls back. */
  readonly ask: (onFailed?: () => void) => void
}

/** A part as a component uses it: ahead when there is intent, for good when it is asked for. */
export function useOnDemand<Props>(part: Part<Props>): OnDemand<Props> {
  const Loaded = useSyncExternalStore(part.subscribe, part.read)
  const [isAsked, setAsked] = useState(false)
  const fetchAhead = () => {
    part.fetch().catch((error) => logFailure('A part of the page could not be loaded', error))
  }
  const ask = (onFailed?: () => void) => {
    setAsked(true)
    part.fetch().catch((error) => {
      setAsked(false)
      onFailed?.()
      logFailure('A part of the page could not be loaded', error)
      toast({
        title: 'This could not be opened',
        description: 'Check your connection and try again.',
        variant: 'destructive',
      })
    })
  }
  return {
    Component: isAsked ? Loaded : undefined,
    intent: { onPointerEnter: fetchAhead, onFocus: fetchAhead },
    ask,
  }
}

const presses = ['pointerdown', 'keydown'] as const

/**
 * Fetches a part ahead with the first press anywhere on the page, and with each one after it until
 * the part is there. Presses are heard before anything on the page can keep them to itself.
 */
export function useFetchedOnPress<Props>(part: Part<Props>): void {
  useEffect(() => {
    const stop = () => {
      for (const press of presses) removeEventListener(press, fetchAhead, true)
    }
    const fetchAhead = () => {
      part.fetch().then(stop, (error) => {
        logFailure('A part of the page could not be loaded ahead', error)
      })
    }
    for (const press of presses) addEventListener(press, fetchAhead, true)
    return stop
  }, [part])
}

interface Openable {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}

/**
 * The panel of a dialog, once it was opened: fetched with the first press anywhere on the page,
 * since no dialog opens before one, and closed again when it cannot be had.
 */
export function useOpened<Props>(
  part: Part<Props>,
  { isOpen, onOpenChange }: Openable,
): ComponentType<Props> | undefined {
  const { Component, ask } = useOnDemand(part)
  const latest = useRef({ ask, onOpenChange })
  useEffect(() => {
    latest.current = { ask, onOpenChange }
  })
  useEffect(() => {
    if (isOpen) latest.current.ask(() => latest.current.onOpenChange(false))
  }, [isOpen])
  useFetchedOnPress(part)
  return Component
}
