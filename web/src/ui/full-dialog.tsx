// A dialog that fills the screen and hides the page behind it; it brings its own buttons. Made by
// hand: the panel of other dialogs turns pointers off on the whole page and asks the browser for
// styles while it is mounted, which on a phone is a frame that everybody sees.

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
import { hideOutside, keepFocusInside, tabbablesIn } from './focus-trap.ts'

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
    place?.focus()
    if (!place || document.activeElement !== place) returnFocus()
  })
  useEffect(() => {
    const dialog = box.current
    if (!dialog) return
    const showAgain = hideOutside(dialog)
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
