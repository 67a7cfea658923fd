// Compares what the server says of a player's seeds with what this browser was shown before.

import type { RotateSeedsResponse, SeedsResponse } from '@redpack/contract'
import type { Contradiction } from './alarm-queries.ts'
import type { DrawProof } from './draw-proof.ts'

/** A seed pair as this browser came to know it. */
export interface RememberedPair {
  readonly userId: number
  readonly pairId: number
  /** The commitment as it was shown first. */
  readonly serverSeedHash: string
  readonly clientSeed: string
  /** True once a pack had been opened with the client seed, which is fixed from then on. */
  readonly isSeedFixed: boolean
  /** True when this browser itself has sent the client seed. */
  readonly isSentHere: boolean
  /** Epoch milliseconds. */
  readonly seenAt: number
}

/** The commitment to the next server seed, and during which pair it was shown. */
export interface RememberedNext {
  readonly serverSeedHash: string
  readonly activeId: number
  readonly seenAt: number
}

type Active = SeedsResponse['active']

interface Known {
  readonly userId: number
  /** What is remembered of the pair that is active now. */
  readonly pair: RememberedPair | undefined
  readonly next: RememberedNext | undefined
}

const elsewhere =
  'Unless you did that yourself on another device, keep the evidence and show it to others.'

/** The contradictions between what is remembered and the seeds as they are shown now. */
export function compareSeeds(known: Known, seeds: SeedsResponse): Contradiction[] {
  return [...comparePair(known, seeds.active), ...compareNext(known, seeds)]
}

function comparePair({ userId, pair }: Known, active: Active): Contradiction[] {
  if (!pair) return []
  const evidence = { remembered: pair, shown: active }
  const found: Contradiction[] = []
  if (pair.serverSeedHash !== active.serverSeedHash) {
    found.push({
      name: `commitment/${active.id}/${active.serverSeedHash}`,
      userId,
      title: 'The commitment to your server seed was exchanged',
      text: 'This browser was shown another commitment for the seeds you play with now. A commitment never changes while its seeds are in use, so this server has broken its word.',
      evidence,
    })
  }
  const isOtherSeed = pair.clientSeed !== active.clientSeed
  const isBound = pair.isSeedFixed || (pair.isSentHere && active.nonce > 0)
  if (isOtherSeed && isBound) found.push(otherClientSeed(pair, active.clientSeed, evidence))
  return found
}

function otherClientSeed(
  { userId, pairId, isSeedFixed }: RememberedPair,
  shown: string,
  evidence: unknown,
): Contradiction {
  return {
    name: `client-seed/${pairId}/${shown}`,
    userId,
    title: 'Your client seed was exchanged',
    text: isSeedFixed
      ? 'The server names another client seed than the one that packs were opened with. It is fixed with the first pack, so this server has broken its word.'
      : `The server names another client seed than the one this browser sent. ${elsewhere}`,
    evidence,
  }
}

function compareNext({ userId, next }: Known, seeds: SeedsResponse): Contradiction[] {
  if (!next) return []
  const evidence = { remembered: next, shown: seeds }
  const isSamePair = next.activeId === seeds.active.id
  if (isSamePair && next.serverSeedHash !== seeds.next.serverSeedHash) {
    return [nextExchanged(userId, seeds.next.serverSeedHash, evidence)]
  }
  if (isSamePair || next.serverSeedHash === seeds.active.serverSeedHash) return []
  return [
    {
      name: `rotation/${seeds.active.id}/${seeds.active.serverSeedHash}`,
      userId,
      title: 'Your seeds are not the ones that were announced',
      text: `The seeds in use now do not have the commitment that this browser was shown as the next one. That is so when seeds were rotated more than once elsewhere. ${elsewhere}`,
      evidence,
    },
  ]
}

function nextExchanged(userId: number, shown: string, evidence: unknown): Contradiction {
  return {
    name: `next/${shown}`,
    userId,
    title: 'The commitment to your next server seed was exchanged',
    text: 'Before you chose a client seed for it, this browser was shown another commitment. The next seed must stand before your choice, so this server has broken its word.',
    evidence,
  }
}

/** What is remembered before a rotation, of the pair that it reveals. */
interface KnownBefore {
  readonly userId: number
  readonly revealed: RememberedPair | undefined
  readonly next: RememberedNext | undefined
}

/**
 * The contradictions of a rotation that was asked for here.
 * @param seedHash SHA-256 of the revealed server seed, computed in this browser
 */
export function compareRotation(
  { userId, revealed: pair, next }: KnownBefore,
  answer: RotateSeedsResponse,
  seedHash: string,
): Contradiction[] {
  const { revealed, active } = answer
  const evidence = { remembered: { pair, next }, answer }
  const found: Contradiction[] = []
  const committed = pair?.serverSeedHash ?? revealed.serverSeedHash
  if (seedHash !== committed || seedHash !== revealed.serverSeedHash) {
    found.push({
      name: `revealed/${revealed.id}/${seedHash}`,
      userId,
      title: 'The revealed server seed is not the one committed to',
      text: 'Its fingerprint is another than the commitment that was shown before you opened packs. Draws made with it were not what was promised.',
      evidence,
    })
  }
  if (pair?.isSeedFixed && pair.clientSeed !== revealed.clientSeed) {
    found.push(otherClientSeed(pair, revealed.clientSeed, evidence))
  }
  // Rotated in between by somebody else, the next seed is no longer known here.
  const isNextKnown = next?.activeId === revealed.id
  if (isNextKnown && next.serverSeedHash !== active.serverSeedHash) {
    found.push(nextExchanged(userId, active.serverSeedHash, evidence))
  }
  return found
}

/** What contradicts a proof in what is remembered; null when nothing is known of its pair. */
export function compareProof(
  pair: RememberedPair | undefined,
  { seedPairId, serverSeedHash, clientSeed }: DrawProof['opening'],
): readonly string[] | null {
  if (pair?.pairId !== seedPairId) return null
  const found: string[] = []
  if (pair.serverSeedHash !== serverSeedHash) {
    found.push('The proof names another commitment than the one this browser was shown.')
  }
  if (pair.isSeedFixed && pair.clientSeed !== clientSeed) {
    found.push('The proof names another client seed than the one packs were opened with.')
  }
  return found
}
