// Draws the whole log again, entry by entry: what was promised, what was opened, what came to
// light. Needs nothing but the entries in their order.

import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesOfHex, hexOf, utf8 } from '../../lib/tlog/bytes.ts'
import {
  canonicalTable,
  type DrawOutcome,
  type DrawTable,
  drawnAt,
  isOutcomeOf,
  isTable,
  type RollRange,
  rollMessage,
  rollOf,
  rollRanges,
} from './draw-table.ts'
import {
  CarriedRequest,
  entryOf,
  type LogEntry,
  type OpeningEntry,
  tableOf,
} from './log-entries.ts'

/** What does not hold, and at which entry. */
export interface ReplayFault {
  readonly index: number
  readonly text: string
}

export interface ReplayCounts {
  readonly openings: number
  /** Openings that were drawn again from revealed seeds. */
  readonly replayed: number
  readonly commitments: number
  readonly revealed: number
  readonly tables: number
  readonly stockChanges: number
}

export interface Replay {
  /** Takes the next entry. */
  take(index: number, text: string): void
  readonly counts: ReplayCounts
  /** The first faults, and how many there are. */
  readonly faults: readonly ReplayFault[]
  readonly faultCount: number
}

/** Faults that are kept with their words. */
const faultsMax = 20

type Draw = DrawOutcome &
  Pick<OpeningEntry, 'nonce' | 'tableHash'> & {
    readonly index: number
    /** Absent for draws of the log before this one. */
    readonly clientSeedHash?: string
  }

interface Pair {
  readonly serverSeedHash: string
  readonly scheme: 1 | 2
  nextNonce: number
  /** Draws that wait for the seed; undefined once it is revealed. */
  draws: Draw[] | undefined
}

interface KnownTable {
  readonly table: DrawTable
  readonly ranges: readonly RollRange[]
}

interface State {
  readonly counts: { -readonly [Name in keyof ReplayCounts]: number }
  readonly faults: ReplayFault[]
  faultCount: number
  /** The entry that is being taken. */
  index: number
  readonly pairs: Map<number, Pair>
  readonly pairsByHash: Map<string, Pair>
  readonly tables: Map<string, KnownTable>
  /** Pieces of tables that are not whole yet. */
  readonly pieces: Map<string, string[]>
  /** Units left of limited prizes, as far as the log has told of their stock. */
  readonly stock: Map<number, number>
  carried: { readonly position: number; readonly hash: string }
}

const hash = (text: string) => hexOf(sha256(utf8(text)))

/** Starts before the first entry. What is kept grows with seed pairs and unrevealed openings. */
export function startReplay(): Replay {
  const state: State = {
    counts: { openings: 0, replayed: 0, commitments: 0, revealed: 0, tables: 0, stockChanges: 0 },
    faults: [],
    faultCount: 0,
    index: 0,
    pairs: new Map(),
    pairsByHash: new Map(),
    tables: new Map(),
    pieces: new Map(),
    stock: new Map(),
    carried: { position: 0, hash: '0'.repeat(64) },
  }
  return {
    counts: state.counts,
    faults: state.faults,
    get faultCount() {
      return state.faultCount
    },
    take(index, text) {
      state.index = index
      const entry = entryOf(text)
      if (entry) takeEntry(state, entry)
      else report(state, 'is none that this page knows')
    },
  }
}

function report(state: State, text: string, index = state.index): void {
  state.faultCount += 1
  if (state.faults.length < faultsMax) state.faults.push({ index, text })
}

function takeEntry(state: State, entry: LogEntry): void {
  if (entry.type === 'commitment') takeCommitment(state, entry)
  else if (entry.type === 'stock') takeStock(state, entry)
  else if (entry.type === 'opening') takeOpening(state, entry)
  else if (entry.type === 'reveal') takeReveal(state, entry)
  else if (entry.type === 'carried') takeCarried(state, entry)
  else if ('text' in entry) takePiece(state, entry)
  else takeTable(state, entry.tableHash, entry.table)
}

type Of<Type extends LogEntry['type']> = Extract<LogEntry, { type: Type }>

function takeCommitment(state: State, { pairId, serverSeedHash, scheme }: Of<'commitment'>): void {
  if (state.pairs.has(pairId) || state.pairsByHash.has(serverSeedHash)) {
    report(state, `commits to seed pair ${pairId} a second time`)
    return
  }
  const pair: Pair = { serverSeedHash, scheme: scheme ?? 2, nextNonce: 0, draws: [] }
  state.pairs.set(pairId, pair)
  state.pairsByHash.set(serverSeedHash, pair)
  state.counts.commitments += 1
}

function takePiece(state: State, piece: Extract<Of<'table'>, { text: string }>): void {
  const { tableHash, part, parts, text } = piece
  const before = state.pieces.get(tableHash) ?? []
  if (part !== before.length + 1) {
    report(state, 'is a piece of an odds table out of its order')
    return
  }
  const pieces = [...before, text]
  state.pieces.set(tableHash, pieces)
  if (part < parts) return
  state.pieces.delete(tableHash)
  const table = tableOf(pieces.join(''))
  if (table) takeTable(state, tableHash, table)
  else report(state, 'ends an odds table that is none')
}

function takeTable(state: State, tableHash: string, table: DrawTable): void {
  if (hash(canonicalTable(table)) !== tableHash || !isTable(table)) {
    report(state, 'holds an odds table that its fingerprint does not name')
    return
  }
  state.tables.set(tableHash, { table, ranges: rollRanges(table.entries) })
  state.counts.tables += 1
}

function takeStock(state: State, { prizeId, delta, after }: Of<'stock'>): void {
  const before = state.stock.get(prizeId)
  if (before !== undefined && after !== null && before + delta !== after) {
    report(state, `changes the stock of prize ${prizeId} from ${before} by ${delta} to ${after}`)
  }
  if (after === null) state.stock.delete(prizeId)
  else state.stock.set(prizeId, after)
  state.counts.stockChanges += 1
}

function takeOpening(state: State, entry: OpeningEntry): void {
  state.counts.openings += 1
  const pair = state.pairs.get(entry.pairId)
  checkStock(state, entry)
  if (!pair) {
    report(state, `draws with seed pair ${entry.pairId}, which was not committed to before`)
    return
  }
  addDraw(state, pair, { ...entry, index: state.index, soldOut: entry.soldOutPrizeId !== null })
  const known = state.tables.get(entry.tableHash)
  if (known && known.table.packTypeId !== entry.packTypeId) {
    report(state, 'is drawn from the odds of another pack type')
  }
}

/** Puts a draw behind the last one of its pair, to be drawn again once the seed is revealed. */
function addDraw(state: State, pair: Pair, draw: Draw): void {
  if (!pair.draws) report(state, 'draws with a seed pair that was revealed before')
  if (draw.nonce !== pair.nextNonce) {
    report(state, `has nonce ${draw.nonce} where ${pair.nextNonce} comes next`)
  }
  pair.nextNonce = draw.nonce + 1
  if (!state.tables.has(draw.tableHash)) report(state, 'is drawn from odds not in the log before')
  pair.draws?.push(draw)
}

/** Every win takes one unit of what the log has told of; sold out is said of a stock of 0 only. */
function checkStock(state: State, entry: OpeningEntry): void {
  const { prizeId, soldOutPrizeId, stockAfter: after, tableHash } = entry
  const limitedId = soldOutPrizeId ?? prizeId
  if (limitedId === null) return
  const entries = state.tables.get(tableHash)?.table.entries
  const isLimited = entries?.find((one) => one.prizeId === limitedId)?.limited
  if (isLimited !== undefined && isLimited !== (after !== null)) {
    report(state, `does not say what was left of prize ${limitedId}`)
  }
  if (after === null) return
  const before = state.stock.get(limitedId)
  const isTrue = soldOutPrizeId === null ? before === after + 1 : after === 0 && (before ?? 0) === 0
  if (!isTrue) {
    const known = before === undefined ? 'nobody was told how many' : `${before}`
    report(state, `leaves ${after} of prize ${limitedId}, of which ${known} were there`)
  }
  state.stock.set(limitedId, after)
}

function takeReveal(state: State, { pairId, serverSeed, clientSeed }: Of<'reveal'>): void {
  const pair = state.pairs.get(pairId)
  if (!pair?.draws) {
    report(state, `reveals seed pair ${pairId}, which was not committed to or is revealed already`)
    return
  }
  const seed = bytesOfHex(serverSeed)
  if (hexOf(sha256(seed)) !== pair.serverSeedHash) {
    report(state, `reveals another seed for pair ${pairId} than the one committed to`)
  }
  const clientSeedHash = hash(clientSeed)
  for (const draw of pair.draws) {
    const isOwnSeed = draw.clientSeedHash === undefined || draw.clientSeedHash === clientSeedHash
    if (!isOwnSeed) report(state, 'was drawn with another client seed', draw.index)
    drawAgain(state, pair, draw, seed, clientSeed)
  }
  pair.draws = undefined
  state.counts.revealed += 1
}

function drawAgain(
  state: State,
  { scheme }: Pair,
  draw: Draw,
  seed: Uint8Array,
  clientSeed: string,
): void {
  const known = state.tables.get(draw.tableHash)
  if (!known) return
  const message = rollMessage(scheme, clientSeed, draw.nonce, draw.tableHash)
  const drawn = drawnAt(known.ranges, rollOf(hexOf(hmac(sha256, seed, utf8(message)))))
  // The first log did not tell sold-out prizes from packs without any.
  const isOld = draw.clientSeedHash === undefined
  const isRight = isOutcomeOf(drawn, known.table, draw) || (isOld && draw.prizeId === null)
  if (!isRight) report(state, 'is not what its seeds and its odds give', draw.index)
  state.counts.replayed += 1
}

/** A request of the first log: its chain goes on, and its packs are draws of their pair. */
function takeCarried(state: State, entry: Of<'carried'>): void {
  const request = requestOf(entry.body)
  if (!request || hash(entry.body) !== entry.hash) {
    report(state, 'does not say what its fingerprint says')
    return
  }
  const isNext = entry.position === state.carried.position + 1
  if (!isNext || request.previousHash !== state.carried.hash) {
    report(state, 'does not go on from the entry of the first log before it')
  }
  state.carried = { position: entry.position, hash: entry.hash }
  const pair = state.pairsByHash.get(request.serverSeedHash)
  if (!pair) {
    report(state, 'draws with seeds that were not committed to before')
    return
  }
  for (const [at, prizeId] of request.prizeIds.entries()) {
    state.counts.openings += 1
    const nonce = request.firstNonce + at
    const { tableHash } = request
    addDraw(state, pair, { index: state.index, prizeId, soldOut: false, nonce, tableHash })
  }
}

function requestOf(body: string) {
  try {
    return CarriedRequest.safeParse(JSON.parse(body)).data
  } catch {
    return undefined
  }
}
