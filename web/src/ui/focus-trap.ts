// What keeps keys and readers inside a dialog while it is open.

const live = '[aria-live]'
const otherDialog = '[role="dialog"], [role="alertdialog"]'
const tabbable =
  'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]'

/** Everything inside that the Tab key leads to, in its order. */
export function tabbablesIn(dialog: HTMLElement): HTMLElement[] {
  return [...dialog.querySelectorAll<HTMLElement>(tabbable)].filter(
    (element) => element.tabIndex >= 0 && !element.closest('[hidden]'),
  )
}

/**
 * Hides from readers what is outside of the dialog, but for live regions, which speak of it.
 * @returns a function that shows it again
 */
export function hideOutside(dialog: HTMLElement): () => void {
  const hidden: Element[] = []
  const hideIn = (parent: Element) => {
    for (const child of parent.children) {
      if (child.contains(dialog) || child.matches(live)) continue
      if (child.querySelector(live)) hideIn(child)
      else if (!child.hasAttribute('aria-hidden')) {
        child.setAttribute('aria-hidden', 'true')
        hidden.push(child)
      }
    }
  }
  hideIn(document.body)
  return () => {
    for (const element of hidden) element.removeAttribute('aria-hidden')
  }
}

/**
 * Brings the focus back when it leaves the dialog for the page, and home when what had it is taken
 * away.
 * @returns a function that lets it go
 */
export function keepFocusInside(dialog: HTMLElement, home: HTMLElement): () => void {
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
