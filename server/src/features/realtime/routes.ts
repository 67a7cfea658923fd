// The realtime channel of open pages.

import { realtimePath } from '@redpack/contract'
import { type ConnectionHub, serveConnections } from '../../adapters/http/connection-hub.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'

export async function registerRealtime(
  context: FeatureContext,
  connections: ConnectionHub,
): Promise<void> {
  await serveConnections(context, realtimePath, connections)
}
