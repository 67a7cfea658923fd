// What every dialog shares: a page that does not scroll behind it, a way back for the focus, and
// the count of those that are open.

import { createAtom, useSelector } from '@tanstack/react-store'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'

/** How many dialogs are open, for what has to wait until there are none. */
export const openDialogs = createAtom(0)

/** Whether any dialog is open. */
export function useDialogOpen(): boolean {
  return useSelector(openDialogs, (count) => count > 0)
}

/**
 * Keeps the page behind from scrolling while `isLocked`; the room of its scroll bar is kept, so
 * that nothing moves. Written on the root's own style, because a style element would be refused by
 * the content security policy; once the dialog stands: asking for the width lays out the page.
 */
export function useScrollLock(isLocked: boolean): void {
  useEffect(() => {
    if (isLocked) return lockScroll()
  }, [isLocked])
}

/** @returns a function that takes the lock away */
export function lockScroll(): () => void {
  const { documentElement: root } = document
  openDialogs.set((count) => count + 1)
  if (window.innerWidth > root.clientWidth) root.style.scrollbarGutter = 'stable'
  root.style.overflow = 'hidden'
  return () => {
    openDialogs.set((count) => count - 1)
    if (openDialogs.get() > 0) return
    root.style.overflow = ''
    root.style.scrollbarGutter = ''
  }
}

/** Where the focus was, and what stands near it in case it goes away meanwhile. */
function placesToReturn(): HTMLElement[] {
  const opener = document.activeElement
  if (!(opener instanceof HTMLElement) || opener === document.body) return []
  const row = opener.closest('tr, li, [role="row"]') ?? opener.closest('article')
  // The bar of ticked rows goes with the last of them; the rows that are left do not.
  const ticked = opener.closest('[data-bar]')?.parentElement?.querySelector('tbody')
  const near = [row?.nextElementSibling, row?.previousElementSibling, ticked]
  return [opener, ...near.filter((element) => element instanceof HTMLElement)]
}

const focusable = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea'

function focusIn(place: HTMLElement): boolean {
  if (!place.isConnected) return false
  place.focus()
  if (document.activeElement === place) return true
  const inside = place.querySelector<HTMLElement>(focusable)
  inside?.focus()
  return inside !== null && document.activeElement === inside
}

/**
 * What a dialog shows may still be on the way. Its cross, alone so far, does not take the focus:
 * the first space of what is typed early would press it.
 */
export function focusBeforeCross(event: Event): void {
  const panel = event.currentTarget
  if (!(panel instanceof HTMLElement) || panel.querySelectorAll(focusable).length > 1) return
  event.preventDefault()
  panel.focus()
}

/**
 * Remembers the opener when a dialog opens and gives the focus back when it closes: to the opener,
 * or when that is gone to its neighbours, to the dialog that is still open, or to the heading of
 * the page. Never to nothing.
 * @returns a handler for the moment when the dialog gives up the focus
 */
export function useFocusReturn(isOpen: boolean): (event?: Event) => void {
  const places = useRef<HTMLElement[]>([])
  useLayoutEffect(() => {
    if (isOpen) places.current = placesToReturn()
  }, [isOpen])
  return (event) => {
    event?.preventDefault()
    const restore = () => returnTo(places.current)
    restore()
    watchFocus(restore)
  }
}

function returnTo(places: readonly HTMLElement[]): void {
  if (places.some(focusIn)) return
  const dialogs = document.querySelectorAll<HTMLElement>('.dialog[data-state="open"]')
  const heading = [...dialogs].at(-1) ?? document.querySelector<HTMLElement>('main h1, main, h1')
  if (heading && !heading.hasAttribute('tabindex')) heading.tabIndex = -1
  heading?.focus()
}

/** How long a list may take to drop the row that was acted on, in milliseconds. */
const watchMs = 5000

/** A row goes once its list was asked again, a moment after the focus has returned to it. */
function watchFocus(onLost: () => void): void {
  const held = document.activeElement
  const observer = new MutationObserver(() => {
    if (held?.isConnected) return
    observer.disconnect()
    if (document.activeElement === document.body) onLost()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  window.setTimeout(() => observer.disconnect(), watchMs)
}

/**
 * What a dialog does at Escape when a message has come after it: the key goes to the newest layer
 * alone, and the message leaves it to the dialog that has the focus.
 */
export function closeAtEscape(close: (isOpen: boolean) => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    close(false)
  }
}
