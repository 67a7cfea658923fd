// The log of staff actions over HTTP.

import { adminAuditContract as contract } from '@redpack/contract'
import { logDownload, sendFile, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { auditFile, auditPage } from './views.ts'

export function registerAudit({ app, deps, guards }: FeatureContext): void {
  serve(app, guards, contract.list, ({ query }) => auditPage(deps.db, query))
  serve(app, guards, contract.file, async ({ query, actor, request, reply }) => {
    logDownload(request, { what: 'audit', actorId: actor.userId })
    return sendFile(reply, 'staff-log', 'csv', auditFile(deps.db, query))
  })
}
