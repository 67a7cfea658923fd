// The chain that the next opening uses, compared with what this browser was shown before; and what
// requests would have given that were withheld, once their seeds are known.

import { type ChainResponse, fairnessContract } from '@redpack/contract'
import { bytesOfHex } from '@redpack/fair/bytes'
import { withheldPrizes } from '@redpack/fair/checks'
import { commitmentOf } from '@redpack/fair/draw'
import { portableHashing } from '@redpack/fair/hashing'
import { call } from '../../lib/api.ts'
import { raiseOpeningAlarm } from './alarm-queries.ts'
import {
  changeMemory,
  type HeldChain,
  type KnownSeed,
  keptTable,
  type RememberedRequest,
  readMemory,
} from './draw-memory.ts'

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
      commitment === shown.commitment &&
      (place.chainId !== shown.chainId || place.index !== shown.index || outcome === 'proven'),
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

/** Draws again what was withheld under these seeds, and keeps what it would have given. */
export async function learnSeeds(userId: number, seeds: readonly KnownSeed[]): Promise<void> {
  if (seeds.length === 0) return
  const { requests } = await readMemory(userId)
  const gave = new Map<string, readonly (number | null)[]>()
  for (const request of requests.filter((one) => isWithheld(one, requests) && !one.gave)) {
    const text = await keptTable(request.tableHash)
    const known = seeds.filter(
      ({ chainId, index }) => chainId === request.chainId && index === request.index,
    )
    for (const { serverSeed } of text === undefined ? [] : known) {
      const prizes = withheldPrizes(request, serverSeed, text ?? '', portableHashing)
      if (prizes) gave.set(request.key, prizes)
    }
  }
  await changeMemory(userId, (memory) => ({
    ...memory,
    requests: memory.requests.map((one) => {
      const prizes = gave.get(one.key)
      return prizes === undefined ? one : { ...one, gave: prizes }
    }),
    seeds: [...seeds, ...memory.seeds.filter((old) => !seeds.some((seed) => isSame(seed, old)))],
  }))
}

const isSame = (one: KnownSeed, other: KnownSeed) =>
  one.chainId === other.chainId && one.index === other.index

/**
 * Whether a request counts as withheld: refused in a way that could depend on the draw, or never
 * answered. One that was overtaken by an opening of this browser does not.
 */
export function isWithheld(
  { outcome, chainId, index }: RememberedRequest,
  all: readonly RememberedRequest[],
): boolean {
  if (outcome !== 'moved') return outcome === 'sent' || outcome === 'refused'
  return !all.some(
    (other) => other.outcome === 'proven' && other.chainId === chainId && other.index === index,
  )
}
