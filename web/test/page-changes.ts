// When what is remembered of the tests' own page no longer holds.

/**
 * Calls `forget` after every change of the page that `which` names. What it answers is asked before
 * what is remembered is used: changes since the last turn of the event loop have not been told yet.
 */
export function forgetOnChange(forget: () => void, which: MutationObserverInit): () => void {
  const changes = new MutationObserver(forget)
  changes.observe(document, { subtree: true, childList: true, attributes: true, ...which })
  return () => {
    if (changes.takeRecords().length > 0) forget()
  }
}
