// Remembers computed styles between searches by role.
//
// jsdom works out the style of an element anew each time, against every rule of its style sheets,
// and finding something by its role asks for the styles of all that could be meant: a third of the
// time of a test. The answers stand until the page changes.

const isRemembering = Symbol.for('computed styles are remembered')

/** Remembers the styles that queries ask this page's window for, until anything in it changes. */
export function rememberComputedStyles(): void {
  const view = document.defaultView as (Window & { [isRemembering]?: true }) | null
  if (view === null || view[isRemembering]) return
  view[isRemembering] = true
  const compute = view.getComputedStyle.bind(view)
  let known = new WeakMap<Element, CSSStyleDeclaration>()
  const forget = () => {
    known = new WeakMap()
  }
  const changes = new MutationObserver(forget)
  const everything = { subtree: true, childList: true, attributes: true, characterData: true }
  changes.observe(document, everything)
  view.getComputedStyle = (element, pseudoElement) => {
    if (pseudoElement || !element.isConnected) return compute(element, pseudoElement)
    // Changes since the last turn of the event loop have not been told yet.
    if (changes.takeRecords().length > 0) forget()
    const style = known.get(element) ?? compute(element)
    known.set(element, style)
    return style
  }
}
