// What a browser remembers of its openings, and what follows from that: what was withheld, and
// what disagrees.

import {
  type Check,
  fits,
  isCount,
  isHex32,
  isId,
  isOneOf,
  isText,
  listOf,
  orNull,
  type Shaped,
  shaped,
} from './bytes.ts'
import {
  faultOfOpening,
  faultTexts,
  type ToldOpening,
  tableOfText,
  withheldPrizes,
} from './draw.ts'
import { packsMax } from './entries.ts'
import { portableHashing } from './hashing.ts'

/**
 * What came of a request. `moved` and `overtaken` are 409 commitment_moved: the latter where this
 * browser itself had asked at the same place by then. `harmless` says nothing of the draw.
 */
const outcomes = ['sent', 'proven', 'alarmed', 'refused', 'moved', 'overtaken', 'harmless'] as const
export type Outcome = (typeof outcomes)[number]

/** Requests and seeds that are remembered of one player. */
export const requestsMax = 500

const isTime: Check<number> = (value): value is number => isCount(value) && value <= 8.64e15
const requestShape = {
  ...{ commitment: isHex32, chainId: isCount, index: isCount, entropy: isHex32 },
  ...{ tableHash: isHex32, packTypeId: isId },
  quantity: (value: unknown): value is number => isId(value) && value <= packsMax,
  key: isText,
  /** Epoch milliseconds. */
  sentAt: isTime,
  outcome: isOneOf(...outcomes),
}

/** What the server answered, to be compared with the log: a lie may be anything, and is judged. */
interface Told {
  readonly proof: Omit<ToldOpening, 'results'> & { readonly requestId: string }
  readonly results: readonly (readonly [prizeId: number | null, redCoinEarned: number])[]
}

export type RememberedRequest = Shaped<typeof requestShape> & {
  readonly told?: Told
  /** True once its entry in the public log was seen to say the same, or what was asked. */
  readonly isLogged?: boolean
  /** True where its seed was never told because its key was lost. */
  readonly isGivenUp?: boolean
}

const seedShape = { chainId: isCount, index: isCount, serverSeed: isHex32 }
export type KnownSeed = Shaped<typeof seedShape> & {
  /** True where an opening revealed it that this browser did not ask for. */
  readonly isElsewhere?: boolean
}

const memoryShape = {
  requests: listOf((value): value is RememberedRequest => fits(requestShape, value), requestsMax),
  seeds: listOf((value): value is KnownSeed => fits(seedShape, value), requestsMax),
  /** Texts of odds tables by their hashes. */
  tables: (value: unknown): value is Readonly<Record<string, string>> =>
    fits({}, value) && Object.values(value).every(isText),
  alarms: listOf(shaped({ name: isText, text: isText }), requestsMax),
  /** The public log: the key that was shown first, and the newest signed checkpoint. */
  log: orNull(shaped({ key: isText, note: isText })),
}
export type SavedMemory = Shaped<typeof memoryShape>

/** Whether a value is a memory, as far as it has to be one to be looked at. */
export const isMemory = (value: unknown): value is SavedMemory => fits(memoryShape, value)

export interface Withheld {
  readonly request: RememberedRequest
  /** What it would have given by prize id, null for no prize; undefined where that is not known. */
  readonly prizes: readonly (number | null)[] | undefined
  /** True where an opening from elsewhere was first, as the site had said. */
  readonly isOvertaken: boolean
  readonly text: string
}

/** Refused in a way that could depend on the draw, never answered, or overtaken by nothing. */
export function isWithheld(
  { outcome, isLogged, ...place }: RememberedRequest,
  all: readonly RememberedRequest[],
): boolean {
  if (isLogged) return false
  if (outcome !== 'overtaken') return /sent|refused|moved/.test(outcome)
  return !all.some((other) => other.outcome === 'proven' && isAt(place, other))
}

type Place = Pick<KnownSeed, 'chainId' | 'index'>

export const isAt = (one: Place, other: Place) =>
  one.chainId === other.chainId && one.index === other.index

/** Draws again what was withheld, as far as seeds and odds are known. */
export function withheldOf({ requests, seeds, tables }: SavedMemory): Withheld[] {
  return requests
    .filter((request) => isWithheld(request, requests))
    .map((request) => {
      const { serverSeed, isElsewhere = false } = seeds.find((seed) => isAt(seed, request)) ?? {}
      const isMoved = /moved|overtaken/.test(request.outcome)
      const isOvertaken = isMoved && isElsewhere
      const table = tables[request.tableHash] ?? ''
      const prizes = withheldPrizes(request, serverSeed ?? '', table, portableHashing)
      const unseen = isMoved
        ? 'the site says that another opening came first; its seed is not looked up yet'
        : 'its seed is not known yet'
      const unknown = request.isGivenUp ? 'its seed was never told: its key was lost' : unseen
      const what = prizes
        ? `would have given ${namesOf(prizes, table)}`
        : serverSeed === undefined
          ? unknown
          : 'cannot be drawn again: its seed or its odds are not those that were promised'
      const why = isOvertaken ? '; another opening took its place' : ''
      const text = `${counted(request.quantity, 'pack')}, ${what}${why}`
      return { request, prizes, isOvertaken, text }
    })
}

function namesOf(prizes: readonly (number | null)[], table: string): string {
  const entries = tableOfText(table)?.entries ?? []
  const won = entries.flatMap(({ prizeId, name }) => {
    const times = prizes.filter((id) => id === prizeId).length
    return times === 0 ? [] : [times === 1 ? name : `${times} × ${name}`]
  })
  return won.length === 0 ? 'no prize' : won.join(', ')
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

export function withheldSummary(withheld: readonly Withheld[]): string {
  if (withheld.length === 0) return 'Nothing was withheld that this browser knows of.'
  const known = withheld.filter(({ prizes }) => prizes !== undefined)
  const { length: lost } = withheld.filter((one) => !one.prizes && one.request.isGivenUp)
  const open = withheld.length - known.length - lost
  const told = (what: string, isTold: (one: Withheld) => boolean) => {
    const those = known.filter(isTold)
    const wins = those.flatMap(({ prizes }) => prizes ?? []).filter((id) => id !== null)
    const them = `${counted(those.length, 'request')} ${what}`
    return those.length > 0 ? [`${them}, ${counted(wins.length, 'prize')} in them.`] : []
  }
  const waiting = `${counted(open, 'request')} without a result and without a known seed.`
  const hidden = `${counted(lost, 'request')} whose key was lost: a prize could hide there.`
  return [
    ...told('withheld', ({ isOvertaken }) => !isOvertaken),
    ...told('overtaken by another opening', ({ isOvertaken }) => isOvertaken),
    ...(open > 0 ? [waiting] : []),
    ...(lost > 0 ? [hidden] : []),
  ].join(' ')
}

/** What was answered and disagrees with what was asked, or raised an alarm at the time. */
export function disagreementsIn({ requests, tables, alarms }: SavedMemory): string[] {
  const faults = requests.flatMap((request) => {
    const fault = faultOfRemembered(request, tables[request.tableHash])
    return fault === undefined ? [] : [{ request, fault, name: `${fault}/${request.key}` }]
  })
  return [
    ...faults.map(({ request: { quantity, sentAt }, fault }) => {
      const when = new Date(sentAt).toISOString()
      return `${counted(quantity, 'pack')} opened at ${when}: ${faultTexts[fault]}`
    }),
    ...alarms
      .filter(({ name }) => faults.every((found) => found.name !== name))
      .map(({ text }) => text),
  ]
}

function faultOfRemembered({ told, ...asked }: RememberedRequest, table: string | undefined) {
  if (told === undefined || table === undefined) return undefined
  const { proof, results: rows } = { ...told }
  const results = [rows ?? []].flat().map((row) => {
    const [prizeId, redCoinEarned] = [row].flat() as [number | null, number]
    return { prizeId, redCoinEarned }
  })
  return faultOfOpening(asked, { ...proof, results }, table, portableHashing)
}
