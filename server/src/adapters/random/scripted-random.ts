// The sandbox's dice for several serving processes: server seeds named in advance are in a folder
// that all of them share, and each is used once.

import { mkdirSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoadedRandom, Random } from './random.ts'

const nameDigits = 9

/**
 * Chance whose next server seeds stand in the folder, one a file, in the order of their names.
 * Whoever removes a file has its seed: the file system lets one process alone do that.
 */
export function scriptedRandom(folder: string, base: Random): LoadedRandom {
  let known: string[] = []

  function next(): string | undefined {
    if (known.length === 0) known = namesIn(folder)
    return known.shift()
  }

  return {
    ...base,
    serverSeed() {
      for (let name = next(); name !== undefined; name = next()) {
        const seed = takeFile(join(folder, name))
        if (seed !== undefined) return seed
      }
      return base.serverSeed()
    },
    load(serverSeeds) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const last = Number(namesIn(folder).at(-1) ?? 0)
      for (const [index, seed] of serverSeeds.entries()) {
        const name = String(last + index + 1).padStart(nameDigits, '0')
        writeFileSync(join(folder, name), seed, { mode: 0o600 })
      }
    },
    reset() {
      known = []
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** Undefined when another process was quicker. */
function takeFile(path: string): Buffer | undefined {
  try {
    const seed = readFileSync(path)
    unlinkSync(path)
    return seed
  } catch {
    return undefined
  }
}
