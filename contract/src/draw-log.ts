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
  /** What the draws do not speak against, with 99 % certainty for all at all times. */
  low: z.number(),
  high: z.number(),
  /** The alarm: of 100 fair installations at most one ever shows it for any prize. */
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

/** Pieces of a tile's path: its number in groups of three digits, and a width after `.p/`. */
const TileParams = z.object({
  part1: z.string(),
  part2: z.optional(z.string()),
  part3: z.optional(z.string()),
  part4: z.optional(z.string()),
})
const LevelAndTileParams = z.extend(TileParams, { level: z.string() })
const aliasesOf = (path: `/${string}`) =>
  ['', '/{part3}', '/{part3}/{part4}'].map(
    (more) => ({ method: 'GET', path: `${path}/{part2}${more}` }) as const,
  )
const logFile = {
  method: 'GET',
  access: 'public',
  response: 'text',
  domainErrors: ['not_found'],
  rate: 'public-log',
} as const

export const drawLogContract = {
  checkpoint: endpoint({
    ...logFile,
    path: '/log/checkpoint',
    summary: 'Size and root of the public log, signed (C2SP tlog-checkpoint).',
  }),
  key: endpoint({
    ...logFile,
    path: '/log/key',
    summary: 'The key that signs the public log, as name+id+key (C2SP signed-note).',
  }),
  entries: endpoint({
    ...logFile,
    path: '/log/tile/entries/{part1}',
    aliases: aliasesOf('/log/tile/entries/{part1}'),
    summary: 'Up to 256 entries of the public log (C2SP tlog-tiles).',
    params: TileParams,
  }),
  tile: endpoint({
    ...logFile,
    path: '/log/tile/{level}/{part1}',
    aliases: aliasesOf('/log/tile/{level}/{part1}'),
    summary: 'Up to 256 hashes of the Merkle tree of the public log (C2SP tlog-tiles).',
    params: LevelAndTileParams,
  }),
  observed: endpoint({
    method: 'GET',
    path: '/api/fairness/observed',
    access: 'public',
    summary: 'Per pack type and prize the published chance and what the logged draws gave.',
    response: ObservedResponse,
  }),
}
