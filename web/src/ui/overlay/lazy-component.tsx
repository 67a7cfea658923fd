// Parts of the page whose code comes when somebody is about to use them: menus, sheets, dialogs.
// React's own `lazy` keeps a failure for good; here the next press tries again.

import { type Atom, createAtom, useSelector } from '@tanstack/react-store'
import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { logFailure } from '../../lib/log.ts'
import { isMissingCode } from '../../lib/missing-code.ts'
import { type ToastContent, toast } from '../feedback/toast.ts'

/** A component that can be fetched ahead. */
export interface LazyComponent<Props> {
  readonly fetch: () => Promise<void>
  readonly loaded: Atom<{ readonly Component?: ComponentType<Props> }>
  /** Fetches it when somebody is about to press: spread over the button that opens it. */
  readonly intent: { readonly onPointerEnter: () => void; readonly onFocus: () => void }
}

type PropsOf<C> = C extends ComponentType<infer Props> ? Props : never

/**
 * The component of that name in the module that `load` fetches: once, and again after a failure.
 */
export function lazyComponent<
  Name extends string,
  Module extends Record<Name, ComponentType<never>>,
>(load: () => Promise<Module>, name: Name): LazyComponent<PropsOf<Module[Name]>> {
  type Component = ComponentType<PropsOf<Module[Name]>>
  const loaded: LazyComponent<PropsOf<Module[Name]>>['loaded'] = createAtom({})
  let pending: Promise<void> | undefined
  const fetch = () => {
    pending ??= load().then(
      (module) => loaded.set(() => ({ Component: module[name] as Component })),
      (error: unknown) => {
        pending = undefined
        throw error
      },
    )
    return pending
  }
  const fetchAhead = () => {
    fetch().catch((error) => logFailure('A part of the page could not be loaded', error))
  }
  return {
    fetch,
    loaded,
    intent: { onPointerEnter: fetchAhead, onFocus: fetchAhead },
  }
}

/** What to say when code is missing: a new build takes that of the one before away for good. */
export function failureOf(error: unknown): ToastContent {
  if (navigator.onLine && isMissingCode(error)) {
    return {
      title: 'There is a newer version of this page',
      action: { label: 'Reload', onSelect: () => window.location.reload() },
    }
  }
  return {
    title: 'This could not be opened',
    description: 'Check your connection and try again.',
    variant: 'destructive',
  }
}

/**
 * The component from the first time that it is wanted on; undefined until its code is there. When
 * it cannot be had, that is said, and `onMissing` takes the wish back.
 */
export function useLazy<Props>(
  part: LazyComponent<Props>,
  isWanted: boolean,
  onMissing: () => void,
): ComponentType<Props> | undefined {
  const { Component } = useSelector(part.loaded)
  const [wasWanted, setWanted] = useState(isWanted)
  if (isWanted && !wasWanted) setWanted(true)
  const giveUp = useEffectEvent((error: unknown) => {
    setWanted(false)
    onMissing()
    logFailure('A part of the page could not be loaded', error)
    toast(failureOf(error))
  })
  useEffect(() => {
    if (isWanted) part.fetch().catch((error: unknown) => giveUp(error))
  }, [isWanted, part])
  return wasWanted ? Component : undefined
}

const presses = ['pointerdown', 'keydown'] as const

/**
 * Fetches a part ahead with the first press anywhere on the page, and with each one after it until
 * the part is there. Presses are heard before anything on the page can keep them to itself.
 */
export function useFetchedOnPress<Props>(part: LazyComponent<Props>): void {
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

export interface Openable {
  /** Open as long as it is mounted, where nothing is said. */
  readonly isOpen?: boolean
  /** Called with false when the person closes it. */
  readonly onOpenChange: (isOpen: boolean) => void
}

/**
 * The panel of a dialog, once it was opened: fetched with the first press anywhere on the page,
 * since no dialog opens before one, and closed again when it cannot be had.
 */
export function useOpened<Props>(
  part: LazyComponent<Props>,
  { isOpen = true, onOpenChange }: Openable,
): ComponentType<Props> | undefined {
  useFetchedOnPress(part)
  return useLazy(part, isOpen, () => onOpenChange(false))
}
