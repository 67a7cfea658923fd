// Builds the application from its world: every feature registered by name. It never listens.

import type { FastifyInstance } from 'fastify'
import type { RouteGuards } from './adapters/http/endpoint-routes.ts'
import { createHttpServer } from './adapters/http/server.ts'
import type { World } from './adapters/world.ts'

/** What every feature gets to register its ways in. */
export interface FeatureContext {
  readonly app: FastifyInstance
  readonly world: World
  readonly guards: RouteGuards
}

/** The whole product behind HTTP, ready to listen or to be called by injection. */
export async function buildApp(world: World): Promise<FastifyInstance> {
  const app = await createHttpServer(world)
  return app
}
