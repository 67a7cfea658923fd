// The realtime channel of open pages.

import { realtimePath } from '@redpack/contract'
import type { ConnectionHub } from '../../adapters/http/connection-hub.ts'
import { serveConnections } from '../../adapters/http/connection-sockets.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'

export async function registerRealtime(
  context: FeatureContext,
  connections: ConnectionHub,
): Promise<void> {
  await serveConnections(context, realtimePath, connections)
}
