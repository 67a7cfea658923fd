// Shows the messages in the corner, and after F8 the last twenty of them.

import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { Toast as Primitive } from 'radix-ui'
import { useRef, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { cn } from '../lib/class-names.ts'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { MessageLog } from './message-log.tsx'
import { dismissToast, type Toast, toastDurationMs, toastStore } from './toast-state.ts'
import { useToastPlace } from './use-toast-place.ts'

/** How far a message is swiped before it goes, in pixels. */
export const toastSwipeThresholdPx = 50
/** Key that moves the focus to the messages. */
export const toastHotkey = 'F8'

export function Toaster() {
  const { toasts, log } = useSyncExternalStore(toastStore.subscribe, toastStore.read)
  const [isLogOpen, setLogOpen] = useState(false)
  const holder = useRef<HTMLDivElement>(null)
  const shown = toasts.find((toast) => toast.isOpen)
  useToastPlace(holder, shown !== undefined && !isLogOpen, shown?.id)
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
          className="pointer-events-none fixed inset-x-3 top-3 z-toast flex max-w-[calc(100vw-1.5rem)] flex-col-reverse items-end gap-3 sm:start-auto sm:top-auto sm:bottom-3 sm:w-96 sm:flex-col"
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
  return (
    <Primitive.Root
      open={toast.isOpen}
      onOpenChange={(isOpen) => {
        if (!isOpen) dismissToast(toast.id)
      }}
      duration={toast.duration}
      // An error may interrupt; good news waits until the reader is free.
      type={isDestructive ? 'foreground' : 'background'}
      data-variant={toast.variant ?? 'default'}
      className={cn(
        'toast card on-card pointer-events-auto relative flex gap-3 bg-raised p-4 pe-12 shadow-[0_12px_32px_-8px_rgb(0_0_0/60%)]',
        isDestructive && 'border-danger',
      )}
    >
      <Icon
        aria-hidden="true"
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
        <IconButton label="Dismiss" className="absolute end-1 top-1">
          <X aria-hidden="true" />
        </IconButton>
      </Primitive.Close>
    </Primitive.Root>
  )
}
