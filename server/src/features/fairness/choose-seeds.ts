// A player's hand in the draw: showing the seeds, choosing the client seed, rotating the pair.

import type { Deps } from '../../adapters/deps.ts'
import { type ServerSeeds, serverSeeds } from '../../adapters/random/server-seeds.ts'
import { DomainError } from '../../shared/domain-error.ts'
import {
  type CurrentSeeds,
  changeClientSeed,
  ensureSeeds,
  rotatePairs,
  type SeedPair,
} from './seed-tables.ts'

/** The seeds as far as they are public; the first call of a user makes them. */
export interface PublicSeeds {
  /** `nonce` is the one that the next opened pack uses. */
  readonly active: Pick<
    SeedPair,
    'id' | 'serverSeedHash' | 'clientSeed' | 'clientSeedFrom' | 'nonce' | 'scheme'
  >
  readonly next: { readonly serverSeedHash: string }
}

/** Puts commitments that are committed to the database into the public log, as far as it can. */
export type CatchUpLog = () => Promise<void>

function publicSeeds({ active, next }: CurrentSeeds): PublicSeeds {
  const { id, serverSeedHash, clientSeed, clientSeedFrom, nonce, scheme } = active
  return {
    active: { id, serverSeedHash, clientSeed, clientSeedFrom, nonce, scheme },
    next: { serverSeedHash: next.serverSeedHash },
  }
}

function seedsOf(deps: Deps): ServerSeeds {
  return serverSeeds(deps.random, deps.encryption)
}

/** The user's current seeds, without the secret one; new ones are in the public log by then. */
export async function currentSeedsOf(
  deps: Deps,
  userId: number,
  catchUpLog: CatchUpLog,
): Promise<PublicSeeds> {
  const now = deps.clock.now()
  const seeds = await deps.db.transaction((tx) => ensureSeeds(tx, seedsOf(deps), userId, now))
  if (!seeds.areLogged) await catchUpLog()
  return publicSeeds(seeds)
}

/**
 * Sets the client seed of the active pair.
 * @throws DomainError wrong_state once a pack was opened with the pair
 */
export async function chooseClientSeed(
  deps: Deps,
  userId: number,
  clientSeed: string,
): Promise<PublicSeeds> {
  const now = deps.clock.now()
  const seeds = await deps.db.transaction(async (tx): Promise<CurrentSeeds> => {
    const current = await ensureSeeds(tx, seedsOf(deps), userId, now)
    if (!(await changeClientSeed(tx, userId, clientSeed))) {
      throw new DomainError(
        'wrong_state',
        'Packs were already opened with these seeds. Rotate them to choose a new client seed.',
      )
    }
    return { ...current, active: { ...current.active, clientSeed, clientSeedFrom: 'player' } }
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
 * @throws Unavailable when the secret seed cannot be opened
 */
export async function rotateSeeds(
  deps: Deps,
  userId: number,
  clientSeed: string | undefined,
): Promise<RotatedSeeds> {
  const now = deps.clock.now()
  const seeds = seedsOf(deps)
  return deps.db.transaction(async (tx) => {
    const before = await ensureSeeds(tx, seeds, userId, now)
    const after = await rotatePairs(tx, seeds, userId, before, clientSeed, now)
    const { id, serverSeedHash, nonce } = before.active
    return {
      revealed: {
        id,
        serverSeed: after.revealedSeed,
        serverSeedHash,
        clientSeed: before.active.clientSeed,
        openings: nonce,
      },
      ...publicSeeds(after),
    }
  })
}
