// The messages of the page: what is shown, what was shown, and the call that shows one from
// anywhere.

import { createAtom } from '@tanstack/react-store'

/** How many messages show at a time. */
const toastLimit = 1
/** How long a dismissed message's record is kept, in milliseconds. */
export const toastRemoveDelayMs = 1_000_000
/** How long a message is on screen unless it says otherwise, in milliseconds. */
export const toastDurationMs = 5000
/** How many messages the log keeps. */
export const toastLogMax = 20

export const toastVariants = ['default', 'destructive'] as const
export type ToastVariant = (typeof toastVariants)[number]

export interface ToastContent {
  readonly title: string
  readonly description?: string
  readonly variant?: ToastVariant
  /** Time on screen in milliseconds; without an end it stays until dismissed or replaced. */
  readonly duration?: number
  /** One thing to do about it. */
  readonly action?: { readonly label: string; readonly onSelect: () => void }
  /** More than the sentence, for the log, such as the exact answer of the server. */
  readonly detail?: string
}

export interface Toast extends ToastContent {
  readonly id: string
  readonly isOpen: boolean
}

export interface LogEntry {
  readonly id: string
  readonly atMs: number
  readonly content: ToastContent
}

export interface ToastState {
  readonly toasts: readonly Toast[]
  /** Newest first. */
  readonly log: readonly LogEntry[]
}

export type ToastAction =
  | { readonly type: 'add'; readonly toast: Toast; readonly atMs: number }
  | { readonly type: 'update'; readonly id: string; readonly change: Partial<ToastContent> }
  | { readonly type: 'dismiss'; readonly id: string }
  | { readonly type: 'remove'; readonly id: string }

export const noToasts: ToastState = { toasts: [], log: [] }

/** What a step makes of the messages; a new one replaces the old, which the log keeps. */
export function toastReducer(state: ToastState, action: ToastAction): ToastState {
  switch (action.type) {
    case 'add': {
      const { id, isOpen: _, ...content } = action.toast
      return {
        toasts: [action.toast, ...state.toasts].slice(0, toastLimit),
        log: [{ id, atMs: action.atMs, content }, ...state.log].slice(0, toastLogMax),
      }
    }
    case 'update':
      return {
        toasts: state.toasts.map((toast) =>
          toast.id === action.id ? { ...toast, ...action.change } : toast,
        ),
        log: state.log.map((entry) =>
          entry.id === action.id
            ? { ...entry, content: { ...entry.content, ...action.change } }
            : entry,
        ),
      }
    case 'dismiss':
      return {
        ...state,
        toasts: state.toasts.map((toast) =>
          toast.id === action.id ? { ...toast, isOpen: false } : toast,
        ),
      }
    case 'remove':
      return { ...state, toasts: state.toasts.filter((toast) => toast.id !== action.id) }
  }
}

export const toastStore = createAtom(noToasts)
let count = 0
const removals = new Map<string, ReturnType<typeof setTimeout>>()

function dispatch(action: ToastAction): void {
  toastStore.set((state) => toastReducer(state, action))
}

function removeLater(id: string): void {
  if (removals.has(id)) return
  removals.set(
    id,
    setTimeout(() => {
      removals.delete(id)
      dispatch({ type: 'remove', id })
    }, toastRemoveDelayMs),
  )
}

/** Takes a message off the screen; its record goes later. */
export function dismissToast(id: string): void {
  removeLater(id)
  dispatch({ type: 'dismiss', id })
}

/** Shows a message, in place of the one before. May be called from anywhere. */
export function toast(content: ToastContent): void {
  count += 1
  const id = String(count)
  dispatch({ type: 'add', toast: { ...content, id, isOpen: true }, atMs: Date.now() })
}

/** Forgets what was said; a message that is on screen stays its time. */
export function clearToastLog(): void {
  toastStore.set(({ toasts }) => ({ toasts, log: [] }))
}

/** Forgets every message, for the next person or the next test. */
export function clearToasts(): void {
  for (const timer of removals.values()) clearTimeout(timer)
  removals.clear()
  toastStore.set(() => noToasts)
}
