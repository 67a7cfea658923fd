// Asks the server about a player's seeds and keeps what it shows, comparing as it goes.

import {
  fairnessContract,
  fairnessPageMax,
  type RotateSeedsResponse,
  type SeedsResponse,
} from '@redpack/contract'
import { call } from '../../lib/api.ts'
import { browserMemory } from '../../lib/browser-memory.ts'
import { sha256 } from '../../lib/digest.ts'
import { inTurn } from '../../lib/in-turn.ts'
import { bytesOfHex } from '../../lib/tlog/bytes.ts'
import { type Contradiction, raiseAlarm } from './alarm-queries.ts'
import type { DrawProof } from './draw-proof.ts'
import { randomClientSeed } from './random-seed.ts'
import {
  compareProof,
  compareRotation,
  compareSeeds,
  type RememberedNext,
  type RememberedPair,
} from './remembered-seeds.ts'

const pairRow = (pairId: number) => `pair/${pairId}`
const nextRow = (userId: number) => `next/${userId}`

async function readPair(pairId: number): Promise<RememberedPair | undefined> {
  return (await browserMemory.read(pairRow(pairId))) as RememberedPair | undefined
}

async function readNext(userId: number): Promise<RememberedNext | undefined> {
  return (await browserMemory.read(nextRow(userId))) as RememberedNext | undefined
}

/**
 * Keeps what was shown. The commitment of a pair stays as it was seen first; its client seed stays
 * once a pack had been opened with it.
 */
async function remember(userId: number, seeds: SeedsResponse, sent?: string): Promise<void> {
  const { active, next } = seeds
  const seenAt = Date.now()
  await browserMemory.change(pairRow(active.id), (row) => {
    const before = row as RememberedPair | undefined
    const isSentHere = sent === active.clientSeed || before?.isSentHere === true
    const isSeedFixed = active.nonce > 0
    const shown = { clientSeed: active.clientSeed, isSeedFixed, isSentHere }
    if (before?.isSeedFixed || (before?.isSentHere && isSeedFixed)) {
      return { ...before, isSeedFixed: true }
    }
    if (before) return { ...before, ...shown }
    return { userId, pairId: active.id, serverSeedHash: active.serverSeedHash, seenAt, ...shown }
  })
  await browserMemory.change(nextRow(userId), (row) => {
    const before = row as RememberedNext | undefined
    const isSame = before?.activeId === active.id && before.serverSeedHash === next.serverSeedHash
    return isSame ? before : { serverSeedHash: next.serverSeedHash, activeId: active.id, seenAt }
  })
}

async function raise(found: readonly Contradiction[]): Promise<void> {
  for (const contradiction of found) await raiseAlarm(contradiction)
}

async function compareAndRemember(
  userId: number,
  seeds: SeedsResponse,
  sent?: string,
): Promise<void> {
  const [pair, next] = await Promise.all([readPair(seeds.active.id), readNext(userId)])
  const found = compareSeeds({ userId, pair, next }, seeds)
  const isSkipped = next !== undefined && next.activeId !== seeds.active.id && found.length > 0
  const wasUsed = isSkipped && (await hasOpeningsUnder(next.serverSeedHash))
  await raise(found.filter(({ name }) => !(wasUsed && name.startsWith('rotation/'))))
  await remember(userId, seeds, sent)
}

/** Whether packs were opened under a commitment: then its pair was used, and rotated since. */
async function hasOpeningsUnder(serverSeedHash: string): Promise<boolean> {
  try {
    const query = { page: 1, limit: fairnessPageMax }
    const { openings } = await call(fairnessContract.openings, { query })
    return openings.some((opening) => opening.serverSeedHash === serverSeedHash)
  } catch {
    return false
  }
}

/** An answer that is older than what is remembered would look like a contradiction. */
const turn = 'redpack-seeds'
/** An answer that takes longer lets others have their turn, in milliseconds. */
export const readMsMax = 10_000

/**
 * The caller's seeds as far as they are public.
 * @throws what the call throws, also when no answer came within ten seconds
 */
export function loadSeeds(userId: number, signal?: AbortSignal): Promise<SeedsResponse> {
  return inTurn(turn, async () => {
    const seeds = await readInTime(signal)
    await compareAndRemember(userId, seeds)
    return seeds
  })
}

/** Changes are waited for without end: whether they were made has to be known. */
async function readInTime(signal?: AbortSignal): Promise<SeedsResponse> {
  const reading = new AbortController()
  const stop = () => reading.abort(signal?.reason)
  const late = setTimeout(() => reading.abort(new Error('No answer came in time')), readMsMax)
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  try {
    return await call(fairnessContract.seeds, { signal: reading.signal })
  } finally {
    clearTimeout(late)
    signal?.removeEventListener('abort', stop)
  }
}

export function changeClientSeed(userId: number, clientSeed: string): Promise<SeedsResponse> {
  return inTurn(turn, async () => {
    const seeds = await call(fairnessContract.changeClientSeed, { body: { clientSeed } })
    await compareAndRemember(userId, seeds, clientSeed)
    return seeds
  })
}

/** Reveals the active pair; what comes to light is compared with what was promised. */
export function rotateSeeds(userId: number, clientSeed: string): Promise<RotateSeedsResponse> {
  return inTurn(turn, async () => {
    const next = await readNext(userId)
    const answer = await call(fairnessContract.rotate, { body: { clientSeed } })
    const revealed = await readPair(answer.revealed.id)
    const seedHash = await fingerprintOf(answer.revealed)
    await raise(compareRotation({ userId, revealed, next }, answer, seedHash))
    await remember(userId, answer, clientSeed)
    return answer
  })
}

/** Pages without a secure connection have no cryptography; the report on a proof says so. */
function fingerprintOf(revealed: RotateSeedsResponse['revealed']): Promise<string> | string {
  if (!crypto.subtle) return revealed.serverSeedHash
  return sha256(bytesOfHex(revealed.serverSeed))
}

/** What the browser did about the client seed before packs are opened. */
export type SeedCare = 'nothing' | 'mixed' | 'rotated'

/** Whether a pair still waits for a client seed of the player, or for a pair of scheme 2. */
export function careFor({ active }: SeedsResponse): SeedCare {
  if (active.nonce === 0) return active.clientSeedFrom === 'player' ? 'nothing' : 'mixed'
  return active.scheme === 1 ? 'rotated' : 'nothing'
}

/** Mixes a random seed of this browser into the draws to come, where none is in them yet. */
export async function mixOwnSeed(
  userId: number,
  seeds: SeedsResponse,
): Promise<{ readonly care: SeedCare; readonly seeds: SeedsResponse }> {
  const care = careFor(seeds)
  if (care === 'mixed') {
    return { care, seeds: await changeClientSeed(userId, randomClientSeed()) }
  }
  if (care === 'rotated') {
    const { active, next } = await rotateSeeds(userId, randomClientSeed())
    return { care, seeds: { active, next } }
  }
  return { care, seeds }
}

/** Whether this browser itself sent the client seed of a pair. */
export async function isSeedOfThisBrowser(pairId: number): Promise<boolean> {
  return (await readPair(pairId))?.isSentHere === true
}

/**
 * What is wrong with a proof by what this browser remembers, an alarm for each; null when it knows
 * nothing of the proof's seed pair.
 */
export async function compareWithMemory(
  opening: DrawProof['opening'],
): Promise<readonly string[] | null> {
  const pair = await readPair(opening.seedPairId)
  const found = compareProof(pair, opening)
  for (const text of found ?? []) {
    await raiseAlarm({
      name: `proof/${opening.id}/${opening.serverSeedHash}/${opening.clientSeed}`,
      userId: pair?.userId ?? null,
      title: 'A proof contradicts what this browser was shown',
      text,
      evidence: { remembered: pair, opening },
    })
  }
  return found
}
