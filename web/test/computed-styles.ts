// Remembers computed styles between searches by role.
//
// jsdom works out the style of an element anew each time, against every rule of its style sheets,
// and finding something by its role asks for the styles of all that could be meant: a third of the
// time of a test. The answers stand until the page changes. In a page without style sheets of its
// own, which is nearly every one, they also stand for all elements in the same place: the rules
// that come with jsdom look at tags and attributes of an element and of those around it.

import { forgetOnChange } from './page-changes.ts'

const isRemembering = Symbol.for('computed styles are remembered')

/** Where an element stands, as far as rules of jsdom can tell, and how it looks there. */
interface Place {
  readonly inner: Map<string, Place>
  style?: CSSStyleDeclaration
}

const emptyPlace = (): Place => ({ inner: new Map() })
/** So many places are hundreds of megabytes at most. */
const placesMax = 20_000
/** Attributes that no rule of jsdom looks at. */
const unseen = /^(?:class|id|aria-|data-|for$|href$|src$|name$|value$|placeholder$|d$)/

/** Start tag of the element with the attributes that rules look at. */
function startOf(element: Element): string {
  let start = element.localName
  for (const { name, value } of element.attributes) {
    if (!unseen.test(name)) start += ` ${name}=${value}`
  }
  return start
}

/** Children of these look different by their order. */
const ordering = new Set(['details', 'fieldset'])

/** Remembers the styles that queries ask this page's window for, until anything in it changes. */
export function rememberComputedStyles(): void {
  const view = document.defaultView as (Window & { [isRemembering]?: true }) | null
  if (view === null || view[isRemembering]) return
  view[isRemembering] = true
  const compute = view.getComputedStyle.bind(view)
  let root = emptyPlace()
  let placeCount = 0
  let places = new WeakMap<Element, Place>()
  const forget = () => {
    places = new WeakMap()
  }
  const forgetChanged = forgetOnChange(forget, { characterData: true })

  function newPlace(element: Element): Place {
    const { parentElement: parent } = element
    const isAlone = document.styleSheets.length > 0 || ordering.has(parent?.localName ?? '')
    if (isAlone) return emptyPlace()
    const around = parent === null ? root : placeOf(parent)
    const start = startOf(element)
    const known = around.inner.get(start)
    if (known !== undefined) return known
    if (placeCount >= placesMax) {
      root = emptyPlace()
      placeCount = 0
      forget()
    }
    placeCount += 1
    const place = emptyPlace()
    around.inner.set(start, place)
    return place
  }

  function placeOf(element: Element): Place {
    const known = places.get(element)
    if (known !== undefined) return known
    const place = newPlace(element)
    places.set(element, place)
    return place
  }

  view.getComputedStyle = (element, pseudoElement) => {
    if (pseudoElement || !element.isConnected) return compute(element, pseudoElement)
    forgetChanged()
    const place = placeOf(element)
    place.style ??= compute(element)
    return place.style
  }
}
