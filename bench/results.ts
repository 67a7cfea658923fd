// Where benchmark figures go, and what a benchmark says when it has lost too much.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { median } from './load.ts'

/** Of two ways in one run: machines differ, ratios of one run hardly do. The larger the better. */
export type Ratios = Readonly<Record<string, number>>

/** The same, with one of each round where a benchmark goes by rounds. */
export type MeasuredRatios = Readonly<Record<string, number | readonly number[]>>

/** How many times as much one way got as the other, round by round. */
export function ofRounds(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((figure, round) => Number((figure / (theirs[round] ?? 0)).toFixed(2)))
}

/** What is kept and shown: of several rounds the one in the middle. */
export function typical(measured: number | readonly number[]): number {
  return typeof measured === 'number' ? measured : median(measured)
}

/** What a change has cost is missing in every round, what other programs took only in some. */
function best(measured: number | readonly number[]): number {
  return typeof measured === 'number' ? measured : Math.max(...measured)
}

const lossMax = 0.2

const toSlowWayMax = 20

/**
 * A ratio to a way so slow that it answers a handful of calls while it is measured, so that the
 * ratio is another one each time: above 20 they are all the same.
 */
export function toSlowWay(ratio: number): number {
  return Math.min(ratio, toSlowWayMax)
}

/**
 * A sentence for each ratio that lost more than a fifth of what it was, in the best of its rounds.
 * One that is gone counts as lost; one that is new has nothing to lose.
 */
export function shortfalls(before: Ratios, now: MeasuredRatios): string[] {
  return Object.entries(before).flatMap(([name, was]) => {
    const measured = now[name]
    if (measured === undefined) return [`${name} was ${was} and is not measured any more`]
    const is = best(measured)
    // Written so that a figure which is no number has lost too.
    return is >= was * (1 - lossMax) ? [] : [`${name} was ${was} and is ${is}`]
  })
}

/** True when a run compares and keeps nothing. */
export const isShort = process.env['BENCH_SHORT'] === 'on'

interface KeptResults {
  readonly ratios?: Ratios
}

/**
 * Writes `bench/results/<name>.json` with the kind of machine the figures come from. `ratios` are
 * of two ways measured in this run, the larger the better; of several rounds the typical one is
 * kept. When one has lost more than a fifth of what the file held, the run fails and the file
 * stays; `BENCH_ACCEPT=on` takes the loss. A short run, `BENCH_SHORT=on`, compares and writes
 * nothing.
 */
export async function writeResults(
  name: string,
  figures: unknown,
  measured: MeasuredRatios = {},
): Promise<void> {
  const folder = fileURLToPath(new URL('./results/', import.meta.url))
  await mkdir(folder, { recursive: true })
  const file = `${folder}${name}.json`
  const kept = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as KeptResults,
    () => ({}) as KeptResults,
  )
  for (const [ratio, value] of Object.entries(measured)) {
    console.log(`  ${ratio}: ${[value].flat().join(', ')}`)
  }
  const lost = shortfalls(kept.ratios ?? {}, measured)
  for (const sentence of lost) console.error(`FELL SHORT, ${name}: ${sentence}`)
  if (lost.length > 0 && process.env['BENCH_ACCEPT'] !== 'on') {
    process.exitCode = 1
    return
  }
  if (isShort) return
  const machine = {
    node: process.version,
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  }
  const ratios: Ratios = Object.fromEntries(
    Object.entries(measured).map(([ratio, value]) => [ratio, typical(value)]),
  )
  await writeFile(file, `${JSON.stringify({ machine, ratios, figures }, null, 2)}\n`)
}

/** Ends a benchmark whose servers or sockets may still hold the process. */
export function endBenchmark(): never {
  process.exit(process.exitCode ?? 0)
}
