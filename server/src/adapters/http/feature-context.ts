// What every feature gets to register its calls.

import type { FastifyInstance } from 'fastify'
import type { RecordAction } from '../commands/run-command.ts'
import type { Deps } from '../deps.ts'
import type { ConditionalGet } from './conditional-get.ts'
import type { RouteGuards } from './endpoint-routes.ts'

export interface FeatureContext {
  readonly app: FastifyInstance
  readonly deps: Deps
  readonly guards: RouteGuards
  /** Appends to the log of staff actions; commands leave their entries with it. */
  readonly recordAction: RecordAction
  /** Kept answers of calls that are polled. */
  readonly changing: ConditionalGet
}
