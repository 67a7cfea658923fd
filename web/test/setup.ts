// What jsdom lacks and the screens use, a clean page after each test, and modules of the product
// that start anew for each file.

import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import { beginTime } from '../../tools/test-clock.ts'
import { browserMemory } from '../src/lib/browser-memory.ts'
import { clearToasts } from '../src/ui/feedback/toast.ts'
import { rememberComputedStyles } from './computed-styles.ts'

rememberComputedStyles()

// Busy machines take their time; a test that waits in vain still ends long before its own limit.
// Files that look into what is hidden as well say so for themselves alone.
configure({ asyncUtilTimeout: 8000, defaultHidden: false })

class NoResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** A socket that never opens. */
class SilentSocket {
  close() {}
}

/** A media query list that matches nothing. */
function noMatch(query: string) {
  return {
    media: query,
    matches: false,
    onchange: null,
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
    dispatchEvent: () => false,
  }
}

beforeEach(() => {
  vi.stubGlobal('ResizeObserver', NoResizeObserver)
  vi.stubGlobal('WebSocket', SilentSocket)
  vi.stubGlobal('matchMedia', noMatch)
  vi.stubGlobal('scrollTo', () => {})
  Element.prototype.scrollIntoView ??= () => {}
  Element.prototype.hasPointerCapture ??= () => false
  Element.prototype.releasePointerCapture ??= () => {}
})

afterEach(async () => {
  beginTime()
  cleanup()
  // Before the pretend server goes, or a call that was spied on would come back after it.
  vi.restoreAllMocks()
  await browserMemory.clear()
  clearToasts()
  localStorage.clear()
  sessionStorage.clear()
  window.redpackFirstAnswers = undefined
  vi.unstubAllGlobals()
})

// Libraries stay loaded for the next file of this worker; what the product remembers in its modules
// does not.
afterAll(() => {
  vi.resetModules()
  for (const element of [document.documentElement, document.body]) {
    for (const name of element.getAttributeNames()) element.removeAttribute(name)
  }
  history.replaceState(null, '', '/')
})
