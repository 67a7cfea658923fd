// Opens packs so that the opening proves itself: what it is asked with is remembered before it
// leaves, and what comes back is drawn again before anybody sees it.

import { fairnessContract, type OddsResponse, type OpenPacksResponse } from '@redpack/contract'
import { hexOf, portableHashing } from '@redpack/fair/bytes'
import { faultOfOpening, tableHash, tableText } from '@redpack/fair/draw'
import { isAt, type Outcome } from '@redpack/fair/memory'
import { call } from '../../lib/api.ts'
import { ApiError } from '../../lib/api-error.ts'
import {
  changeMemory,
  keepTable,
  keptTable,
  noteRequest,
  raiseOpeningAlarm,
  readMemory,
} from './draw-memory.ts'
import { learnSeeds, lookAtChain } from './own-chain.ts'

/** What an opening is asked with besides packs and quantity. */
export interface DrawTerms {
  readonly oddsHash: string
  readonly entropy: string
  readonly commitment: string
}

export interface Order {
  readonly packTypeId: number
  readonly quantity: number
  readonly oddsHash?: string | undefined
}

const freshMs = 60_000

/**
 * Fresh terms for an order, remembered before it leaves. The commitment that was told last is used
 * while it is fresh, so that openings in a row need no call of their own.
 */
export async function drawTerms(
  userId: number,
  key: string,
  order: Order,
  odds: OddsResponse | undefined,
): Promise<DrawTerms> {
  const { chain: held } = await readMemory(userId)
  const isFresh = held && Date.now() - held.seenAt < freshMs && isToday(held.seenAt)
  const chain = isFresh ? held : await lookAtChain(userId)
  const oddsHash = await knownOdds(order, odds)
  const entropy = hexOf(crypto.getRandomValues(new Uint8Array(32)))
  const { chainId, index, commitment } = chain
  const { packTypeId, quantity } = order
  const asked = { chainId, index, commitment, entropy, tableHash: oddsHash, packTypeId, quantity }
  await changeMemory(userId, (memory) => ({
    ...memory,
    requests: [{ ...asked, key, sentAt: Date.now(), outcome: 'sent' }, ...memory.requests],
  }))
  return { oddsHash, entropy, commitment }
}

/** The hash of the odds that the player was shown; keeps their text where it is at hand. */
async function knownOdds(order: Order, odds: OddsResponse | undefined): Promise<string> {
  const isShown = odds && (order.oddsHash ?? odds.tableHash) === odds.tableHash
  const shown = isShown
    ? odds
    : await call(fairnessContract.odds, { params: { id: order.packTypeId } }).catch((error) => {
        // The table is asked for by its hash once it was drawn from.
        if (order.oddsHash === undefined) throw error
        return undefined
      })
  const text = shown ? tableText(shown) : ''
  const hash = order.oddsHash ?? shown?.tableHash ?? ''
  if (tableHash(text, portableHashing) === hash) await keepTable(hash, text)
  return hash
}

const isToday = (time: number) =>
  new Date(time).toISOString().slice(0, 10) === new Date().toISOString().slice(0, 10)

/** The answer does not agree with what was asked; an alarm with the evidence was raised. */
export class NotProven extends Error {
  override readonly name = 'NotProven'

  constructor() {
    super('This opening does not prove itself. Save the evidence from the warning on this page.')
  }
}

/**
 * Checks an answer and remembers it. Answers whether it is proven: false for one that this browser
 * did not ask for, as after its memory was cleared.
 * @throws NotProven when it contradicts what was asked
 */
export async function proveAnswer(
  userId: number,
  key: string,
  answer: OpenPacksResponse,
): Promise<boolean> {
  const { requests } = await readMemory(userId)
  const asked = requests.find((one) => one.key === key)
  if (asked === undefined) return false
  const { proof, results } = answer
  const table = (await keptTable(asked.tableHash)) ?? (await fetchedTable(asked.tableHash))
  // The screen shows a win by a word of its own, which has to say the same.
  const isPlain = results.every(({ won, prizeId }) => won === (prizeId !== null))
  const fault = proof
    ? faultOfOpening(asked, { ...proof, results }, table, portableHashing)
    : 'seed'
  const told = {
    proof,
    results: results.map(({ prizeId, redCoinEarned }) => [prizeId, redCoinEarned] as const),
  }
  const reason = fault ?? (isPlain ? undefined : 'result')
  if (reason) {
    await noteRequest(userId, key, { outcome: 'alarmed', told })
    await raiseOpeningAlarm(userId, reason, key, { asked, told: answer, table })
    throw new NotProven()
  }
  const { chainId, index, serverSeed, nextCommitment: commitment } = proof
  await changeMemory(userId, (memory) => ({
    ...memory,
    requests: memory.requests.map((one) =>
      one.key === key ? { ...one, outcome: 'proven', told } : one,
    ),
    chain: { chainId, index: index + 1, commitment, seenAt: Date.now() },
  }))
  await learnSeeds(userId, [{ chainId, index, serverSeed }])
  return true
}

/** A table that was not on screen: its hash tells whether it is the right one. */
async function fetchedTable(hash: string): Promise<string> {
  const table = await call(fairnessContract.table, { params: { hash } }).catch(() => undefined)
  const text = table ? tableText(table) : ''
  if (tableHash(text, portableHashing) === hash) await keepTable(hash, text)
  return text
}

/** Refusals that cannot depend on the draw: no packs left, a quantity out of range. */
const harmless: ReadonlySet<string> = new Set(['insufficient_packs', 'invalid_input'])

/** Remembers that a request came to nothing, and how. */
export async function noteFailure(userId: number, key: string, error: unknown): Promise<void> {
  if (error instanceof NotProven) return
  const code = error instanceof ApiError ? (error.code ?? '') : ''
  await changeMemory(userId, ({ requests, chain, ...memory }) => {
    const failed = requests.find((one) => one.key === key)
    // Another tab has opened, or is about to: one that opens later excuses nothing.
    const isOvertaken = requests.some(
      (one) => failed && one !== failed && isAt(one, failed) && /sent|proven/.test(one.outcome),
    )
    const moved: Outcome = isOvertaken ? 'overtaken' : 'moved'
    const outcome =
      code === 'commitment_moved' ? moved : harmless.has(code) ? 'harmless' : 'refused'
    return {
      ...memory,
      requests: requests.map((one) => (one === failed ? { ...one, outcome } : one)),
      // What was held before is stale then: the next opening looks anew.
      chain: chain && { ...chain, seenAt: Math.min(chain.seenAt, Date.now() - freshMs) },
    }
  })
}
