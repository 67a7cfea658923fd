// What every feature gets to register its ways in.

import type { FastifyInstance } from 'fastify'
import type { World } from '../world.ts'
import type { ChangingAnswers } from './changing-answers.ts'
import type { RouteGuards } from './endpoint-routes.ts'

export interface FeatureContext {
  readonly app: FastifyInstance
  readonly world: World
  readonly guards: RouteGuards
  /** Kept answers of calls that are polled. */
  readonly changing: ChangingAnswers
}
