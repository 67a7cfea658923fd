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
  /**
   * The mean chances that wins and sold-out draws do not speak against. With 99 % certainty all
   * ranges of all prizes are right at all times together, however often they are looked at.
   */
  low: z.number(),
  high: z.number(),
  /**
   * The alarm: true when the published chance lies outside the range or a draw gave what its table
   * rules out. Of 100 installations whose draws are fair at most one ever shows it for any prize.
   */
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

export const drawLogContract = {
  checkpoint: endpoint({
    method: 'GET',
    path: '/log/checkpoint',
    access: 'public',
    summary: 'Size and root of the public log, signed (C2SP tlog-checkpoint).',
    response: 'text',
    domainErrors: ['not_found'],
    rate: 'public-log',
  }),
  key: endpoint({
    method: 'GET',
    path: '/log/key',
    access: 'public',
    summary: 'The key that signs the public log, as name+id+key (C2SP signed-note).',
    response: 'text',
    domainErrors: ['not_found'],
    rate: 'public-log',
  }),
  entries: endpoint({
    method: 'GET',
    path: '/log/tile/entries/{part1}',
    aliases: [
      { method: 'GET', path: '/log/tile/entries/{part1}/{part2}' },
      { method: 'GET', path: '/log/tile/entries/{part1}/{part2}/{part3}' },
      { method: 'GET', path: '/log/tile/entries/{part1}/{part2}/{part3}/{part4}' },
    ],
    access: 'public',
    summary: 'Up to 256 entries of the public log (C2SP tlog-tiles).',
    params: TileParams,
    response: 'text',
    domainErrors: ['not_found'],
    rate: 'public-log',
  }),
  tile: endpoint({
    method: 'GET',
    path: '/log/tile/{level}/{part1}',
    aliases: [
      { method: 'GET', path: '/log/tile/{level}/{part1}/{part2}' },
      { method: 'GET', path: '/log/tile/{level}/{part1}/{part2}/{part3}' },
      { method: 'GET', path: '/log/tile/{level}/{part1}/{part2}/{part3}/{part4}' },
    ],
    access: 'public',
    summary: 'Up to 256 hashes of the Merkle tree of the public log (C2SP tlog-tiles).',
    params: LevelAndTileParams,
    response: 'text',
    domainErrors: ['not_found'],
    rate: 'public-log',
  }),
  observed: endpoint({
    method: 'GET',
    path: '/api/fairness/observed',
    access: 'public',
    summary: 'Per pack type and prize the published chance and what the logged draws gave.',
    response: ObservedResponse,
  }),
}
