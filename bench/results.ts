// Where benchmark figures go, and what a benchmark says when it has lost too much.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type MeasuredRatios, type Ratios, shortfalls, typical } from './shortfalls.ts'

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
