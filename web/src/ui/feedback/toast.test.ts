// The life of a message.

import { describe, expect, it, vi } from 'vitest'
import {
  dismissToast,
  noToasts,
  type ToastState,
  toast,
  toastLogMax,
  toastReducer,
  toastRemoveDelayMs,
  toastStore,
  toastVariants,
} from './toast.ts'

function added(state: ToastState, id: string): ToastState {
  return toastReducer(state, { type: 'add', toast: { id, title: id, isOpen: true }, atMs: 0 })
}

describe('the reducer', () => {
  it('adds, updates, dismisses and removes a message', () => {
    let state = added(noToasts, 'a')
    expect(state.toasts).toEqual([{ id: 'a', title: 'a', isOpen: true }])
    state = toastReducer(state, { type: 'update', id: 'a', change: { title: 'A' } })
    expect(state.toasts[0]).toMatchObject({ title: 'A', isOpen: true })
    state = toastReducer(state, { type: 'dismiss', id: 'a' })
    expect(state.toasts[0]).toMatchObject({ title: 'A', isOpen: false })
    state = toastReducer(state, { type: 'remove', id: 'a' })
    expect(state.toasts).toEqual([])
  })

  it('logs the last twenty, newest first, also those that were replaced', () => {
    let state = noToasts
    for (let index = 1; index <= 25; index += 1) state = added(state, String(index))
    expect(state.log).toHaveLength(toastLogMax)
    expect(state.log[0]?.id).toBe('25')
    expect(state.log.at(-1)?.id).toBe('6')
  })
})

describe('toast()', () => {
  it('forgets a dismissed message after 1,000,000 ms', () => {
    vi.useFakeTimers()
    toast({ title: 'Saved' })
    dismissToast(String(toastStore.get().toasts[0]?.id))
    expect(toastRemoveDelayMs).toBe(1_000_000)
    vi.advanceTimersByTime(999_999)
    expect(toastStore.get().toasts).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(toastStore.get().toasts).toHaveLength(0)
  })

  it('knows the variants default and destructive', () => {
    expect(toastVariants).toEqual(['default', 'destructive'])
  })
})
