// Shows the messages in the corner, and after F8 the last twenty of them.

import { useSelector } from '@tanstack/react-store'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { Toast as Primitive } from 'radix-ui'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { cn } from '../../lib/class-names.ts'
import { requestFrame } from '../../lib/request-frame.ts'
import { Button } from '../form/button.tsx'
import { CopyButton } from '../form/copy-button.tsx'
import { IconButton } from '../form/icon-button.tsx'
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

export function Toaster() {
  const { toasts, log } = useSelector(toastStore)
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

/** The page is looked at again this often while a message shows, in milliseconds. */
const lookAgainMs = 300

/**
 * Moves `holder` from its usual place to a free one as long as `isOn`. A message under the pointer
 * or with the focus inside stays where it is.
 */
function useToastPlace(
  holder: RefObject<HTMLElement | null>,
  isOn: boolean,
  /** Another message may have another size. */
  shownId: string | undefined,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is placed anew
  useLayoutEffect(() => {
    const element = holder.current
    if (!element || !isOn) return
    let moved = { left: 0, top: 0 }
    const place = () => {
      const box = element.getBoundingClientRect()
      const { width, height } = box
      if (width === 0 || height === 0) return
      const usual = { left: box.left - moved.left, top: box.top - moved.top, width, height }
      const { left, top } = freePlace(
        usual,
        { width: document.documentElement.clientWidth, height: window.innerHeight },
        obstaclesOf(element),
      )
      moved = { left: left - usual.left, top: top - usual.top }
      element.style.translate = `${moved.left}px ${moved.top}px`
    }
    const placeAnew = () => {
      if (!element.matches(':hover, :focus-within')) place()
    }
    // Before it is painted first, wherever the pointer rests; earlier it would be laid out twice.
    const takeBack = requestFrame(place)
    const timer = setInterval(placeAnew, lookAgainMs)
    window.addEventListener('resize', placeAnew)
    return () => {
      takeBack()
      clearInterval(timer)
      window.removeEventListener('resize', placeAnew)
      element.style.translate = ''
    }
  }, [holder, isOn, shownId])
}

/** A rectangle of the viewport, in CSS pixels. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Something that should stay free; the heavier, the more. */
export interface Obstacle {
  readonly box: Box
  readonly weight: number
}

/** Free room around a message and between it and what it must not cover, in pixels. */
const toastGapPx = 12
const stepPx = 12
const farPx = 100_000

/**
 * The top left corner for a message of the size of `usual`: its usual place when that covers
 * nothing, else the place with the least weight under it, of several the nearest.
 */
export function freePlace(
  usual: Box,
  viewport: { readonly width: number; readonly height: number },
  obstacles: readonly Obstacle[],
): { readonly left: number; readonly top: number } {
  const right = viewport.width - usual.width - toastGapPx
  const lefts = [usual.left, toastGapPx, right / 2, right].filter((left) => left >= 0)
  const bottom = viewport.height - usual.height - toastGapPx
  let best = { left: usual.left, top: usual.top }
  let bestCost = costOf(usual, usual, obstacles)
  if (bestCost === 0) return best
  for (const left of lefts) {
    for (let top = toastGapPx; top <= bottom; top += stepPx) {
      const cost = costOf({ ...usual, left, top }, usual, obstacles)
      if (cost < bestCost) {
        bestCost = cost
        best = { left, top }
      }
    }
  }
  return best
}

/** Weight covered first, then the way from the usual place. */
function costOf(box: Box, usual: Box, obstacles: readonly Obstacle[]): number {
  const covered = obstacles.reduce(
    (sum, { box: other, weight }) => (isTouching(box, other) ? sum + weight : sum),
    0,
  )
  return covered * farPx + Math.hypot(box.left - usual.left, box.top - usual.top)
}

function isTouching(one: Box, other: Box): boolean {
  const gap = toastGapPx / 2
  return (
    one.left < other.left + other.width + gap &&
    other.left < one.left + one.width + gap &&
    one.top < other.top + other.height + gap &&
    other.top < one.top + one.height + gap
  )
}

const pressable =
  'button:not(:disabled), a[href], input, select, textarea, summary, [role="radio"], [role="tab"]'
const mostObstacles = 400

/** What can be pressed in the topmost layer, and its heading; `own` and all in it left out. */
export function obstaclesOf(own: Element): Obstacle[] {
  const layer = topLayer(own)
  const obstacles: Obstacle[] = []
  for (const element of layer.querySelectorAll<HTMLElement>(pressable)) {
    if (obstacles.length >= mostObstacles) break
    if (own.contains(element)) continue
    const box = element.getBoundingClientRect()
    if (box.width < 2 || box.height < 2 || box.bottom <= 0 || box.top >= innerHeight) continue
    obstacles.push({ box, weight: weightOf(element) })
  }
  // Nobody presses it, but it says where one is: rather one control than that.
  const heading = layer.querySelector('h1')
  if (heading) obstacles.push({ box: heading.getBoundingClientRect(), weight: 4 })
  return obstacles
}

/** The dialog that opened last, or the page. */
function topLayer(own: Element): Element {
  const dialogs = document.querySelectorAll('[role="dialog"], [role="alertdialog"]')
  return [...dialogs].filter((dialog) => !own.contains(dialog)).at(-1) ?? document.body
}

/** The focus is where the next key press goes, a submitting button where the next press does. */
function weightOf(element: HTMLElement): number {
  if (element === document.activeElement) return 50
  if (element instanceof HTMLButtonElement && element.type === 'submit') return 50
  return element.closest('[role="dialog"], [role="alertdialog"], form') ? 10 : 3
}

const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

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
      <IconButton label="Close message log" onClick={onClose} className="absolute end-2 top-2">
        <X aria-hidden="true" />
      </IconButton>
      {log.length === 0 && <p className="mt-2 text-muted">No messages yet.</p>}
      <ol className="mt-2 divide-y divide-line">
        {log.map(({ id, atMs, content }) => (
          <li key={id} className="flex items-start gap-3 py-3">
            <div className="min-w-0 flex-1">
              <p className="font-semibold">{content.title}</p>
              {content.description && <p className="break-words">{content.description}</p>}
              <p className="text-sm text-muted tabular-nums">
                {timeFormat.format(atMs)}
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
