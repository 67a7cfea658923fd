// One persistent, polite voice for what changes without a change of focus.

import { createAtom, useSelector } from '@tanstack/react-store'

/** Shortest time between two announcements, in milliseconds. */
const announcementGapMs = 500

const spoken = createAtom('')
let waiting: string[] = []
let timer: number | undefined

function speakNext(): void {
  const next = waiting.shift()
  timer = undefined
  if (next === undefined) return
  // The same sentence twice is read twice only if the text differs.
  spoken.set((last) => (next === last ? `${next}\u00a0` : next))
  timer = window.setTimeout(speakNext, announcementGapMs)
}

/** Has a sentence read out when the reader is free. One waiting at a time: the newest wins. */
export function announce(sentence: string): void {
  waiting = [sentence]
  if (timer === undefined) timer = window.setTimeout(speakNext, 0)
}

/** Stands once in the page, outside of everything that comes and goes. */
export function LiveRegion() {
  const sentence = useSelector(spoken)
  return (
    <div role="status" aria-live="polite" aria-atomic="true" className="sr-only">
      {sentence}
    </div>
  )
}
