// What a player has chosen about openings on this device: sound, and less motion.

import { useSyncExternalStore } from 'react'

const soundItem = 'redpack:opening-sound'
const motionItem = 'redpack:reduced-motion'
const systemQuery = '(prefers-reduced-motion: reduce)'

const listeners = new Set<() => void>()
// Stands in for storage that is closed, so that a switch works at least until the page is left.
const session = new Map<string, boolean>()

function isChosen(item: string): boolean {
  const chosen = session.get(item)
  if (chosen !== undefined) return chosen
  try {
    return localStorage.getItem(item) === 'on'
  } catch {
    return false
  }
}

function choose(item: string, isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(item, 'on')
    else localStorage.removeItem(item)
    session.delete(item)
  } catch {
    session.set(item, isOn)
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  const query = systemMotionQuery()
  listeners.add(listener)
  window.addEventListener('storage', listener)
  query?.addEventListener('change', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
    query?.removeEventListener('change', listener)
  }
}

function systemMotionQuery(): MediaQueryList | undefined {
  return typeof window.matchMedia === 'function' ? window.matchMedia(systemQuery) : undefined
}

/** True when the system asks every page for less motion. */
function systemReducesMotion(): boolean {
  return systemMotionQuery()?.matches ?? false
}

function isSoundOn(): boolean {
  return isChosen(soundItem)
}

function isMotionReduced(): boolean {
  return systemReducesMotion() || isChosen(motionItem)
}

/** Sound and vibration together; off until the player turns them on. */
export function useSound(): readonly [isOn: boolean, setOn: (isOn: boolean) => void] {
  const isOn = useSyncExternalStore(subscribe, isSoundOn, () => false)
  return [isOn, (next) => choose(soundItem, next)]
}

/**
 * Less motion, because the system asks for it or the player does. `isFixed` is true in the first
 * case: the system's wish is not overruled here.
 */
export function useReducedMotion(): {
  readonly isReduced: boolean
  readonly isFixed: boolean
  readonly setReduced: (isReduced: boolean) => void
} {
  const isReduced = useSyncExternalStore(subscribe, isMotionReduced, () => false)
  const isFixed = useSyncExternalStore(subscribe, systemReducesMotion, () => false)
  return { isReduced, isFixed, setReduced: (next) => choose(motionItem, next) }
}
