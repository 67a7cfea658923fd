// A dialog that fills the screen and hides the page behind it; it brings its own buttons. Made by
// hand: the panel of other dialogs turns pointers off on the whole page and asks the browser for
// styles while it is mounted, which on a phone is a frame that everybody sees.

import { hideOthers } from 'aria-hidden'
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
} from 'react'
import { createPortal } from 'react-dom'
import { lockScroll, useFocusReturn } from './dialog-shell.ts'

export interface FullDialogProps {
  /** Called when the person presses Escape. */
  readonly onClose: () => void
  /**
   * Where the focus goes afterwards, for openers that are disabled while the dialog is prepared;
   * to what had the focus before when absent or gone.
   */
  readonly returnTo?: () => HTMLElement | null
  /** Holds a `FullDialogTitle`, which takes the focus first. */
  readonly children: ReactNode
}

const TitleId = createContext<string | undefined>(undefined)

/** Open as long as it is mounted. Presses on a toast above it do not close it. */
export function FullDialog({ onClose, returnTo, children }: FullDialogProps) {
  const box = useRef<HTMLDivElement>(null)
  const titleId = useId()
  const returnFocus = useFocusReturn(true)
  const giveFocusBack = useEffectEvent(() => {
    const place = returnTo?.()
    // What came above it meanwhile is news, and stays in sight.
    place?.focus({ preventScroll: true })
    if (!place || document.activeElement !== place) returnFocus()
  })
  useEffect(() => {
    const dialog = box.current
    if (!dialog) return
    const showAgain = hideOthers(dialog)
    const home = dialog.querySelector('h2') ?? dialog
    const letGo = keepFocusInside(dialog, home)
    let unlock: (() => void) | undefined
    // A task of its own: both ask for the layout of what was mounted just now.
    const timer = setTimeout(() => {
      unlock = lockScroll()
      if (!dialog.contains(document.activeElement)) home.focus()
    })
    return () => {
      clearTimeout(timer)
      letGo()
      unlock?.()
      showAgain()
      // A button of the page that waits for the dialog's end can be focused only after it.
      setTimeout(giveFocusBack)
    }
  }, [])
  return createPortal(
    <TitleId value={titleId}>
      <div
        ref={box}
        role="dialog"
        aria-modal="true"
        aria-labelledby={titleId}
        tabIndex={-1}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
          if (event.key === 'Tab') turnAround(event)
        }}
        className="fixed inset-0 z-dialog focus:outline-none"
      >
        {children}
      </div>
    </TitleId>,
    document.body,
  )
}

/** From the last control the focus goes to the first one, and back. */
function turnAround(event: KeyboardEvent<HTMLElement>): void {
  const controls = tabbablesIn(event.currentTarget)
  const [from, to] = event.shiftKey
    ? [controls.at(0), controls.at(-1)]
    : [controls.at(-1), controls.at(0)]
  const { activeElement } = document
  const isBeforeFirst = event.shiftKey && !controls.includes(activeElement as HTMLElement)
  if (activeElement !== from && !isBeforeFirst) return
  event.preventDefault()
  to?.focus()
}

export interface FullDialogTitleProps {
  readonly className?: string
  readonly children: ReactNode
}

export function FullDialogTitle({ className, children }: FullDialogTitleProps) {
  return (
    <h2 id={useContext(TitleId)} tabIndex={-1} className={className}>
      {children}
    </h2>
  )
}

const otherDialog = '[role="dialog"], [role="alertdialog"]'
const tabbable =
  'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]'

/** Everything inside that the Tab key leads to, in its order. */
function tabbablesIn(dialog: HTMLElement): HTMLElement[] {
  return [...dialog.querySelectorAll<HTMLElement>(tabbable)].filter(
    (element) => element.tabIndex >= 0 && !element.closest('[hidden]'),
  )
}

/**
 * Brings the focus back when it leaves the dialog for the page, and home when what had it is taken
 * away.
 * @returns a function that lets it go
 */
function keepFocusInside(dialog: HTMLElement, home: HTMLElement): () => void {
  let last = home
  const follow = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return
    if (dialog.contains(target)) last = target
    // A dialog that was put above keeps its focus: two that fetch it back would never end.
    else if (!target.closest(otherDialog)) (last.isConnected ? last : home).focus()
  }
  const observer = new MutationObserver(() => {
    if (document.activeElement === document.body) home.focus()
  })
  document.addEventListener('focusin', follow)
  observer.observe(dialog, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', follow)
    observer.disconnect()
  }
}
