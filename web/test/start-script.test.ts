// The first script of the page: what it says when the app does not come.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const page = readFileSync(join(import.meta.dirname, '../index.html'), 'utf8')
const script = readFileSync(join(import.meta.dirname, '../public/start.js'), 'utf8')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const body = new DOMParser().parseFromString(page, 'text/html').body
  document.body.replaceChildren(...body.children)
  new Function(script)()
})

afterEach(() => {
  // Else it would keep the keys of whatever file comes next.
  window.redpackEarlyKeys?.()
  document.body.replaceChildren()
})

const offer = () => document.querySelector<HTMLElement>('.start-failed')
const isOffered = () => offer()?.hidden === false

/** A script that the page asks for and that never arrives. */
function failToLoad(type: string): void {
  const asked = document.createElement('script')
  asked.type = type
  // Kept from being fetched: only its failure matters here.
  document.body.append(asked)
  asked.dispatchEvent(new Event('error'))
  vi.advanceTimersByTime(0)
}

it('says at once that the code did not arrive, and offers to try again', () => {
  expect(isOffered()).toBe(false)
  failToLoad('module')
  expect(isOffered()).toBe(true)
  expect(offer()?.getAttribute('role')).toBe('alert')
  expect(document.querySelector('[role="status"]')).toBeNull()
  expect(offer()?.textContent).toContain('Check your connection')
  // Pressed, it goes to the empty address, which is the page itself.
  expect(offer()?.querySelector('button')?.dataset['startLink']).toBe('')
})

it('says it after 20 seconds without an answer', () => {
  vi.advanceTimersByTime(19_999)
  expect(isOffered()).toBe(false)
  vi.advanceTimersByTime(1)
  expect(isOffered()).toBe(true)
  // It may still come.
  expect(document.querySelectorAll('[role="status"]')).toHaveLength(2)
})

it('says nothing once the app has taken its place, nor for other failures', () => {
  document.body.append(document.createElement('img'))
  document.querySelector('body > img')?.dispatchEvent(new Event('error'))
  failToLoad('text/javascript')
  expect(isOffered()).toBe(false)
  document.getElementById('root')?.replaceChildren()
  vi.advanceTimersByTime(60_000)
  expect(offer()).toBeNull()
})

it.each([
  { address: '/store', hint: '1', asked: ['/api/store/listings', '/api/user/notices'] },
  { address: '/store?page=2', hint: '1', asked: [] },
  { address: '/store', hint: null, asked: [] },
])('asks for a screen ahead of its code: $address, $hint', ({ address, hint, asked }) => {
  const files = document.createElement('script')
  files.type = 'application/json'
  files.id = 'screen-files'
  files.textContent =
    '{"store":["/api/store/listings","/store.js"],"frame":["/api/user/notices","/bar.js"]}'
  document.body.append(files)
  history.replaceState(null, '', address)
  if (hint) localStorage.setItem('redpack:signed-in', hint)
  window.redpackEarlyKeys?.()
  new Function(script)()
  expect(Object.keys(window.redpackFirstAnswers ?? {})).toEqual(['/api/auth/me', ...asked])
  const code = [...document.head.querySelectorAll('link[rel="modulepreload"]')]
  expect(code.map((link) => link.getAttribute('href'))).toEqual(['/store.js', '/bar.js'])
  for (const link of code) link.remove()
  localStorage.clear()
  history.replaceState(null, '', '/')
})

it.each([
  ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a server that restarts', () => Promise.resolve(new Response('', { status: 503 }))],
])('keeps no early answer for a later question after %s', async (_, fetched) => {
  vi.stubGlobal('fetch', fetched)
  window.redpackEarlyKeys?.()
  new Function(script)()
  expect(Object.keys(window.redpackFirstAnswers ?? {})).toEqual(['/api/auth/me'])
  await vi.waitFor(() => expect(window.redpackFirstAnswers).toEqual({}))
})
