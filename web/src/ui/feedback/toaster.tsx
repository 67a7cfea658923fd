// Shows the messages in the corner, and after F8 the last twenty of them.

import { useSelector } from '@tanstack/react-store'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { Toast as Primitive } from 'radix-ui'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { cn } from '../../lib/class-names.ts'
import { formatClock } from '../../lib/format.ts'
import { Button, IconButton } from '../form/button.tsx'
import { CopyButton } from '../form/copy-button.tsx'
import {
  dismissToast,
  type LogEntry,
  type Toast,
  type ToastContent,
  toastDurationMs,
  toastStore,
} from './toast.ts'

/** How far a message is swiped before it goes, in pixels. */
export const toastSwipeThresholdPx = 50
/** Key that moves the focus to the messages. */
export const toastHotkey = 'F8'
/** How far above the edge of the window a bar may float and still be at its foot, in pixels. */
const barGapPx = 24

export function Toaster() {
  const { toasts, log } = useSelector(toastStore)
  const [isLogOpen, setLogOpen] = useState(false)
  const holder = useRef<HTMLDivElement>(null)
  const shown = toasts.find((toast) => toast.isOpen)
  useRoomForBar(holder, shown?.id)
  return (
    <Primitive.Provider
      label="Message"
      duration={toastDurationMs}
      swipeDirection="right"
      swipeThreshold={toastSwipeThresholdPx}
    >
      {toasts.map((toast) => (
        <Message key={toast.id} toast={toast} />
      ))}
      {/* Beside the dialogs, which stand outside the page, so that none of them covers it. */}
      {createPortal(
        <div
          ref={holder}
          className="pointer-events-none fixed inset-x-3 bottom-[calc(0.75rem+max(var(--bar,0px),env(safe-area-inset-bottom)))] z-toast flex flex-col gap-3 sm:end-auto sm:w-96"
        >
          {isLogOpen && <MessageLog log={log} onClose={() => setLogOpen(false)} />}
          <Primitive.Viewport
            hotkey={[toastHotkey]}
            label="Messages ({hotkey})"
            onFocus={(event) => {
              // Only the key leads here: messages themselves take the focus on their buttons.
              if (event.target === event.currentTarget) setLogOpen(true)
            }}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setLogOpen(false)
            }}
            className="m-0 flex w-full list-none flex-col gap-3 p-0"
          />
        </div>,
        document.body,
      )}
    </Primitive.Provider>
  )
}

function Message({ toast }: { readonly toast: Toast }) {
  const isDestructive = toast.variant === 'destructive'
  const Icon = isDestructive ? CircleAlert : CircleCheck
  /** The dialog that has the focus while Escape is pressed: it answers the key, not the message. */
  const dialog = useRef<Element | null>(undefined)
  return (
    <Primitive.Root
      open={toast.isOpen}
      onOpenChange={(isOpen) => {
        if (!isOpen && !dialog.current) dismissToast(toast.id)
        dialog.current = null
      }}
      onEscapeKeyDown={() => {
        dialog.current = document.activeElement?.closest('.dialog, [aria-modal]')
      }}
      duration={toast.duration}
      // An error may interrupt; good news waits until the reader is free.
      type={isDestructive ? 'foreground' : 'background'}
      data-variant={toast.variant ?? 'default'}
      className={cn(
        'toast card on-card pointer-events-auto relative flex gap-3 bg-raised p-4 pe-12 shadow-[0_12px_32px_-8px_rgb(0_0_0/60%)]',
        'data-[state=closed]:animate-[fade-out_120ms_forwards] data-[state=open]:animate-[rise-in_320ms_var(--ease-spring)]',
        'data-[swipe=cancel]:[transform:translateX(0)] data-[swipe=cancel]:[transition:transform_200ms_ease-out] data-[swipe=end]:animate-[swipe-out_120ms_forwards] data-[swipe=move]:[transform:translateX(var(--radix-toast-swipe-move-x))]',
        isDestructive && 'border-danger',
      )}
    >
      <Icon
        className={cn('mt-0.5 size-5 flex-none', isDestructive ? 'text-danger' : 'text-success')}
      />
      <div className="min-w-0">
        <Primitive.Title className="font-display font-semibold">{toast.title}</Primitive.Title>
        {toast.description && (
          <Primitive.Description className="max-h-[30dvh] overflow-y-auto whitespace-pre-line break-words text-muted">
            {toast.description}
          </Primitive.Description>
        )}
        {toast.action && (
          <Primitive.Action asChild altText={toast.action.label} onClick={toast.action.onSelect}>
            <Button tone="secondary" className="mt-3">
              {toast.action.label}
            </Button>
          </Primitive.Action>
        )}
      </div>
      <Primitive.Close asChild>
        <IconButton label="Dismiss" className="absolute end-1 top-1" icon={X} />
      </Primitive.Close>
    </Primitive.Root>
  )
}

/**
 * Messages stand in the lower corner at the start, where nothing is sent, above a bar that they
 * would cover at the foot of the window. `shownId` may have come with another bar than the one
 * before.
 */
function useRoomForBar(holder: RefObject<HTMLElement | null>, shownId: string | undefined): void {
  useLayoutEffect(() => {
    if (shownId === undefined) return
    const bar = [...document.querySelectorAll('[data-bar]')].at(-1)?.getBoundingClientRect()
    const foot = window.innerHeight
    const isAtFoot = bar && bar.top > foot / 2 && bar.bottom > foot - barGapPx
    const isBelow = isAtFoot && bar.left < (holder.current?.getBoundingClientRect().right ?? 0)
    holder.current?.style.setProperty('--bar', `${isBelow ? foot - bar.top : 0}px`)
  }, [holder, shownId])
}

function textOf({ title, description, detail }: ToastContent): string {
  return [title, description, detail].filter(Boolean).join('\n')
}

export interface MessageLogProps {
  /** Newest first. */
  readonly log: readonly LogEntry[]
  readonly onClose: () => void
}

function MessageLog({ log, onClose }: MessageLogProps) {
  return (
    <section
      aria-label="Message log"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
      className="card on-card pointer-events-auto relative max-h-[60dvh] w-full overflow-y-auto p-4 shadow-[0_12px_32px_-8px_rgb(0_0_0/60%)]"
    >
      <h2 className="pe-10 text-lg">Last messages</h2>
      <IconButton
        label="Close message log"
        onClick={onClose}
        className="absolute end-2 top-2"
        icon={X}
      />
      {log.length === 0 && <p className="mt-2 text-muted">No messages yet.</p>}
      <ol className="mt-2 divide-y divide-line">
        {log.map(({ id, atMs, content }) => (
          <li key={id} className="flex items-start gap-3 py-3">
            <div className="min-w-0 flex-1">
              <p className="font-semibold">{content.title}</p>
              {content.description && (
                <p className="whitespace-pre-line break-words">{content.description}</p>
              )}
              <p className="text-sm text-muted tabular-nums">
                {formatClock(atMs)}
                {content.variant === 'destructive' && ' · Error'}
              </p>
            </div>
            {content.variant === 'destructive' && (
              <CopyButton text={textOf(content)} label={`Copy message: ${content.title}`} />
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
