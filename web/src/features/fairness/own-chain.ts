// The chain that the next opening uses, compared with what this browser was shown before; and the
// seeds of what was withheld.

import { type ChainResponse, fairnessContract } from '@redpack/contract'
import { bytesOfHex, portableHashing } from '@redpack/fair/bytes'
import { commitmentOf } from '@redpack/fair/draw'
import { isAt, isWithheld, type KnownSeed, type RememberedRequest } from '@redpack/fair/memory'
import { call } from '../../lib/api.ts'
import { changeMemory, type HeldChain, raiseOpeningAlarm, readMemory } from './draw-memory.ts'

/** So long the server tells the seeds of ended chains, less a day. */
const toldForMs = 29 * 24 * 60 * 60 * 1000

/** Asks for the chain, and raises an alarm when it contradicts what was shown before. */
export async function lookAtChain(userId: number, signal?: AbortSignal): Promise<ChainResponse> {
  const shown = await call(fairnessContract.chain, signal ? { signal } : {})
  const { chain: held, requests } = await readMemory(userId)
  const reason = held && contradiction(held, shown, requests)
  if (reason) await raiseOpeningAlarm(userId, reason, shown.commitment, { held, shown })
  const { chainId, index, commitment, ended } = shown
  await changeMemory(userId, (memory) => ({
    ...memory,
    chain: { chainId, index, commitment, seenAt: Date.now() },
  }))
  const seeds = ended.flatMap(({ serverSeed, ...place }) =>
    serverSeed === null ? [] : [{ ...place, serverSeed }],
  )
  await learnSeeds(userId, seeds)
  return shown
}

function contradiction(
  held: HeldChain,
  shown: ChainResponse,
  requests: readonly RememberedRequest[],
): 'seed' | 'index' | undefined {
  const isUsed = requests.some(
    ({ commitment, outcome, ...place }) =>
      commitment === shown.commitment && (!isAt(place, shown) || outcome === 'proven'),
  )
  if (isUsed) return 'seed'
  if (shown.chainId === held.chainId) {
    if (shown.index < held.index) return 'index'
    return shown.index === held.index && shown.commitment !== held.commitment ? 'seed' : undefined
  }
  const end = shown.ended.find(({ chainId }) => chainId === held.chainId)
  if (end === undefined) return Date.now() - held.seenAt < toldForMs ? 'index' : undefined
  if (end.index < held.index) return 'index'
  if (end.index > held.index || end.serverSeed === null) return undefined
  return isSeedOf(held.commitment, end.serverSeed) ? undefined : 'seed'
}

function isSeedOf(commitment: string, serverSeed: string): boolean {
  const seed = bytesOfHex(serverSeed)
  return seed !== undefined && commitmentOf(seed, portableHashing) === commitment
}

/** Keeps the seeds of what was withheld, so that it can be drawn again. */
export async function learnSeeds(userId: number, seeds: readonly KnownSeed[]): Promise<void> {
  const { requests } = await readMemory(userId)
  const withheld = requests.filter((request) => isWithheld(request, requests))
  const wanted = seeds.filter((seed) => withheld.some((request) => isAt(request, seed)))
  if (wanted.length === 0) return
  await changeMemory(userId, (memory) => ({
    ...memory,
    seeds: [...wanted, ...memory.seeds.filter((old) => !wanted.some((seed) => isAt(seed, old)))],
  }))
}
