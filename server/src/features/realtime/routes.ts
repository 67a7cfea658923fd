// The realtime channel of open pages.

import { realtimePath } from '@redpack/contract'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import type { PageHub } from '../../adapters/http/page-hub.ts'
import { servePages } from '../../adapters/http/page-sockets.ts'

export async function registerRealtime(context: FeatureContext, pages: PageHub): Promise<void> {
  await servePages(context, realtimePath, pages)
}
