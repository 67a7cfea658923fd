// The public record of deliveries: the steps of each shipment in the log, which may follow which,
// and what they come to. docs/economy.md says it in words.

import { isCount, isOneOf, isText, orNull, type Shaped } from './bytes.ts'

/**
 * After each step those that may follow it. Any may be withdrawn, and holds again when that is
 * undone; the same step again tells another deadline of what is still to be sent.
 */
export const stepsAfter = {
  wanted: ['ready', 'delivered', 'declined', 'lapsed'],
  ready: ['wanted', 'sent', 'delivered', 'declined'],
  sent: ['wanted', 'ready', 'delivered', 'returned'],
  returned: ['wanted', 'ready', 'delivered'],
  delivered: [],
  declined: [],
  lapsed: [],
} as const satisfies Readonly<Record<string, readonly string[]>>
type HeldStep = keyof typeof stepsAfter
export type PublicStep = HeldStep | 'withdrawn'
const heldSteps = Object.keys(stepsAfter) as HeldStep[]

const dayMillis = 86_400_000
const isDay = (value: unknown): value is string =>
  isText(value) &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value)

/** The keys of its entry in the order of the text. */
export const stepShape = {
  type: isOneOf('shipment'),
  /** Id of the opening request, and the pack of it that won what is sent. */
  opening: (value: unknown): value is string => isText(value) && value !== '',
  position: isCount,
  step: isOneOf<PublicStep>(...heldSteps, 'withdrawn'),
  /** Days in UTC; `due` is the deadline as of then. */
  day: isDay,
  due: orNull(isDay),
}
export type Step = Shaped<typeof stepShape>

/** How far a shipment has come by what was told of it. */
export interface Told extends Pick<Step, 'step' | 'day' | 'due'> {
  /** What holds when a withdrawal is undone. */
  readonly held: HeldStep
  readonly wonOn: string
  /** Won with a deadline: only then one may be told later. */
  readonly hasDeadline: boolean
  /** Days from the win to the first time that it was sent. */
  readonly days: number | null
}

export const shipmentKey = ({ opening, position }: Pick<Step, 'opening' | 'position'>) =>
  `${opening}/${position}`

/** What is told of a shipment with one more step, or the end of a sentence why it cannot follow. */
export function stepAfter(told: Told | undefined, { step, day, due }: Step): Told | string {
  const before = told?.step ?? 'nothing'
  if (!(told ? mayFollow(told, step, due) : step === 'wanted')) {
    return `tells that a shipment is ${step} after ${before}`
  }
  if (told && day < told.day) return 'tells a step of a shipment on a day before the last one'
  if (due !== null && told?.hasDeadline === false) return 'sets a deadline where the win had none'
  if (due !== null && told?.due && due < told.due) return 'moves the deadline of a shipment back'
  if (due !== null && due !== told?.due && due < day) return 'sets a deadline that had passed'
  if (step === 'lapsed' && told?.held !== step && (due === null || due > day)) {
    return 'lets a shipment lapse before its deadline'
  }
  const begun = { wonOn: day, hasDeadline: due !== null, held: 'wanted' as const, days: null }
  const { wonOn, hasDeadline, held, days } = told ?? begun
  const toSent = (Date.parse(day) - Date.parse(wonOn)) / dayMillis
  return {
    ...{ step, day, due, wonOn, hasDeadline, held: step === 'withdrawn' ? held : step },
    days: days ?? (step === 'sent' ? toSent : null),
  }
}

function mayFollow({ step, held, due }: Told, next: PublicStep, nextDue: string | null): boolean {
  // The address of a claim that is deleted may have been erased meanwhile.
  if (step === 'withdrawn') return next === held || (held === 'ready' && next === 'wanted')
  if (next === 'withdrawn') return true
  const isExtended = (step === 'wanted' || step === 'ready') && next === step && nextDue !== due
  return isExtended || (stepsAfter[step] as readonly PublicStep[]).includes(next)
}

/** Shipments that are counted together: equally far, by one deadline, sent as fast. */
export type Cell = readonly [step: PublicStep, due: string | null, days: number | null]

export function cellOf({ step, due, days }: Told): Cell {
  return [step, step === 'wanted' || step === 'ready' ? due : null, days]
}

/** What the record comes to on a day. The median of the days to sent is null before the first. */
export function deliveriesOf(cells: Iterable<readonly [Cell, number]>, today: string) {
  const steps: Record<PublicStep, number> = {
    ...{ wanted: 0, ready: 0, sent: 0, delivered: 0, returned: 0, declined: 0, lapsed: 0 },
    withdrawn: 0,
  }
  const byDays = new Map<number, number>()
  let [won, overdue] = [0, 0]
  for (const [[step, due, days], count] of cells) {
    steps[step] += count
    won += count
    if (due !== null && due < today) overdue += count
    if (days !== null) byDays.set(days, (byDays.get(days) ?? 0) + count)
  }
  const { wanted: addressWanted, ...others } = steps
  return { won, addressWanted, ...others, overdue, medianDaysToSent: medianOf(byDays) }
}
export type Deliveries = ReturnType<typeof deliveriesOf>

/** The record in a few words, without a full stop; figures of nothing are left out. */
export function deliveryWords(found: Deliveries): string {
  const { won, sent, delivered, returned, declined, lapsed, withdrawn, overdue } = found
  if (won === 0) return 'nothing was won yet that is sent'
  const days = found.medianDaysToSent
  const rest = { returned, declined, lapsed, 'withdrawn by staff': withdrawn }
  return [
    `${sent + delivered + returned} of ${won - declined - lapsed - withdrawn} sent`,
    ...(days === null ? [] : [`median ${days} ${days === 1 ? 'day' : 'days'}`]),
    overdue === 0 ? 'none overdue' : `${overdue} overdue`,
    ...Object.entries(rest).flatMap(([word, count]) => (count === 0 ? [] : `${count} ${word}`)),
  ].join(', ')
}

function medianOf(counts: ReadonlyMap<number, number>): number | null {
  const sorted = [...counts].sort(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, count]) => sum + count, 0)
  const at = (place: number) => {
    let passed = 0
    for (const [days, count] of sorted) {
      passed += count
      if (passed > place) return days
    }
    return 0
  }
  return total === 0 ? null : (at(Math.floor((total - 1) / 2)) + at(Math.floor(total / 2))) / 2
}

interface Win {
  readonly position: number
  readonly prizeId: number
  /** It took a unit of a limited prize, and so may give it back. */
  readonly isLimited: boolean
  /** Nothing else comes with it; of a prize with packs the odds do not say whether it is sent. */
  readonly isSure: boolean
}

/** What the very next entries have to be: the first steps of an opening, or a unit given back. */
type Awaited =
  | { readonly opening: string; readonly day: string; readonly wins: readonly Win[] }
  | { readonly prizeId: number }

type Kept = Told & Pick<Win, 'prizeId' | 'isLimited'>

export interface DeliveryState {
  readonly told: readonly (readonly [string, Kept])[]
  readonly awaited: Awaited | null
}

interface LoggedWins {
  readonly id: string
  readonly at: string
  readonly results: readonly (readonly [number | null, unknown, number | null, unknown])[]
}
interface PrizesOf {
  readonly entries: readonly {
    readonly prizeId: number
    readonly redCoinAmount: number
    readonly rewardPackQuantity: number
    readonly deliversCodes?: boolean | undefined
  }[]
}
type AnyEntry =
  | Step
  | { readonly type: 'stock'; readonly prizeId: number; readonly delta: number }
  | { readonly type: 'chain' | 'table' | 'opening' | 'end' }

/** Follows every shipment of a log. The first step of one stands right behind its opening. */
export class DeliveryRecord {
  private readonly told: Map<string, Kept>
  private awaited: Awaited | null
  /** The win whose shipment the entry begins that is to be taken. */
  private begun: Win | null = null

  constructor(state?: DeliveryState) {
    this.told = new Map(state?.told)
    this.awaited = state?.awaited ?? null
  }

  state(): DeliveryState {
    return { told: [...this.told], awaited: this.awaited }
  }

  /** What the record comes to in words, by the day of the reader. */
  words(today: string): string {
    const cells = [...this.told.values()].map((told) => [cellOf(told), 1] as const)
    return deliveryWords(deliveriesOf(cells, today))
  }

  /** What had to stand where another entry stands; to be asked of each entry before it is taken. */
  missedBy(entry: AnyEntry | undefined): string | undefined {
    const { awaited } = this
    this.awaited = null
    this.begun = null
    if (awaited === null) return undefined
    if ('prizeId' in awaited) {
      const { prizeId } = awaited
      const isIt = entry?.type === 'stock' && entry.prizeId === prizeId && entry.delta === 1
      return isIt ? undefined : `stands where a unit of prize ${prizeId} has to go back into stock`
    }
    const { opening, day, wins } = awaited
    const step = entry?.type === 'shipment' && entry.opening === opening ? entry : undefined
    const at = wins.findIndex(({ position }) => position === step?.position)
    const missed = (at < 0 ? wins : wins.slice(0, at)).find(({ isSure }) => isSure)
    if (at >= 0) {
      this.begun = wins[at] ?? null
      const rest = wins.slice(at + 1)
      if (rest.length > 0) this.awaited = { opening, day, wins: rest }
      if (step?.day !== day) return 'begins a shipment on another day than that of its win'
    }
    return missed && `stands where the shipment of ${opening}/${missed.position} has to follow`
  }

  /** Awaits the first steps of what an opening has won, as far as its odds tell. */
  expect({ id: opening, at, results }: LoggedWins, { entries }: PrizesOf): void {
    const wins = results.flatMap(([prizeId, , stockAfter], position) => {
      const prize = entries.find((each) => each.prizeId === prizeId)
      if (prizeId === null || prize?.redCoinAmount !== 0 || prize.deliversCodes) return []
      const isLimited = stockAfter !== null
      return [{ position, prizeId, isLimited, isSure: prize.rewardPackQuantity === 0 }]
    })
    if (wins.length > 0) this.awaited = { opening, day: at.slice(0, 10), wins }
  }

  /** Why a step cannot be, if so. `hasStock` tells whether a prize is limited at this moment. */
  take(step: Step, hasStock: (prizeId: number) => boolean): string | undefined {
    const key = shipmentKey(step)
    const before = this.told.get(key)
    const won = before ?? this.begun
    if (won === null) return 'tells a shipment of nothing that was won and is sent'
    const { prizeId, isLimited } = won
    const told = stepAfter(before, step)
    if (typeof told === 'string') return told
    this.told.set(key, { ...told, prizeId, isLimited })
    const isGivenUp = told.held === 'declined' || told.held === 'lapsed'
    const isBack = isGivenUp && before?.held !== told.held && isLimited && hasStock(prizeId)
    if (isBack) this.awaited = { prizeId }
    return undefined
  }
}

/** What entries say of what one pack won, in a sentence, when they are about it and can be so. */
export function courseOf(
  entries: readonly (AnyEntry | undefined)[],
  { requestId, position }: { readonly requestId: string; readonly position: number },
): { readonly isRight: boolean; readonly text: string } {
  let told: Told | undefined
  const words: string[] = []
  for (const entry of entries) {
    const isOfIt = entry?.type === 'shipment' && entry.opening === requestId
    if (!isOfIt || entry.position !== position) {
      return { isRight: false, text: 'An entry is about something else.' }
    }
    const start = entry.step === 'wanted' ? undefined : seenLate(entry, entries[1])
    const after = stepAfter(told ?? start, entry)
    if (typeof after === 'string') return { isRight: false, text: `An entry ${after}.` }
    told = after
    words.push(`${entry.step} on ${entry.day}`)
  }
  return { isRight: true, text: `The log tells of it: ${words.join(', ')}.` }
}

/** A shipment whose beginning was told before; what was withdrawn is what holds again `next`. */
function seenLate({ step, day, due }: Step, next: AnyEntry | undefined): Told {
  const again = next?.type === 'shipment' && next.step !== 'withdrawn' ? next.step : 'wanted'
  const held = step === 'withdrawn' ? again : step
  const before = step === 'withdrawn' ? held : 'withdrawn'
  return { step: before, held, day, due, wonOn: day, hasDeadline: true, days: null }
}
