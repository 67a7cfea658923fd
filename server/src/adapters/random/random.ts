// The only source of chance: nothing on the server makes random values any other way.

import { randomBytes, randomUUID } from 'node:crypto'
import { v7 } from 'uuid'

export interface Random {
  /** Cryptographically strong bytes. */
  bytes(count: number): Buffer
  /**
   * The next server seed: 32 bytes. Its own method, so that the sandbox's dice reach nothing else.
   */
  serverSeed(): Buffer
  /** A name that no other has, for what stands in no table, UUID version 4 of RFC 9562. */
  uuid(): string
  /**
   * A name that no other has, for rows, UUID version 7: it begins with the time in milliseconds, so
   * that those made one after the other stand beside each other in an index. It is no secret.
   */
  uuidInOrder(): string
}

export const systemRandom: Random = {
  bytes: (count) => randomBytes(count),
  serverSeed: () => randomBytes(32),
  uuid: () => randomUUID(),
  uuidInOrder: () => v7(),
}

/** Chance whose next server seeds can be named in advance, for the sandbox and for tests. */
export interface LoadedRandom extends Random {
  /** Seeds of 32 bytes, used in order; when they are used up, chance is real again. */
  load(serverSeeds: readonly Buffer[]): void
  reset(): void
}

export function loadedRandom(base: Random = systemRandom): LoadedRandom {
  let seeds: Buffer[] = []
  return {
    ...base,
    serverSeed: () => seeds.shift() ?? base.serverSeed(),
    load(serverSeeds) {
      seeds = [...seeds, ...serverSeeds]
    },
    reset() {
      seeds = []
    },
  }
}
