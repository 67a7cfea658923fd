// Checks what was saved, the proof of an opening or a memory, step by step: the same in pages, in
// dialogs and offline.

import {
  bytesOfHex,
  fits,
  isCount,
  isHex32,
  isId,
  isText,
  listOf,
  orNull,
  parsed,
  type Shaped,
} from './bytes.ts'
import { courseOf } from './delivery-record.ts'
import {
  entryAt,
  faultOfResult,
  isTable,
  type OddsTable,
  rollRange,
  rollsOf,
  seedBehind,
  tableHash,
  tableText,
  thresholdsOf,
} from './draw.ts'
import { entryOfText, minuteOf, openingOfText, packsMax } from './entries.ts'
import { portableHashing } from './hashing.ts'
import {
  disagreementsIn,
  isMemory,
  type SavedMemory,
  withheldOf,
  withheldSummary,
} from './memory.ts'
import { openCheckpoint, openLogProof, type ProvenEntry, parseVerifierKey } from './notes.ts'
import { LogFault, treeHashes } from './tree.ts'

/** `noted` is no fault, and worth knowing. */
export type Verdict = 'passed' | 'waiting' | 'failed' | 'unchecked' | 'noted'

const titles = {
  table: 'The odds are the published ones',
  seed: 'The seed was fixed beforehand',
  result: 'The roll gives this result',
  pay: 'It paid what the odds promise',
  log: 'The public log says the same',
  delivery: 'How far the prize has come',
  answers: 'The answers agree with what was asked',
  withheld: 'What was withheld',
  remembered: 'The public log that it remembers',
} as const

export interface VerificationStep {
  readonly name: keyof typeof titles
  readonly title: string
  readonly verdict: Verdict
  readonly text: string
  readonly values: readonly { readonly name: string; readonly value: string }[]
}

function stepOf(
  name: VerificationStep['name'],
  verdict: Verdict,
  text: string,
  values: Readonly<Record<string, string | number>> = {},
): VerificationStep {
  const shown = Object.entries(values).map(([what, value]) => ({ name: what, value: `${value}` }))
  return { name, title: titles[name], verdict, text, values: shown }
}

const checked = (
  name: VerificationStep['name'],
  isRight: boolean,
  [right, wrong]: readonly [string, string],
  values?: Readonly<Record<string, string | number>>,
) => stepOf(name, isRight ? 'passed' : 'failed', isRight ? right : wrong, values)

/** Where the roll fell among the ranges of the prizes. */
export interface DrawnRoll {
  readonly table: OddsTable
  readonly thresholds: readonly number[]
  readonly roll: number
}

export interface Findings {
  readonly verdict: Verdict
  /** One sentence about the whole. */
  readonly summary: string
  readonly steps: readonly VerificationStep[]
  /** Of a proof. */
  readonly draw?: DrawnRoll
}

const openingShape = {
  ...{ id: isId, requestId: isText, createdAt: isText, packTypeId: isId, chainId: isCount },
  ...{ tableHash: isHex32, commitment: isHex32, serverSeed: isHex32, entropy: isHex32 },
  ...{ entropyFrom: isText, index: isCount, position: isCount, redCoinEarned: isCount },
  ...{ prizeId: orNull(isId), soldOutPrizeId: orNull(isId) },
  soldOut: (value: unknown): value is boolean => typeof value === 'boolean',
}

export interface OpeningProof {
  readonly version: 1
  readonly opening: Shaped<typeof openingShape>
  readonly table: OddsTable
  /** A tlog-proof; null until the request stands in the log. */
  readonly log: string | null
  /** The same of each step of what was won, as far as something is sent. */
  readonly steps?: readonly string[] | undefined
}

/** Whether a value is a proof, as far as it has to be one to be looked at. */
function isProof(value: unknown): value is OpeningProof {
  const { version, opening, table, log, steps = [] } = (value ?? {}) as OpeningProof
  return (
    version === 1 &&
    fits(openingShape, opening) &&
    opening.position < packsMax &&
    !Number.isNaN(Date.parse(opening.createdAt)) &&
    isTable(table) &&
    orNull(isText)(log) &&
    listOf(isText)(steps)
  )
}

/** Follows a proof of the log to its signed checkpoint; null where no key is known. */
export type CheckEntry = ((proof: string) => Promise<ProvenEntry>) | null

/** Never throws for what is wrong with the proof: that is the finding. */
export async function verifyProof(proof: OpeningProof, checkEntry: CheckEntry): Promise<Findings> {
  const draw = drawnRoll(proof)
  const steps = [
    tableStep(proof),
    seedStep(proof),
    ...resultSteps(proof, draw),
    await logStep(proof, checkEntry),
    ...(await deliverySteps(proof, checkEntry)),
  ]
  const verdict = worstOf(steps)
  const failed = steps.find((step) => step.verdict === 'failed')
  const summary =
    verdict === 'passed'
      ? 'This draw is fair: every check passed.'
      : failed
        ? `This draw failed a check: ${failed.title.toLowerCase()}.`
        : 'The seed and the odds give this result. Its entry in the public log was not checked.'
  return { verdict, summary, steps, draw }
}

function worstOf(steps: readonly VerificationStep[]): Verdict {
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
  return `${((100 * roll) / rollRange).toFixed(4)}%`
}

function tableStep({ opening, table }: OpeningProof): VerificationStep {
  const found = tableHash(tableText(table), portableHashing)
  const isRight = found === opening.tableHash && table.packTypeId === opening.packTypeId
  const texts = [
    'The hash of the odds table is the one in the draw.',
    'The draw was made from another odds table than the one in this proof.',
  ] as const
  const values = { 'Hash of the table': found, 'Hash that the draw names': opening.tableHash }
  return checked('table', isRight, texts, values)
}

function seedStep({ opening }: OpeningProof): VerificationStep {
  const { serverSeed, commitment, entropy, entropyFrom, chainId, index } = opening
  const isRight = seedBehind(commitment, serverSeed, portableHashing) !== undefined
  const whose =
    entropyFrom === 'player'
      ? "The player's browser added its own random bytes."
      : 'The random bytes are from the server: the player had sent none.'
  const texts = [
    `The hash of the seed is the commitment that was shown before. ${whose}`,
    'The hash of the seed is not the commitment: the seed was exchanged.',
  ] as const
  return checked('seed', isRight, texts, {
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
    checked('result', fault !== 'result', results, {
      Roll: `${roll} (${rollPercent(roll)})`,
      'Pack of its request': opening.position + 1,
    }),
    checked('pay', fault === undefined, pays, {
      RedCoin: opening.redCoinEarned,
    }),
  ]
}

async function logStep(proof: OpeningProof, checkEntry: CheckEntry): Promise<VerificationStep> {
  if (proof.log === null) {
    const text = 'It is not in the log yet. Load the proof again in a few seconds.'
    return stepOf('log', 'waiting', text)
  }
  if (checkEntry === null) {
    const text = 'The key of the log is not known here, so this was not checked.'
    return stepOf('log', 'unchecked', text)
  }
  try {
    const { entry, index, size } = await checkEntry(proof.log)
    const place = `Entry ${index} of ${size}`
    const [right, wrong] = [
      `${place} says the same, and is signed.`,
      `${place} says something else.`,
    ]
    return checked('log', saysTheSame(entry, proof), [right, wrong], { Entry: entry })
  } catch (error) {
    return unread('log', error)
  }
}

function unread(name: VerificationStep['name'], error: unknown): VerificationStep {
  if (error instanceof LogFault) return stepOf(name, 'failed', error.message)
  return stepOf(name, 'unchecked', 'The log could not be read, so this was not checked.')
}

async function deliverySteps({ opening, steps = [] }: OpeningProof, checkEntry: CheckEntry) {
  if (steps.length === 0 || checkEntry === null) return []
  try {
    const proven = await Promise.all(steps.map(checkEntry))
    proven.sort((a, b) => a.index - b.index)
    const entries = proven.map(({ entry }) => entryOfText(entry))
    const { isRight, text } = courseOf(entries, opening)
    return [checked('delivery', isRight, [text, text])]
  } catch (error) {
    return [unread('delivery', error)]
  }
}

function saysTheSame(text: string, { opening }: OpeningProof): boolean {
  const at = minuteOf(new Date(opening.createdAt))
  const entry = openingOfText(text, { ...opening, id: opening.requestId, at })
  const [prizeId, soldOutPrizeId, , redCoinEarned] = entry?.results[opening.position] ?? []
  return (
    prizeId === opening.prizeId &&
    soldOutPrizeId === opening.soldOutPrizeId &&
    redCoinEarned === opening.redCoinEarned
  )
}

/** Largest file that is read, in bytes. */
const bytesMax = 5 * 1024 * 1024

/** Reads what was saved, evidence too. @throws Error with a sentence for the reader */
export async function readSavedFile(
  file: Pick<Blob, 'size' | 'text'>,
): Promise<OpeningProof | SavedMemory> {
  if (file.size > bytesMax) throw new Error('This file is too large: it has more than 5 MB.')
  const value = parsed(await file.text())
  if (value === undefined) throw new Error('This file is not JSON, or only a part of it.')
  const inner = (value as { readonly memory?: unknown } | null)?.memory ?? value
  if (isProof(value)) return value
  if (isMemory(inner)) return inner
  throw new Error('This file is neither the proof of an opening nor a saved memory.')
}

/**
 * Checks signatures with the log's key where it is given, else as `checkEntry` does.
 * @throws Error when it is no key
 */
export async function checkSaved(
  saved: OpeningProof | SavedMemory,
  keyText = '',
  checkEntry: CheckEntry | null = null,
): Promise<Findings> {
  const key = parseVerifierKey(keyText, portableHashing.sha256)
  if (keyText !== '' && key === undefined) throw new Error('This is not the key of a log.')
  if ('requests' in saved) return checkMemory(saved, keyText)
  const hashes = treeHashes(portableHashing)
  return verifyProof(saved, key ? (log) => openLogProof(log, key, hashes) : checkEntry)
}

/** What a memory holds against the site. `keyText` is empty for the key that it remembers. */
async function checkMemory(memory: SavedMemory, keyText: string): Promise<Findings> {
  const steps = [answersStep(memory), withheldStep(memory), await rememberedStep(memory, keyText)]
  const verdict = worstOf(steps)
  const summaries: Partial<Record<Verdict, string>> = {
    failed: 'This memory disagrees with what the site said.',
    noted: 'Nothing in this memory disagrees, but requests came to nothing.',
  }
  const well = 'Nothing in this memory disagrees with what the site said.'
  return { verdict, summary: summaries[verdict] ?? well, steps }
}

function answersStep(memory: SavedMemory): VerificationStep {
  const faults = disagreementsIn(memory)
  const told = memory.requests.filter((request) => request.told).length
  return checked('answers', faults.length === 0, [
    `Answers drawn again: ${told}.`,
    faults.join(' '),
  ])
}

function withheldStep(memory: SavedMemory): VerificationStep {
  const withheld = withheldOf(memory)
  const values = withheld.map(({ request, text }) => ({
    name: new Date(request.sentAt).toISOString(),
    value: text,
  }))
  const verdict = withheld.length === 0 ? 'passed' : 'noted'
  return { ...stepOf('withheld', verdict, withheldSummary(withheld)), values }
}

async function rememberedStep({ log }: SavedMemory, keyText: string): Promise<VerificationStep> {
  const failed = (text: string) => stepOf('remembered', 'failed', text)
  if (log === null) {
    return stepOf('remembered', 'unchecked', 'This browser had not read the log yet.')
  }
  const key = parseVerifierKey(log.key, portableHashing.sha256)
  if (key === undefined) return failed('It remembers a key that cannot be read.')
  if (keyText !== '' && keyText !== log.key) {
    return failed(`This memory is of another log, or of one with another key: ${log.key}`)
  }
  try {
    const { size, origin } = await openCheckpoint(log.note, key)
    const text = `It knows ${size} entries of ${origin}, signed with the key that it saw first.`
    return stepOf('remembered', 'passed', text, { Checkpoint: log.note })
  } catch (error) {
    if (error instanceof LogFault) return failed(error.message)
    throw error
  }
}
