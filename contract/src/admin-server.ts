// How the server is doing, as staff see it: the metrics in words.

import * as z from 'zod/mini'
import { Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'

/** Nothing to do; look at it today; look at it now. */
export const ServerLineState = z.enum(['fine', 'look', 'broken'])
export type ServerLineState = z.infer<typeof ServerLineState>

export const ServerLine = z.object({
  /** Names what the line is about. */
  id: z.string(),
  title: z.string(),
  state: ServerLineState,
  /** The figure in a few words. */
  figure: z.string(),
  /** What it means, as a whole sentence. */
  sentence: z.string(),
  /** What to do about it; null for nothing. */
  action: z.nullable(z.string()),
})
export type ServerLine = z.infer<typeof ServerLine>

export const ServerState = z.object({
  /** The server's time. */
  now: Timestamp,
  /** The process that answered; there may be others. */
  process: z.object({ name: z.string(), version: z.string(), startedAt: Timestamp }),
  lines: z.array(ServerLine),
})
export type ServerState = z.infer<typeof ServerState>

export const adminServerContract = {
  state: endpoint('staff', 'GET', '/api/admin/server', {
    summary: 'Reports how the server is doing: each figure, what it means and what to do.',
    response: ServerState,
  }),
}
