// What staff see of the economy before and after they change it: real chances, forecasts, a
// simulation, the state of the books and the flow of RedCoin.

import * as z from 'zod/mini'
import { BooksSummary } from './admin-overview.ts'
import { Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { nameMax } from './limits.ts'
import {
  blankableText,
  countNumber,
  flag,
  idNumber,
  listOf,
  redCoinNumber,
  requestObject,
  wholeNumber,
} from './values.ts'

/** One prize in a pack, with its real chance. */
export const EconomyEntry = z.object({
  /** Null for a prize that is not saved yet. */
  prizeId: z.nullable(z.int()),
  name: z.string(),
  winFrequency: z.int(),
  totalPacks: z.int(),
  /** Share as typed, `winFrequency / totalPacks`, at most 1. */
  share: z.number(),
  /** Real chance of the draw, 0 to 1, after scaling. */
  chance: z.number(),
  redCoinAmount: z.int(),
  /** Packs that come with the prize, null when none do. */
  packReward: z.nullable(z.object({ packTypeId: z.int(), quantity: z.int() })),
  /** Units left, null for unlimited. */
  stock: z.nullable(z.int()),
  /** True when the values are those of the form, not the saved ones. */
  isDraft: z.boolean(),
})

export const economyWarningCodes = [
  'shares_above_one',
  'pays_more_than_price',
  'never_ends',
  'no_prizes',
  'all_sold_out',
] as const

/** Something about a pack that staff should know; `message` is a whole sentence. */
export const EconomyWarning = z.object({
  code: z.enum(economyWarningCodes),
  message: z.string(),
})

export const PackEconomy = z.object({
  packTypeId: z.int(),
  packTypeName: z.string(),
  entries: z.array(EconomyEntry),
  /** Sum of the shares as typed; above 1 all chances are scaled down. */
  shareSum: z.number(),
  scaled: z.boolean(),
  noPrizeChance: z.number(),
  consolationRedCoin: z.int(),
  /** Average RedCoin per pack while nothing is sold out, the consolation included. */
  expectedRedCoin: z.number(),
  /**
   * The same plus the RedCoin of every pack that it gives, opened in turn; null when packs give
   * each other without end.
   */
  expectedRedCoinWithPacks: z.nullable(z.number()),
  /** Lowest price of an active listing; null when the store does not sell it. */
  storePrice: z.nullable(z.int()),
  warnings: z.array(EconomyWarning),
})
export type PackEconomy = z.infer<typeof PackEconomy>

const DraftPrize = requestObject({
  /** The saved prize that the form edits; null or absent for a new one. */
  prizeId: z.optional(z.nullable(idNumber('Invalid prize'))),
  name: z._default(blankableText({ label: 'Prize name', max: nameMax }), ''),
  winFrequency: countNumber('Win frequency must be at least 1', 1, 'Win frequency is too large'),
  totalPacks: countNumber('Total packs must be at least 1', 1, 'Total packs is too large'),
  redCoinAmount: z._default(redCoinNumber('RedCoin amount must be 0 or greater', 0), 0),
  packTypeId: z._default(z.nullable(idNumber('Invalid pack type')), null),
  packQuantity: z._default(countNumber('Pack quantity must be 0 or greater', 0), 0),
  inventoryQuantity: z._default(
    z.nullable(countNumber('Inventory quantity must be 0 or greater', 0)),
    null,
  ),
  packTypeIds: listOf(
    idNumber('Invalid pack type'),
    'Select at least one pack type',
    100,
    'Too many pack types',
  ),
  isActive: z._default(flag('Active must be true or false'), true),
})

const DraftPrice = requestObject({
  packTypeId: idNumber('Pack type is required'),
  redCoinPrice: redCoinNumber('Price must be at least 1', 1, 'Price is too large'),
})

/** Unsaved values of a form: a prize, a store price, or both. */
const drafts = {
  prize: z.optional(z.nullable(DraftPrize)),
  price: z.optional(z.nullable(DraftPrice)),
}

export const EconomyPreviewRequest = requestObject(drafts)
export type EconomyPreviewRequest = z.infer<typeof EconomyPreviewRequest>

/** Every pack type that the draft affects, before and after. */
export const EconomyPreview = z.object({
  packs: z.array(z.object({ before: PackEconomy, after: PackEconomy })),
})
export type EconomyPreview = z.infer<typeof EconomyPreview>

/** How long the stock of a limited prize lasts. */
export const StockForecast = z.object({
  prizeId: z.int(),
  name: z.string(),
  stock: z.int(),
  packTypes: z.array(z.object({ id: z.int(), name: z.string(), chance: z.number() })),
  /** Mean daily openings over the last 7 days of the packs that hold the prize. */
  openingsPerDay: z.number(),
  /** Wins of the last 7 days. */
  winsLastWeek: z.int(),
  /** Expected wins per day at that rate. */
  winsPerDay: z.number(),
  /** Average openings until the stock is gone; null when the prize is in no pack. */
  openingsLeft: z.nullable(z.int()),
  /** Null while nobody opens such packs. */
  daysLeft: z.nullable(z.number()),
  runsOutAt: z.nullable(Timestamp),
})
export type StockForecast = z.infer<typeof StockForecast>

export const simulationOpeningsMax = 100_000
export const simulationRange = `Openings must be between 1 and ${simulationOpeningsMax.toLocaleString('en')}`

export const SimulationRequest = requestObject({
  packTypeId: idNumber('Please select a pack type'),
  openings: z._default(
    wholeNumber({
      message: simulationRange,
      min: 1,
      max: simulationOpeningsMax,
    }),
    simulationOpeningsMax,
  ),
  ...drafts,
})
export type SimulationRequest = z.infer<typeof SimulationRequest>

export const SimulationResult = z.object({
  packTypeId: z.int(),
  packTypeName: z.string(),
  openings: z.int(),
  prizes: z.array(
    z.object({
      prizeId: z.nullable(z.int()),
      name: z.string(),
      chance: z.number(),
      expectedWins: z.number(),
      wins: z.int(),
      /** Packs that landed on the prize after it was sold out. */
      soldOut: z.int(),
      /** Share of packs that landed on it, and its 99 % range. */
      observed: z.number(),
      low: z.number(),
      high: z.number(),
      redCoinPaid: z.int(),
      /** Number of the opening that took the last unit; null when units are left. */
      soldOutAtOpening: z.nullable(z.int()),
    }),
  ),
  /** Packs without a prize, including those that found it sold out. */
  losingPacks: z.int(),
  consolationPaid: z.int(),
  /** All that the packs paid, including the consolation. */
  redCoinPaid: z.int(),
  /** Packs that came with prizes. */
  packsGiven: z.int(),
  storePrice: z.nullable(z.int()),
  /** What the packs would have cost in the store; null if it does not sell them. */
  redCoinSpent: z.nullable(z.int()),
  durationMillis: z.int(),
})
export type SimulationResult = z.infer<typeof SimulationResult>

export const flowDays = [30, 90] as const

export const FlowQuery = z.object({
  days: z._default(z.catch(z.pipe(z.enum(['30', '90']), z.transform(Number)), 30), 30),
})

const TypeSum = z.object({ type: z.string(), amount: z.int() })

const flow = {
  /** Amounts above 0 by ledger type. */
  sources: z.array(TypeSum),
  /** Amounts below 0 by ledger type, as positive numbers. */
  sinks: z.array(TypeSum),
  created: z.int(),
  removed: z.int(),
}

/** RedCoin created and spent per UTC day, from the ledger. */
export const EconomyFlow = z.object({
  /** For example `2026-11-21`; every day of the range, oldest first. */
  days: z.array(z.object({ day: z.string(), ...flow })),
  totals: z.object(flow),
  /** Sum of all balances now. */
  inCirculation: z.int(),
})
export type EconomyFlow = z.infer<typeof EconomyFlow>

/** The state of the books; drift and checkedAt are null before the first check. */
export const BooksState = z.extend(BooksSummary, {
  invariants: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      brokenRows: z.int(),
      checkedAt: z.nullable(Timestamp),
      /** Why it could not be checked; null when it could. */
      failure: z.nullable(z.string()),
    }),
  ),
})
export type BooksState = z.infer<typeof BooksState>

export const adminEconomyContract = {
  packs: endpoint('staff', 'GET', '/api/admin/economy/packs', {
    summary: 'Returns real chances, expected RedCoin and warnings for every pack type.',
    response: z.array(PackEconomy),
  }),
  preview: endpoint('staff', 'POST', '/api/admin/economy/preview', {
    changes: [],
    summary: 'Returns what unsaved values of a prize or a price would change.',
    body: EconomyPreviewRequest,
    response: EconomyPreview,
    domainErrors: ['not_found'],
    rate: 'read',
  }),
  stock: endpoint('staff', 'GET', '/api/admin/economy/stock', {
    summary: 'Forecasts how long the stock of each limited prize lasts, soonest first.',
    response: z.array(StockForecast),
  }),
  simulate: endpoint('staff', 'POST', '/api/admin/economy/simulations', {
    changes: [],
    summary: 'Simulates openings and counts what they would give; one run at a time.',
    body: SimulationRequest,
    response: SimulationResult,
    domainErrors: ['not_found', 'wrong_state', 'service_unavailable'],
  }),
  flow: endpoint('staff', 'GET', '/api/admin/economy/flow', {
    summary: 'Returns RedCoin sources and sinks per day, for the last 30 or 90 days.',
    query: FlowQuery,
    response: EconomyFlow,
  }),
  books: endpoint('staff', 'GET', '/api/admin/economy/books', {
    summary: 'Returns whether the books agree, as the last background check found.',
    response: BooksState,
  }),
}
