// Checks the proof of one opening, step by step: the same in pages, in dialogs and offline.

import { bytesOfHex, isHex32 } from './bytes.ts'
import { commitmentOf, faultOfResult, rollsOf, type ToldResult } from './draw.ts'
import { entryOfText, minuteOf } from './entries.ts'
import { portableHashing } from './hashing.ts'
import { LogFault } from './notes.ts'
import {
  entryAt,
  type OddsTable,
  rollRange,
  tableHash,
  tableOfText,
  tableText,
  thresholdsOf,
} from './odds.ts'
import type { ProvenEntry } from './proof.ts'

export type Verdict = 'passed' | 'waiting' | 'failed' | 'unchecked'

export interface VerificationStep {
  readonly name: 'table' | 'seed' | 'result' | 'pay' | 'log'
  readonly title: string
  readonly verdict: Verdict
  readonly text: string
  readonly values: readonly { readonly name: string; readonly value: string }[]
}

/** Where the roll fell among the ranges of the prizes. */
export interface DrawnRoll {
  readonly table: OddsTable
  readonly thresholds: readonly number[]
  readonly roll: number
}

export interface Verification {
  readonly verdict: Verdict
  readonly steps: readonly VerificationStep[]
  readonly draw: DrawnRoll
}

/** Largest proof file that is read, in bytes. */
export const proofFileBytesMax = 5 * 1024 * 1024

/** One opened pack with all that decided it. */
export interface ProvenOpening extends ToldResult {
  readonly id: number
  readonly createdAt: string
  readonly packTypeId: number
  readonly soldOut: boolean
  readonly soldOutPrizeId: number | null
  readonly requestId: string
  readonly position: number
  readonly tableHash: string
  readonly commitment: string
  readonly serverSeed: string
  readonly entropy: string
  readonly entropyFrom: string
  readonly chainId: number
  readonly index: number
}

/** A proof file. */
export interface OpeningProof {
  readonly version: 1
  readonly opening: ProvenOpening
  readonly table: OddsTable
  /** A tlog-proof; null until the request stands in the log. */
  readonly log: string | null
}

/**
 * Reads a proof from the text of a file.
 * @throws Error with a sentence for the reader when the text is no proof
 */
export function readProof(text: string): OpeningProof {
  let proof: OpeningProof | null
  try {
    proof = JSON.parse(text) as OpeningProof | null
  } catch {
    throw new Error('This file is not JSON.')
  }
  if (!isProof(proof)) throw new Error('This file is not a proof of an opening.')
  return proof
}

const packsMax = 50
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0

function isProof(proof: OpeningProof | null): proof is OpeningProof {
  const { version, opening, table, log } = proof ?? {}
  if (version !== 1 || typeof opening !== 'object' || (log !== null && typeof log !== 'string')) {
    return false
  }
  const { position, packTypeId, chainId, index, createdAt, redCoinEarned } = opening
  return (
    [position, packTypeId, chainId, index, redCoinEarned].every(isCount) &&
    position < packsMax &&
    !Number.isNaN(Date.parse(createdAt)) &&
    [opening.tableHash, opening.commitment, opening.serverSeed, opening.entropy].every(isHex32) &&
    tableOfText(JSON.stringify(table) ?? '') !== undefined
  )
}

/** Follows a proof of the log to its signed checkpoint; null where no key is known. */
export type CheckEntry = ((proof: string) => Promise<ProvenEntry>) | null

/** Never throws for what is wrong with the proof: that is the finding. */
export async function verifyProof(
  proof: OpeningProof,
  checkEntry: CheckEntry,
): Promise<Verification> {
  const draw = drawnRoll(proof)
  const steps = [
    tableStep(proof),
    seedStep(proof),
    resultStep(proof, draw),
    payStep(proof, draw),
    await logStep(proof, checkEntry),
  ]
  const has = (verdict: Verdict) => steps.some((step) => step.verdict === verdict)
  const verdict = (['failed', 'waiting', 'unchecked'] as const).find(has) ?? 'passed'
  return { verdict, steps, draw }
}

/** One sentence about the whole. */
export function summaryText({ verdict, steps }: Verification): string {
  const failed = steps.filter((step) => step.verdict === 'failed')
  if (verdict === 'failed') return `This draw does not hold: ${failed[0]?.title.toLowerCase()}.`
  if (verdict === 'passed') return 'This draw is fair: every check passed.'
  return 'This draw is what its seed and odds say. Its place in the log is not checked yet.'
}

function drawnRoll({ opening, table }: OpeningProof): DrawnRoll {
  const seed = bytesOfHex(opening.serverSeed) ?? new Uint8Array()
  const rolls = rollsOf({ ...opening, seed }, opening.position + 1, portableHashing)
  return { table, thresholds: thresholdsOf(table.entries), roll: rolls.at(-1) ?? 0 }
}

/** A roll or threshold as a share of the whole range. */
export function rollPercent(roll: number): string {
  return `${((100 * roll) / rollRange).toFixed(4)} %`
}

function tableStep({ opening, table }: OpeningProof): VerificationStep {
  const found = tableHash(tableText(table), portableHashing)
  const isRight = found === opening.tableHash && table.packTypeId === opening.packTypeId
  return {
    name: 'table',
    title: 'The odds are the published ones',
    verdict: isRight ? 'passed' : 'failed',
    text: isRight
      ? 'The table of odds has the hash that the draw names.'
      : 'The table in this proof is not the one that the draw names.',
    values: [
      { name: 'Hash of the table', value: found },
      { name: 'Hash that the draw names', value: opening.tableHash },
    ],
  }
}

function seedStep({ opening }: OpeningProof): VerificationStep {
  const seed = bytesOfHex(opening.serverSeed) ?? new Uint8Array()
  const isRight = commitmentOf(seed, portableHashing) === opening.commitment
  const isOwn = opening.entropyFrom === 'player'
  return {
    name: 'seed',
    title: 'The seed was fixed beforehand',
    verdict: isRight ? 'passed' : 'failed',
    text: isRight
      ? `The seed hashes to the commitment. ${isOwn ? "The player's browser added its own random bytes." : 'The server made the random bytes: the client had sent none.'}`
      : 'The seed does not hash to the commitment: it was exchanged.',
    values: [
      { name: 'Server seed', value: opening.serverSeed },
      { name: 'Commitment', value: opening.commitment },
      { name: 'Entropy', value: opening.entropy },
      { name: 'Chain and index', value: `${opening.chainId}, ${opening.index}` },
    ],
  }
}

function resultStep({ opening }: OpeningProof, draw: DrawnRoll): VerificationStep {
  const { table, thresholds, roll } = draw
  const isRight = faultOfResult(table, thresholds, roll, opening) !== 'result'
  const drawn = table.entries[entryAt(thresholds, roll) ?? -1]
  const what = drawn === undefined ? 'no prize' : drawn.name
  const soldOut = opening.soldOut ? ', which was sold out' : ''
  return {
    name: 'result',
    title: 'The roll gives this result',
    verdict: isRight ? 'passed' : 'failed',
    text: isRight
      ? `The roll fell on ${what}${soldOut}, as was told.`
      : `The roll fell on ${what}, and something else was told.`,
    values: [
      { name: 'Roll', value: `${roll} (${rollPercent(roll)})` },
      { name: 'Pack of its request', value: String(opening.position + 1) },
    ],
  }
}

function payStep({ opening }: OpeningProof, draw: DrawnRoll): VerificationStep {
  const { table, thresholds, roll } = draw
  const isRight = faultOfResult(table, thresholds, roll, opening) === undefined
  return {
    name: 'pay',
    title: 'It paid what the odds promise',
    verdict: isRight ? 'passed' : 'failed',
    text: isRight ? 'The RedCoin is that of the table.' : 'The table promises another amount.',
    values: [{ name: 'RedCoin', value: String(opening.redCoinEarned) }],
  }
}

async function logStep(proof: OpeningProof, checkEntry: CheckEntry): Promise<VerificationStep> {
  const step = { name: 'log', title: 'The public log says the same', values: [] } as const
  const { log } = proof
  if (log === null) {
    const text = 'Not in the log yet. That takes a few seconds; then load the proof again.'
    return { ...step, verdict: 'waiting', text }
  }
  if (checkEntry === null) {
    const text = 'The key of the log is not known here, so this was not checked.'
    return { ...step, verdict: 'unchecked', text }
  }
  try {
    const { entry, index, size } = await checkEntry(log)
    const values = [{ name: 'Entry', value: entry }]
    const place = `Entry ${index} of ${size}`
    return saysTheSame(entry, proof)
      ? { ...step, verdict: 'passed', text: `${place} says the same, and is signed.`, values }
      : { ...step, verdict: 'failed', text: `${place} says something else.`, values }
  } catch (error) {
    if (error instanceof LogFault) return { ...step, verdict: 'failed', text: error.message }
    const text = 'The log could not be read, so this was not checked.'
    return { ...step, verdict: 'unchecked', text }
  }
}

function saysTheSame(text: string, { opening }: OpeningProof): boolean {
  const entry = entryOfText(text)
  if (entry?.type !== 'opening') return false
  const [prizeId, soldOutPrizeId, , redCoinEarned] = entry.results[opening.position] ?? []
  const said = { ...entry, requestId: entry.id, prizeId, soldOutPrizeId, redCoinEarned }
  const same = [
    ...(['requestId', 'packTypeId', 'tableHash', 'chainId', 'index', 'serverSeed'] as const),
    ...(['entropy', 'entropyFrom', 'prizeId', 'soldOutPrizeId', 'redCoinEarned'] as const),
  ].every((name) => said[name] === opening[name])
  return same && entry.at === minuteOf(new Date(opening.createdAt))
}
