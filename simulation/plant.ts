// Plants each fault in a copy of the sources and plays seeds on it until one finds it: a net in
// which these are not caught catches nothing.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type PlantedFault, plantedFaults } from './planted-faults.ts'
import { realMillis } from './simulated-clock.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const minutesMax = 5
const linked = ['node_modules', 'contract', 'fair', 'sandbox', 'package.json', 'tsconfig.base.json']

export interface Caught {
  readonly name: string
  readonly seed: number | undefined
  readonly seconds: number
  /** What the run said of it. */
  readonly text: string
}

/** A copy of the server and the simulation with the fault in it. */
function copyWith({ file, changes, name }: PlantedFault): string {
  const folder = mkdtempSync(join(tmpdir(), 'redpack-planted-'))
  const isSource = (path: string) =>
    !/\/(dist|data|node_modules)(\/|$)/.test(path.slice(root.length))
  for (const part of ['server', 'simulation']) {
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: isSource })
  }
  for (const part of linked) symlinkSync(join(root, part), join(folder, part))
  const path = join(folder, file)
  let text = readFileSync(path, 'utf8')
  for (const [from, to] of changes) {
    if (text.split(from).length !== 2) throw new Error(`"${name}" does not fit ${file} any more`)
    text = text.replace(from, () => to)
  }
  writeFileSync(path, text)
  return folder
}

/** Plays the seed on record, or from it on until one finds the fault. */
export function plant(fault: PlantedFault, isShrunk: boolean): Caught {
  const folder = copyWith(fault)
  const startMillis = realMillis()
  try {
    const words = ['--days', '5', '--viewers', '20', '--faults', 'harsh']
    const range = ['--seed', String(fault.seed), '--minutes', String(minutesMax)]
    const script = ['--import', 'tsx', 'simulation/main.ts', ...words, ...range]
    const { stdout } = spawnSync(process.execPath, [...script, ...(isShrunk ? ['--shrink'] : [])], {
      cwd: folder,
      encoding: 'utf8',
    })
    const seed = /disagree with seed (\d+)/.exec(stdout)?.[1]
    const seconds = (realMillis() - startMillis) / 1000
    return { name: fault.name, seed: seed ? Number(seed) : undefined, seconds, text: stdout }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Plants all of them, or those whose name has the word. True when all were found. */
export function plantAll(word: string, isShrunk: boolean, say: (line: string) => void): boolean {
  const chosen = plantedFaults.filter(({ name }) => name.includes(word))
  const caught = chosen.map((fault) => {
    const one = plant(fault, isShrunk)
    const found = one.seed === undefined ? 'not found' : `found by seed ${one.seed}`
    say(`${one.name}: ${found} in ${one.seconds.toFixed(1)} s`)
    for (const line of one.text.split('\n')) if (/disagree with|^Small/.test(line)) say(`  ${line}`)
    return one
  })
  const found = caught.filter(({ seed }) => seed !== undefined).length
  say(`${found} of ${chosen.length} planted faults found`)
  return found === chosen.length
}
