// A part of the page whose code cannot be had when somebody wants it.

import { renderHook, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { toastStore } from '../feedback/toast.ts'
import { lazyComponent, useLazy } from './lazy-component.tsx'

const couldNot = 'This could not be opened'
const isNewer = 'There is a newer version of this page'
const missing = new TypeError('Failed to fetch dynamically imported module: /assets/menu-1.js')

it.each([
  ['missing online', true, missing, isNewer],
  ['missing without a network', false, missing, couldNot],
  ['broken', true, new Error('No frame'), couldNot],
])('says what to do when the code is %s', async (_, isOnline, error, title) => {
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  const reload = vi.fn()
  vi.stubGlobal('location', { ...window.location, reload })
  const part = lazyComponent(() => Promise.reject<{ Part: () => null }>(error), 'Part')
  const onMissing = vi.fn()
  renderHook(() => useLazy(part, true, onMissing))
  await waitFor(() => expect(toastStore.get().toasts.map((shown) => shown.title)).toEqual([title]))
  expect(onMissing).toHaveBeenCalledOnce()
  const action = toastStore.get().toasts[0]?.action
  expect(action?.label).toBe(title === isNewer ? 'Reload' : undefined)
  action?.onSelect()
  expect(reload).toHaveBeenCalledTimes(title === isNewer ? 1 : 0)
})
