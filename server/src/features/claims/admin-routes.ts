// Prize claims over HTTP, for staff.

import { adminClaimsContract as contract } from '@redpack/contract'
import { serveChanging } from '../../adapters/http/changing-answers.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { staffMember } from '../../adapters/http/staff-call.ts'
import { csvType, sendFile } from '../../adapters/http/streamed-answer.ts'
import { deleteAllClaims, deleteClaim, restoreClaims, updateClaim } from './admin-change-claims.ts'
import { adminClaim, adminClaims, claimsFile } from './admin-views.ts'

const shown = new Intl.NumberFormat('en')

export function registerAdminClaims(context: FeatureContext): void {
  const { app, world, guards } = context
  const { db, encryption } = world
  serveChanging(context, contract.list, { sameFor: 'everyone' }, ({ query }) =>
    adminClaims(db, query, encryption.open),
  )
  serve(app, guards, contract.file, async ({ query, actor, request, reply }) => {
    const { contact } = query
    const actorId = actor.userId
    request.log.info({ event: 'file_downloaded', what: 'claims', contact, actorId })
    const file = { type: csvType, fileName: 'prize-claims.csv' }
    return sendFile(reply, file, claimsFile(db, query, encryption.open))
  })
  serve(app, guards, contract.update, async (call) => {
    const { params, body } = call
    const id = await updateClaim(world, staffMember(call), params.id, body)
    return adminClaim(db, id, encryption.open)
  })
  serve(app, guards, contract.remove, async (call) => {
    await deleteClaim(world, staffMember(call), call.params.id)
    return { success: true as const, message: 'Prize claim deleted' }
  })
  serve(app, guards, contract.removeAll, async (call) => {
    const { count, batchId } = await deleteAllClaims(world, staffMember(call))
    const message = `${shown.format(count)} prize claims deleted`
    return { success: true as const, message, deletedCount: count, batchId: batchId ?? null }
  })
  serve(app, guards, contract.restore, async (call) => {
    const restoredCount = await restoreClaims(world, staffMember(call), call.body)
    const message = `${shown.format(restoredCount)} prize claims restored`
    return { success: true as const, message, restoredCount }
  })
}
