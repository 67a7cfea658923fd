// Finds the place for a message where it covers the least of what can be pressed next.

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
export const toastGapPx = 12
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
