// A player's hand in the draw: showing the seeds, choosing the client seed, rotating the pair.

import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import {
  type CurrentSeeds,
  changeClientSeed,
  ensureSeeds,
  randomClientSeed,
  rotatePairs,
} from './tables.ts'

/** The seeds as far as they are public; the first call of a user makes them. */
export interface PublicSeeds {
  readonly active: {
    readonly id: number
    readonly serverSeedHash: string
    readonly clientSeed: string
    /** The nonce that the next opened pack uses. */
    readonly nonce: number
  }
  readonly next: { readonly serverSeedHash: string }
}

function publicSeeds({ active, next }: CurrentSeeds): PublicSeeds {
  const { id, serverSeedHash, clientSeed, nonce } = active
  return {
    active: { id, serverSeedHash, clientSeed, nonce },
    next: { serverSeedHash: next.serverSeedHash },
  }
}

/** The user's current seeds, without the secret one. */
export async function currentSeedsOf(world: World, userId: number): Promise<PublicSeeds> {
  const now = world.clock.now()
  const seeds = await world.db.transaction((tx) => ensureSeeds(tx, world.random, userId, now))
  return publicSeeds(seeds)
}

/**
 * Sets the client seed of the active pair.
 * @throws Refusal wrong_state once a pack was opened with the pair
 */
export async function chooseClientSeed(
  world: World,
  userId: number,
  clientSeed: string,
): Promise<PublicSeeds> {
  const now = world.clock.now()
  const seeds = await world.db.transaction(async (tx) => {
    const current = await ensureSeeds(tx, world.random, userId, now)
    if (!(await changeClientSeed(tx, userId, clientSeed))) {
      throw new Refusal(
        'wrong_state',
        'Packs were already opened with these seeds. Rotate them to choose a new client seed.',
      )
    }
    return { ...current, active: { ...current.active, clientSeed } }
  })
  return publicSeeds(seeds)
}

export interface RotatedSeeds extends PublicSeeds {
  readonly revealed: {
    readonly id: number
    readonly serverSeed: string
    readonly serverSeedHash: string
    readonly clientSeed: string
    /** Packs opened with the revealed pair. */
    readonly openings: number
  }
}

/**
 * Reveals the active pair; the pair whose commitment was published before becomes the active one.
 */
export async function rotateSeeds(
  world: World,
  userId: number,
  clientSeed: string | undefined,
): Promise<RotatedSeeds> {
  const now = world.clock.now()
  return world.db.transaction(async (tx) => {
    const before = await ensureSeeds(tx, world.random, userId, now)
    const chosen = clientSeed ?? randomClientSeed(world.random)
    const after = await rotatePairs(tx, world.random, userId, before, chosen, now)
    const { id, serverSeed, serverSeedHash, nonce } = before.active
    return {
      revealed: {
        id,
        serverSeed,
        serverSeedHash,
        clientSeed: before.active.clientSeed,
        openings: nonce,
      },
      ...publicSeeds(after),
    }
  })
}
