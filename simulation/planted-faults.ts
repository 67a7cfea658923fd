// Faults of a line or two that the simulation has to find. Each is planted in a copy of the
// sources, and seeds are played on it until one finds it: a net that misses these catches nothing.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { realMillis } from './chance.ts'
import { BadArguments } from './story.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const linked = ['node_modules', 'contract', 'fair', 'sandbox', 'package.json', 'tsconfig.base.json']
const size = '--days 5 --viewers 20 --faults harsh --minutes 5'.split(' ')

/**
 * Name, file and a seed that finds it, then what is taken away and put in its place; each stands
 * there once. The last two are there for what is said of them.
 */
const patches = readFileSync(new URL('planted-faults.txt', import.meta.url), 'utf8')
const patchOf = /^([^-+].*): (.*) (\d+)\n((?:[-+].*\n)+)/gm
const changeOf = /^-(.*)\n((?:\+.*\n)+)/gm

/** A copy of the server and the simulation with the fault in it. */
function copyWith(file: string, changes: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'redpack-planted-'))
  const filter = (path: string) => !/\/(dist|data|node_modules)(\/|$)/.test(path.slice(root.length))
  for (const part of ['server', 'simulation']) {
    cpSync(join(root, part), join(folder, part), { recursive: true, filter })
  }
  for (const part of linked) symlinkSync(join(root, part), join(folder, part))
  writeFileSync(join(folder, file), textWith(file, changes))
  return folder
}

/** @throws Error when the place of a change does not stand in the file once */
function textWith(file: string, changes: string): string {
  let text = readFileSync(join(root, file), 'utf8')
  for (const [, from = '', to = ''] of changes.matchAll(changeOf)) {
    const parts = text.split(from)
    if (parts.length !== 2) throw new Error(`"${from}" does not stand once in ${file} any more`)
    text = parts.join(to.replace(/^\+/gm, '').trimEnd())
  }
  return text
}

/** How many faults there are. @throws Error when one of them can be planted no more */
export function countPlantable(): number {
  const all = [...patches.matchAll(patchOf)]
  for (const [, , file = '', , changes = ''] of all) textWith(file, changes)
  return all.length
}

/** Plants all of them, or those whose name has the word. True when all were found. */
export function plantAll(word: string, isShrunk: boolean, say: (line: string) => void): boolean {
  const chosen = [...patches.matchAll(patchOf)].filter(([, name]) => name?.includes(word))
  if (chosen.length === 0) throw new BadArguments(`--planted: no fault has "${word}" in its name`)
  let found = 0
  for (const [, name, file = '', seed = '', changes = ''] of chosen) {
    const folder = copyWith(file, changes)
    const startMillis = realMillis()
    const words = [...size, '--seed', seed, ...(isShrunk ? ['--shrink'] : [])]
    const script = ['--import', 'tsx', 'simulation/main.ts', ...words]
    const { stdout } = spawnSync(process.execPath, script, { cwd: folder, encoding: 'utf8' })
    rmSync(folder, { recursive: true, force: true })
    // Ctrl+C was for all of them.
    if (stdout.includes('Interrupted on')) return false
    const seconds = ((realMillis() - startMillis) / 1000).toFixed(1)
    const lines = stdout
      .split('\n')
      .filter((line) => /disagree with|^(Which|Found|Small)/.test(line))
    if (lines.length > 0) found += 1
    say(`${name}: ${lines.length > 0 ? 'found' : 'not found'} in ${seconds} s`)
    for (const line of lines) say(`  ${line}`)
  }
  say(`${found} of ${chosen.length} planted faults found`)
  return found === chosen.length
}
