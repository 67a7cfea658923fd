// What jsdom lacks and the screens use, a clean page after each test, and modules of the product
// that start anew for each file.

import { cleanup, configure, getConfig } from '@testing-library/react'
import * as React from 'react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import { beginTime } from '../../tools/test-clock.ts'
import { browserMemory } from '../src/lib/browser-memory.ts'
import { clearToasts } from '../src/ui/feedback/toast.ts'
import { rememberComputedStyles } from './computed-styles.ts'
import { findLabelsById } from './labels.ts'

rememberComputedStyles()
findLabelsById()

// React keeps a stack for each element it makes, a tenth of the time of a test, until it has made
// ten thousand in a second. Only warnings show them, and a test that warns fails by itself.
const internals = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'
Object.defineProperty(Reflect.get(React, internals), 'recentlyCreatedOwnerStacks', {
  configurable: true,
  get: () => Number.POSITIVE_INFINITY,
  set: () => {},
})

const { getElementError } = getConfig()
configure({
  // Busy machines take their time; a test that waits in vain still ends long before its own limit.
  asyncUtilTimeout: 8000,
  // Files that look into what is hidden as well say so for themselves alone.
  defaultHidden: false,
  // A wait asks again at each change, and what it has not found yet needs no picture of the page:
  // the last answer gets one.
  getElementError: (message, container) =>
    Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics')
      ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
      : getElementError(message, container),
})

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

const frames = { requestAnimationFrame, cancelAnimationFrame }

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
  // What stood in the place of a fake one has brought that back, for the rest of the worker.
  Object.assign(globalThis, frames)
})

interface Worker {
  readonly evaluatedModules: { readonly idToModuleMap: ReadonlyMap<string, object> }
}

/**
 * Makes the product forget what it remembers in its modules. Contract and draw remember nothing,
 * and making all their patterns anew took a tenth of the time of all tests.
 */
function forgetModules(): void {
  const { evaluatedModules } = Reflect.get(globalThis, '__vitest_worker__') as Worker
  const kept = [...evaluatedModules.idToModuleMap]
    .filter(([path]) => /\/(contract|fair)\/src\//.test(path))
    .map(([, loaded]) => [loaded, { ...loaded }] as const)
  vi.resetModules()
  for (const [loaded, before] of kept) Object.assign(loaded, before)
}

// Libraries stay loaded for the next file of this worker.
afterAll(() => {
  forgetModules()
  for (const element of [document.documentElement, document.body]) {
    for (const name of element.getAttributeNames()) element.removeAttribute(name)
  }
  history.replaceState(null, '', '/')
})
