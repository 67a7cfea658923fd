// A stranger's check of the public log: every entry in its order, every draw made again from its
// seed, its entropy and its table. It needs nothing but the entries and waits for nothing.

import { bytesOfHex, type Hashing } from './bytes.ts'
import { DeliveryRecord, type DeliveryState } from './delivery-record.ts'
import {
  faultOfResult,
  type OddsTable,
  rollsOf,
  seedBehind,
  tableHash,
  tableOfText,
  tableText,
  thresholdsOf,
} from './draw.ts'
import { type Entry, entryOfText, type LogEntry, type LoggedResult } from './entries.ts'

export interface ReplayFault {
  readonly index: number
  /** Goes on a sentence that begins with the entry. */
  readonly text: string
}

const emptyCounts = {
  ...{ openings: 0, packs: 0, wins: 0, soldOut: 0, tables: 0, stockChanges: 0, chains: 0 },
  ended: 0,
  /** Chains whose last seed was given up: a withheld win could hide there. */
  givenUp: 0,
  byServer: 0,
}
export type ReplayCounts = typeof emptyCounts

/** A prize was sold out soon after staff had taken from its stock. */
export interface CutStock {
  readonly index: number
  readonly prizeId: number
  /** The minute of the opening that found it sold out. */
  readonly at: string
}

interface KnownTable {
  readonly table: OddsTable
  readonly thresholds: readonly number[]
}

interface Known {
  readonly chains: Map<number, { readonly index: number; readonly commitment: string }>
  readonly ended: Set<number>
  readonly commitments: Set<string>
  readonly tables: Map<string, KnownTable>
  /** Units left of each prize whose stock was told, null for no end. */
  readonly stock: Map<number, number | null>
  /** Prizes that staff took from, with the minute of the first opening after that. */
  readonly cuts: Map<number, string | null>
}

/** What the very next entry has to be: the first opening of a chain, or a part of a table. */
type Due =
  | { readonly chainId: number }
  | { readonly tableHash: string; readonly parts: number; readonly texts: readonly string[] }
type Rows<T> = T extends Iterable<infer Row> ? readonly Row[] : never

export type ReplayState = {
  readonly size: number
  readonly counts: ReplayCounts
  readonly due: Due | null
  readonly record: DeliveryState
} & { readonly [Name in keyof Known]: Rows<Known[Name]> }

const faultsMax = 20
const cutMillis = 10 * 60_000
/** Of each commitment this much is kept: two of a million are alike once in thirty million logs. */
const markDigits = 16

/** Takes the entries of a log from the first. It keeps about 50 bytes of each opening. */
export class Replay {
  size: number
  readonly counts: ReplayCounts
  /** The first faults; `faultCount` tells how many there are. */
  readonly faults: ReplayFault[] = []
  faultCount = 0
  /** Sold-outs within ten minutes of a reduction by staff. */
  readonly cutStocks: CutStock[] = []
  readonly record: DeliveryRecord
  private readonly hashing: Hashing
  private readonly known: Known
  private due: Due | null

  /** Begins before the first entry, or where an earlier replay of the same log has come to. */
  constructor(hashing: Hashing, state?: ReplayState) {
    this.hashing = hashing
    this.size = state?.size ?? 0
    this.counts = { ...(state?.counts ?? emptyCounts) }
    this.due = state?.due ?? null
    this.record = new DeliveryRecord(state?.record)
    this.known = {
      chains: new Map(state?.chains),
      ended: new Set(state?.ended),
      commitments: new Set(state?.commitments),
      tables: new Map(state?.tables),
      stock: new Map(state?.stock),
      cuts: new Map(state?.cuts),
    }
  }

  state(): ReplayState {
    const rows = Object.entries(this.known).map(([name, of]) => [name, [...of]])
    const { size, counts, due } = this
    const record = this.record.state()
    return { size, counts: { ...counts }, due, record, ...Object.fromEntries(rows) }
  }

  take(text: string): LogEntry | undefined {
    const entry = entryOfText(text)
    const due = this.due
    this.due = null
    if (due && !isDue(due, entry)) this.report(`stands where ${wordsOf(due)} has to follow`)
    this.report(this.record.missedBy(entry))
    if (entry === undefined) this.report('is not one of the six kinds of entries')
    else if (entry.type === 'chain') this.takeChain(entry)
    else if (entry.type === 'stock') this.takeStock(entry)
    else if (entry.type === 'opening') this.takeOpening(entry)
    else if (entry.type === 'end') this.takeEnd(entry)
    else if (entry.type === 'shipment') {
      this.report(this.record.take(entry, (prizeId) => this.known.stock.get(prizeId) != null))
    } else if ('table' in entry) this.takeTable(entry)
    else this.takePart(entry, due)
    this.size += 1
    return entry
  }

  private report(text: string | undefined): void {
    if (text === undefined) return
    this.faultCount += 1
    if (this.faults.length < faultsMax) this.faults.push({ index: this.size, text })
  }

  /** Whether a commitment is new to the whole log, as each has to be. */
  private commit(commitment: string): boolean {
    const mark = commitment.slice(0, markDigits)
    const isNew = !this.known.commitments.has(mark)
    this.known.commitments.add(mark)
    return isNew
  }

  private takeChain({ chainId, commitment }: Entry<'chain'>): void {
    this.counts.chains += 1
    if (this.known.chains.has(chainId) || this.known.ended.has(chainId)) {
      this.report(`begins chain ${chainId} a second time`)
      return
    }
    if (!this.commit(commitment)) this.report('commits to a seed that was committed to before')
    this.known.chains.set(chainId, { index: 0, commitment })
    this.due = { chainId }
  }

  private takeEnd({ chainId, index, serverSeed }: Entry<'end'>): void {
    this.counts.ended += 1
    const chain = this.known.chains.get(chainId)
    if (chain === undefined || index !== chain.index || index === 0) {
      this.report(`ends chain ${chainId} where it does not stand`)
    } else if (serverSeed !== null && !seedBehind(chain.commitment, serverSeed, this.hashing)) {
      this.report(`ends chain ${chainId} with another seed than the one committed to`)
    }
    if (serverSeed === null) this.counts.givenUp += 1
    this.known.chains.delete(chainId)
    this.known.ended.add(chainId)
  }

  private takePart(entry: Entry<'part'>, due: Due | null): void {
    const { tableHash: hash, part, parts, text } = entry
    const before = due && isDue(due, entry) && 'texts' in due ? due.texts : []
    if (part !== before.length + 1) {
      if (!due) this.report('is a part of an odds table out of its order')
      return
    }
    const texts = [...before, text]
    if (part < parts) {
      this.due = { tableHash: hash, parts, texts }
      return
    }
    const table = tableOfText(texts.join(''))
    if (table) this.takeTable({ type: 'table', tableHash: hash, table })
    else this.report('ends an odds table that is none')
  }

  private takeTable({ tableHash: hash, table }: Entry<'table'>): void {
    this.counts.tables += 1
    if (this.known.tables.has(hash)) this.report('tells an odds table a second time')
    if (tableHash(tableText(table), this.hashing) === hash) {
      this.known.tables.set(hash, { table, thresholds: thresholdsOf(table.entries) })
    } else this.report('holds an odds table that its hash does not name')
  }

  private takeStock({ prizeId, delta, after }: Entry<'stock'>): void {
    this.counts.stockChanges += 1
    // A prize without a limit, and one of which nothing was told yet, counts as 0.
    const before = this.known.stock.get(prizeId) ?? 0
    if (before + delta !== (after ?? 0)) {
      this.report(`changes the stock of prize ${prizeId} from ${before} by ${delta} to ${after}`)
    }
    this.known.stock.set(prizeId, after)
    // An increase takes no mark away: one unit put back would hide the hundred that were taken.
    if (delta < 0 || after === 0) this.known.cuts.set(prizeId, null)
  }

  private takeOpening(entry: Entry<'opening'>): void {
    const { chainId, index, serverSeed, next, entropyFrom, results } = entry
    this.counts.openings += 1
    this.counts.packs += results.length
    if (entropyFrom === 'server') this.counts.byServer += 1
    const chain = this.known.chains.get(chainId)
    if (chain === undefined) this.report(`draws from chain ${chainId}, which is not open`)
    else if (index !== chain.index) {
      this.report(`has index ${index} of chain ${chainId}, where ${chain.index} comes next`)
    } else if (!seedBehind(chain.commitment, serverSeed, this.hashing)) {
      this.report('draws with another seed than the one committed to')
    }
    if (!this.commit(next)) this.report('commits to a seed that was committed to before')
    if (chain) this.known.chains.set(chainId, { index: index + 1, commitment: next })
    for (const [prizeId, at] of this.known.cuts)
      if (at === null) this.known.cuts.set(prizeId, entry.at)
    this.drawAgain(entry)
  }

  private drawAgain(entry: Entry<'opening'>): void {
    const known = this.known.tables.get(entry.tableHash)
    const seed = bytesOfHex(entry.serverSeed)
    if (known === undefined || seed === undefined) {
      this.report('is drawn from odds that were not in the log before')
      return
    }
    if (known.table.packTypeId !== entry.packTypeId) {
      this.report('is drawn from the odds of another pack type')
    }
    const rolls = rollsOf({ ...entry, seed }, entry.results.length, this.hashing)
    for (const [at, result] of entry.results.entries()) {
      this.checkResult(entry, known, rolls[at] ?? 0, result)
    }
    this.record.expect(entry, known.table)
  }

  private checkResult(
    entry: Entry<'opening'>,
    { table, thresholds }: KnownTable,
    roll: number,
    [prizeId, soldOutPrizeId, stockAfter, redCoinEarned]: LoggedResult,
  ): void {
    const told = { prizeId, soldOutPrizeId, redCoinEarned }
    const fault = faultOfResult(table, thresholds, roll, told)
    if (fault === 'result') this.report('is not what its seed, its entropy and its odds give')
    if (fault === 'pay') this.report('pays another amount than its odds say')
    if (prizeId !== null) this.counts.wins += 1
    if (soldOutPrizeId !== null) this.counts.soldOut += 1
    const prize = table.entries.find((each) => each.prizeId === (prizeId ?? soldOutPrizeId))
    if ((prize?.limited ?? false) !== (stockAfter !== null)) {
      this.report('does not say what was left of its prize')
      return
    }
    if (prize === undefined || stockAfter === null) return
    const before = this.known.stock.get(prize.prizeId) ?? null
    const isTrue = prizeId === null ? stockAfter === 0 && before === 0 : before === stockAfter + 1
    if (!isTrue) {
      const known = before ?? 'nobody was told how many'
      this.report(`leaves ${stockAfter} of prize ${prize.prizeId}, of which ${known} were there`)
    }
    this.known.stock.set(prize.prizeId, stockAfter)
    if (prizeId === null) this.noteCut(entry, prize.prizeId)
  }

  private noteCut({ at }: Entry<'opening'>, prizeId: number): void {
    const since = this.known.cuts.get(prizeId)
    if (since === undefined || since === null) return
    this.known.cuts.delete(prizeId)
    if (Date.parse(at) - Date.parse(since) > cutMillis) return
    if (this.cutStocks.length < faultsMax) this.cutStocks.push({ index: this.size, prizeId, at })
  }
}

function isDue(due: Due, entry: LogEntry | undefined): boolean {
  if ('chainId' in due) return entry?.type === 'opening' && entry.chainId === due.chainId
  return (
    entry !== undefined &&
    'part' in entry &&
    entry.tableHash === due.tableHash &&
    entry.parts === due.parts &&
    entry.part === due.texts.length + 1
  )
}

function wordsOf(due: Due): string {
  return 'chainId' in due
    ? `the first opening of chain ${due.chainId}`
    : `part ${due.texts.length + 1} of an odds table`
}
