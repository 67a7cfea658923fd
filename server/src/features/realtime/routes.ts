// The realtime channel of open pages.

import { realtimePath } from '@redpack/contract'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { servePages } from '../../adapters/http/page-sockets.ts'

export async function registerRealtime(context: FeatureContext): Promise<void> {
  await servePages(context, realtimePath)
}
