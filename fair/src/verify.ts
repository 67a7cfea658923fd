// Checks the proof of one opening, step by step: the same in pages, in dialogs and offline.

import { bytesOfHex, fits, isCount, isHex32, isId, isText, orNull } from './bytes.ts'
import {
  commitmentOf,
  entryAt,
  faultOfResult,
  isTable,
  type OddsTable,
  rollRange,
  rollsOf,
  type ToldResult,
  tableHash,
  tableText,
  thresholdsOf,
} from './draw.ts'
import { entryOfText, minuteOf, type OpeningEntry, packsMax } from './entries.ts'
import { portableHashing } from './hashing.ts'
import type { ProvenEntry } from './notes.ts'
import { LogFault } from './tree.ts'

/** `noted` is no fault, and worth knowing. */
export type Verdict = 'passed' | 'waiting' | 'failed' | 'unchecked' | 'noted'

export interface VerificationStep {
  readonly name: 'table' | 'seed' | 'result' | 'pay' | 'log' | 'answers' | 'withheld'
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

/** What was found about a file. */
export interface Findings {
  readonly verdict: Verdict
  /** One sentence about the whole. */
  readonly summary: string
  readonly steps: readonly VerificationStep[]
}

export interface Verification extends Findings {
  readonly draw: DrawnRoll
}

/** One opened pack with all that decided it. */
export interface ProvenOpening
  extends ToldResult,
    Omit<OpeningEntry, 'type' | 'id' | 'at' | 'next' | 'entropyFrom' | 'results'> {
  readonly id: number
  readonly createdAt: string
  readonly soldOut: boolean
  readonly soldOutPrizeId: number | null
  readonly requestId: string
  readonly position: number
  readonly commitment: string
  readonly entropyFrom: string
}

/** A proof file. */
export interface OpeningProof {
  readonly version: 1
  readonly opening: ProvenOpening
  readonly table: OddsTable
  /** A tlog-proof; null until the request stands in the log. */
  readonly log: string | null
}

/** Whether a value is a proof, as far as it has to be one to be looked at. */
export function isProof(value: unknown): value is OpeningProof {
  const { version, opening, table, log } = (value ?? {}) as OpeningProof
  return (
    version === 1 &&
    fits(decidingShape, opening) &&
    opening.position < packsMax &&
    !Number.isNaN(Date.parse(opening.createdAt)) &&
    isTable(table) &&
    orNull(isText)(log)
  )
}

/** What decides a draw. */
const decidingShape = {
  ...{ position: isCount, packTypeId: isId, chainId: isCount, index: isCount, createdAt: isText },
  ...{ tableHash: isHex32, commitment: isHex32, serverSeed: isHex32, entropy: isHex32 },
  redCoinEarned: isCount,
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
    ...resultSteps(proof, draw),
    await logStep(proof, checkEntry),
  ]
  const verdict = worstOf(steps)
  const failed = steps.find((step) => step.verdict === 'failed')
  const summary =
    verdict === 'passed'
      ? 'This draw is fair: every check passed.'
      : failed
        ? `This draw does not hold: ${failed.title.toLowerCase()}.`
        : 'The seed and the odds give this result. Its entry in the public log was not checked.'
  return { verdict, summary, steps, draw }
}

/** The verdict on the whole. */
export function worstOf(steps: readonly VerificationStep[]): Verdict {
  const has = (verdict: Verdict) => steps.some((step) => step.verdict === verdict)
  return (['failed', 'noted', 'waiting', 'unchecked'] as const).find(has) ?? 'passed'
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

/** A check that holds or does not, with what is said then. */
function checked(
  name: VerificationStep['name'],
  title: string,
  isRight: boolean,
  [right, wrong]: readonly [string, string],
  values: Readonly<Record<string, string | number>>,
): VerificationStep {
  const shown = Object.entries(values).map(([what, value]) => ({ name: what, value: `${value}` }))
  const verdict = isRight ? 'passed' : 'failed'
  return { name, title, verdict, text: isRight ? right : wrong, values: shown }
}

function tableStep({ opening, table }: OpeningProof): VerificationStep {
  const found = tableHash(tableText(table), portableHashing)
  const isRight = found === opening.tableHash && table.packTypeId === opening.packTypeId
  const texts = [
    'The hash of the odds table is the one in the draw.',
    'The draw was made from another odds table than the one in this proof.',
  ] as const
  const values = { 'Hash of the table': found, 'Hash that the draw names': opening.tableHash }
  return checked('table', 'The odds are the published ones', isRight, texts, values)
}

function seedStep({ opening }: OpeningProof): VerificationStep {
  const { serverSeed, commitment, entropy, entropyFrom, chainId, index } = opening
  const seed = bytesOfHex(serverSeed) ?? new Uint8Array()
  const isRight = commitmentOf(seed, portableHashing) === commitment
  const whose =
    entropyFrom === 'player'
      ? "The player's browser added its own random bytes."
      : 'The random bytes are from the server: the player had sent none.'
  const texts = [
    `The hash of the seed is the commitment that was shown before. ${whose}`,
    'The hash of the seed is not the commitment: the seed was exchanged.',
  ] as const
  return checked('seed', 'The seed was fixed beforehand', isRight, texts, {
    ...{ 'Server seed': serverSeed, Commitment: commitment, Entropy: entropy },
    'Chain and index': `${chainId}, ${index}`,
  })
}

function resultSteps({ opening }: OpeningProof, draw: DrawnRoll): VerificationStep[] {
  const { table, thresholds, roll } = draw
  const fault = faultOfResult(table, thresholds, roll, opening)
  const what = table.entries[entryAt(thresholds, roll) ?? -1]?.name ?? 'no prize'
  const results = [
    `The roll lands on ${what}${opening.soldOut ? ', which was sold out' : ''}, and that was the result.`,
    `The roll lands on ${what}, but another result was given.`,
  ] as const
  const pays = [
    'The RedCoin is the amount in the odds table.',
    'The odds table promises another amount.',
  ] as const
  return [
    checked('result', 'The roll gives this result', fault !== 'result', results, {
      Roll: `${roll} (${rollPercent(roll)})`,
      'Pack of its request': opening.position + 1,
    }),
    checked('pay', 'It paid what the odds promise', fault === undefined, pays, {
      RedCoin: opening.redCoinEarned,
    }),
  ]
}

async function logStep(proof: OpeningProof, checkEntry: CheckEntry): Promise<VerificationStep> {
  const said = (verdict: Verdict, text: string, values: VerificationStep['values'] = []) =>
    ({ name: 'log', title: 'The public log says the same', verdict, text, values }) as const
  if (proof.log === null) {
    return said('waiting', 'It is not in the log yet. Load the proof again in a few seconds.')
  }
  if (checkEntry === null) {
    return said('unchecked', 'The key of the log is not known here, so this was not checked.')
  }
  try {
    const { entry, index, size } = await checkEntry(proof.log)
    const values = [{ name: 'Entry', value: entry }]
    const place = `Entry ${index} of ${size}`
    return saysTheSame(entry, proof)
      ? said('passed', `${place} says the same, and is signed.`, values)
      : said('failed', `${place} says something else.`, values)
  } catch (error) {
    if (error instanceof LogFault) return said('failed', error.message)
    return said('unchecked', 'The log could not be read, so this was not checked.')
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
