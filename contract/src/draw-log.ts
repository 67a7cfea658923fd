// The public log of all draws, and how the draws compare with the published odds.

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const ObservedPrize = z.object({
  prizeId: z.int(),
  name: z.string(),
  /** Mean of the exact published chances over the draws, 0 to 1. */
  publishedChance: z.number(),
  /** Packs drawn while the prize stood in the odds table. */
  draws: z.int(),
  observedWins: z.int(),
  /** Draws that landed on the prize while it was sold out. */
  soldOutDraws: z.int(),
  /** The range that fits the draws, with 99 % certainty for all prizes at all times. */
  low: z.number(),
  high: z.number(),
  /** The alarm: at most 1 in 100 fair installations ever shows it for any prize. */
  isOutside: z.boolean(),
})
export type ObservedPrize = z.infer<typeof ObservedPrize>

export const ObservedResponse = z.object({
  packTypes: z.array(
    z.object({
      packTypeId: z.int(),
      name: z.string(),
      draws: z.int(),
      prizes: z.array(ObservedPrize),
    }),
  ),
})
export type ObservedResponse = z.infer<typeof ObservedResponse>

const logFile = {
  response: 'text',
  domainErrors: ['not_found'],
  rate: 'public-log',
} as const

export const drawLogContract = {
  checkpoint: endpoint('public', 'GET', '/log/checkpoint', {
    ...logFile,
    summary: 'Returns the signed size and root of the public log (C2SP tlog-checkpoint).',
  }),
  key: endpoint('public', 'GET', '/log/key', {
    ...logFile,
    summary: 'Returns the key that signs the public log, as name+id+key (C2SP signed-note).',
  }),
  tile: endpoint('public', 'GET', '/log/tile/{level}/{part1}', {
    ...logFile,
    aliases: ['/{part2}', '/{part2}/{part3}', '/{part2}/{part3}/{part4}'].map(
      (more) => ({ method: 'GET', path: `/log/tile/{level}/{part1}${more}` }) as const,
    ),
    summary: "Returns up to 256 hashes or entries of the public log's tree (C2SP tlog-tiles).",
    params: z.object({
      /** A level of the tree, or `entries`. */
      level: z.string(),
      /** The tile's number in groups of three digits, and a width after `.p/`. */
      part1: z.string(),
      part2: z.optional(z.string()),
      part3: z.optional(z.string()),
      part4: z.optional(z.string()),
    }),
  }),
  observed: endpoint('public', 'GET', '/api/fairness/observed', {
    summary: 'Compares the published chance of each prize in each pack type with the logged draws.',
    response: ObservedResponse,
  }),
}
