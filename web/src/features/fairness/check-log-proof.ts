// Follows an opening to the public log: its entry says what the opening says, the entry leads to
// the root of a checkpoint, and the checkpoint is signed by the key of the log.

import { sha256 } from '@noble/hashes/sha2.js'
import { hexOf, utf8 } from '../../lib/tlog/bytes.ts'
import { LogFault } from '../../lib/tlog/log-fault.ts'
import { requireSignature, type VerifierKey } from '../../lib/tlog/signed-note.ts'
import { type LogProof, leadsToRoot, readLogProof } from '../../lib/tlog/tlog-proof.ts'
import type { DrawProof, Verdict } from './draw-proof.ts'

export interface LogFinding {
  readonly verdict: Verdict
  /** What was found, in a sentence. */
  readonly text: string
  /** The proof as it was read, and its entry; absent where there is none. */
  readonly proof?: LogProof
  readonly entry?: string
}

const minuteMs = 60_000
/** Stocks up to this are tried when a proof does not hand its entry along. */
const stockMax = 10_000

/** Never throws for what is wrong with the proof: that is the finding. */
export async function checkLogProof(
  { opening, table, log }: DrawProof,
  key: VerifierKey | null,
): Promise<LogFinding> {
  if (log === undefined) {
    return { verdict: 'unchecked', text: 'Proofs of the first version carry nothing of the log.' }
  }
  if (log === null) {
    return {
      verdict: 'waiting',
      text: 'Not in the log yet. That takes a few seconds; then load the proof again.',
    }
  }
  try {
    const proof = readLogProof(log)
    const place = `Entry ${proof.index} of ${proof.checkpoint.size}`
    const entry = entryOf(proof, opening, table)
    if (entry === undefined && opening.scheme === 1 && !proof.extra) {
      return { verdict: 'unchecked', text: `${place} stands for more than this opening.`, proof }
    }
    if (entry === undefined) throw new LogFault(`${place} is not the one of this opening.`)
    const found = `${place} says the same and leads to the checkpoint`
    if (key === null) {
      const text = `${found}. The signature under it was not checked: the key of the log is not known here.`
      return { verdict: 'unchecked', text, proof, entry }
    }
    if (proof.checkpoint.origin !== key.name) throw new LogFault('The proof is of another log.')
    await requireSignature(proof.checkpoint.note, key)
    return { verdict: 'passed', text: `${found}, which the key of the log signed.`, proof, entry }
  } catch (error) {
    if (!(error instanceof LogFault)) throw error
    return { verdict: 'failed', text: error.message }
  }
}

type Opening = DrawProof['opening']

function hash(text: string): string {
  return hexOf(sha256(utf8(text)))
}

/** The entry that says what the opening says and leads to the checkpoint; undefined for none. */
function entryOf(proof: LogProof, opening: Opening, table: DrawProof['table']): string | undefined {
  const leads = (text: string) => leadsToRoot(utf8(text), proof)
  if (proof.extra) {
    const text = new TextDecoder().decode(proof.extra)
    const fields = fieldsOf(text)
    const isSame =
      fields['type'] === 'carried'
        ? isCarried(fields, opening)
        : isPossibleStock(fields['stockAfter'], opening, table) &&
          entryText(opening, fields['stockAfter']) === text
    return isSame && leads(text) ? text : undefined
  }
  for (const stock of possibleStocks(opening, table)) {
    const text = entryText(opening, stock)
    if (leads(text)) return text
  }
  return undefined
}

/** The opening as the log tells it. */
function entryText(opening: Opening, stockAfter: unknown): string {
  const minutes = Math.floor(Date.parse(opening.createdAt) / minuteMs)
  return JSON.stringify({
    type: 'opening',
    id: opening.id,
    at: new Date(minutes * minuteMs).toISOString(),
    packTypeId: opening.packTypeId,
    tableHash: opening.tableHash,
    pairId: opening.seedPairId,
    nonce: opening.nonce,
    clientSeedHash: hash(opening.clientSeed),
    prizeId: opening.prizeId,
    soldOutPrizeId: opening.soldOutPrizeId,
    stockAfter,
    redCoinEarned: opening.redCoinEarned,
  })
}

/** Whether the prize had an end to its stock; undefined where the table does not tell. */
function isLimited({ prizeId }: Opening, { entries }: DrawProof['table']): boolean | undefined {
  if (prizeId === null) return false
  return entries.find((entry) => entry.prizeId === prizeId)?.limited
}

/** Wins of a limited prize leave a count, sold-out ones 0, everything else none. */
function isPossibleStock(stock: unknown, opening: Opening, table: DrawProof['table']): boolean {
  if (opening.soldOutPrizeId !== null) return stock === 0
  if (stock !== null && !(Number.isSafeInteger(stock) && Number(stock) >= 0)) return false
  const limited = isLimited(opening, table)
  return limited === undefined || limited === (stock !== null)
}

/** The only part of the entry that the opening does not tell. */
function* possibleStocks(opening: Opening, table: DrawProof['table']): Generator<number | null> {
  if (isPossibleStock(null, opening, table)) yield null
  if (!isPossibleStock(0, opening, table)) return
  const most = opening.soldOutPrizeId === null ? stockMax : 0
  for (let stock = 0; stock <= most; stock += 1) yield stock
}

function fieldsOf(text: string): Record<string, unknown> {
  try {
    const fields: unknown = JSON.parse(text)
    return typeof fields === 'object' && fields !== null ? { ...fields } : {}
  } catch {
    return {}
  }
}

/** Entries of the first log stand for whole requests; the opening is one of its packs. */
function isCarried(entry: Record<string, unknown>, opening: Opening): boolean {
  const body = String(entry['body'])
  const request = fieldsOf(body)
  const at = opening.nonce - Number(request['firstNonce'])
  const prizes = Array.isArray(request['prizeIds']) ? request['prizeIds'] : []
  const minutes = (time: unknown) => Math.floor(Date.parse(String(time)) / minuteMs)
  return (
    hash(body) === entry['hash'] &&
    request['packTypeId'] === opening.packTypeId &&
    request['tableHash'] === opening.tableHash &&
    request['serverSeedHash'] === opening.serverSeedHash &&
    minutes(request['openingRequestAt']) === minutes(opening.createdAt) &&
    at >= 0 &&
    prizes[at] === opening.prizeId
  )
}
