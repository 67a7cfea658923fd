// Keys that act without a control: who offers them, and when they count.

import { createAtom, useSelector } from '@tanstack/react-store'
import { useEffect, useEffectEvent } from 'react'
import { browserSwitch } from '../../lib/browser-switch.ts'
import { openDialogs } from './dialog-shell.ts'

export interface Shortcut {
  /** One key ('/'), two in a row ('g u'), or one with Control or Command ('mod+k'). */
  readonly keys: string
  /** What happens, for the list of shortcuts. */
  readonly label: string
  /** Heading under which it is listed. */
  readonly group: string
  readonly run: () => void
}

declare global {
  interface Window {
    /** Set by the page's first script: ends its own listening, answers what was pressed so far. */
    redpackEarlyKeys?: (() => readonly KeyboardEvent[]) | undefined
  }
}

/** How long a press waits for the app to be there; later nobody expects anything of it any more. */
const earlyMsMax = 10_000
/** How long after the first key the second one counts, in milliseconds. */
export const sequenceMs = 1000

const offered = createAtom<readonly Shortcut[]>([])

/** Whether keys without Control or Command act at all (WCAG 2.1.4). */
export const singleKeys = browserSwitch('redpack:single-keys', true)

/** What the page offers now, in the order of its parts. */
export function useShortcuts(): readonly Shortcut[] {
  return useSelector(offered)
}

/** Offers a shortcut as long as the caller is on the page; the newest of equal keys counts. */
export function useShortcut({ keys, label, group, run }: Shortcut): void {
  const act = useEffectEvent(run)
  useEffect(() => {
    const shortcut: Shortcut = { keys, label, group, run: () => act() }
    offered.set((before) => [...before, shortcut])
    return () => offered.set((before) => before.filter((other) => other !== shortcut))
  }, [keys, label, group])
}

/** Whether keys belong to what has the focus: a field, a list, something that can be written in. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.closest('input, textarea, select, [contenteditable=""], [contenteditable="true"]') !==
      null ||
    target.closest('[role="menu"], [role="listbox"], [role="radiogroup"], [role="tablist"]') !==
      null
  )
}

function find(keys: string): Shortcut | undefined {
  return offered.get().findLast((shortcut) => shortcut.keys === keys)
}

/**
 * Listens to the keys of the whole page, and first of all acts on those that were pressed while it
 * was loading.
 * @returns the way to stop
 */
export function listenForShortcuts(): () => void {
  const press = createKeyReader()
  for (const event of window.redpackEarlyKeys?.() ?? []) {
    if (performance.now() - event.timeStamp <= earlyMsMax) press(event)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.defaultPrevented) press(event)
  }
  window.addEventListener('keydown', onKeyDown)
  return () => window.removeEventListener('keydown', onKeyDown)
}

function createKeyReader(): (event: KeyboardEvent) => void {
  let first = ''
  let firstAtMs = 0
  return (event) => {
    if (event.repeat || event.isComposing) return
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const isMod = event.ctrlKey || event.metaKey
    if (isMod && !event.altKey) {
      const shortcut = find(`mod+${key}`)
      if (!shortcut || openDialogs.get() > 0) return
      event.preventDefault()
      shortcut.run()
      return
    }
    const isBusy = isMod || event.altKey || isTyping(event.target) || openDialogs.get() > 0
    if (isBusy || !singleKeys.isOn()) {
      first = ''
      return
    }
    const isSecond = first !== '' && event.timeStamp - firstAtMs <= sequenceMs
    const shortcut = (isSecond && find(`${first} ${key}`)) || find(key)
    first = shortcut ? '' : key
    firstAtMs = event.timeStamp
    if (!shortcut) return
    event.preventDefault()
    shortcut.run()
  }
}
