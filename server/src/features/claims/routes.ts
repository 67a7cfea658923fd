// Prize claims over HTTP: the caller's own, and all of them for staff.

import { claimsContract, adminClaimsContract as contract } from '@redpack/contract'
import { command } from '../../adapters/http/command.ts'
import { serveConditional } from '../../adapters/http/conditional-get.ts'
import {
  logDownload,
  SerializedAnswer,
  sendFile,
  serve,
} from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { existing } from '../../shared/domain-error.ts'
import { adminClaim, allClaimsJson, claimsFile, claimsPage } from './admin-views.ts'
import { noClaim, noteOfFile, noteOfReading, updateClaim } from './change-claims.ts'
import { claimReading, ownClaimsPage } from './claim-views.ts'

export function registerClaims({ app, deps, guards }: FeatureContext): void {
  serve(app, guards, claimsContract.list, ({ actor, query }) =>
    ownClaimsPage(deps.db, actor.userId, query),
  )
}

export function registerAdminClaims(context: FeatureContext): void {
  const { app, deps, guards } = context
  const { db, encryption } = deps
  // For each member of staff and day anew, so that every one of them is noted.
  const moment = () => deps.clock.now().toISOString().slice(0, 'YYYY-MM-DD'.length)
  serveConditional(context, contract.list, { sameFor: 'caller', moment }, async (call) => {
    const { query, actor, request } = call
    if (!query.isPaged || query.contact === 'with') {
      const by = { actorId: actor.userId, requestId: request.id, now: deps.clock.now() }
      const note = await noteOfReading(db, by, 'list')
      if (note) await context.recordAction(db, { ...note, ...by })
    }
    return query.isPaged
      ? claimsPage(db, query, encryption.open)
      : new SerializedAnswer(await allClaimsJson(db, encryption.open))
  })
  serve(app, guards, contract.file, async ({ query, actor, request, reply }) => {
    const { contact, search, status } = query
    const by = { actorId: actor.userId, requestId: request.id, now: deps.clock.now() }
    logDownload(request, { what: 'claims', contact, actorId: by.actorId })
    if (contact === 'with') {
      await context.recordAction(db, { ...noteOfFile({ search, status }), ...by })
    }
    return sendFile(reply, 'prize-claims', 'csv', claimsFile(db, query, encryption.open))
  })
  command(context, contract.read, {
    order: ({ params, query }) => [params.id, query.for] as const,
    run: async (tx, by, [claim, purpose]) => {
      const { id, reading } = existing(await claimReading(tx, encryption.open, claim), noClaim)
      if (reading.contactInfo === null) return { answer: reading }
      const audit =
        purpose === 'label'
          ? noteOfFile({ shipments: purpose, claimIds: [reading.claimId] })
          : await noteOfReading(tx, by, id)
      return { answer: reading, audit }
    },
  })
  command(context, contract.update, {
    order: ({ params, body }) => [params.id, body] as const,
    run: async (tx, by, [id, change]) => {
      const { audit, ...updated } = await updateClaim(tx, by, encryption, id, change)
      const claim = await adminClaim(tx, updated.answer, encryption.open)
      const isRead = change.contactInfo === undefined && claim.contactInfo !== null
      const note = isRead ? await noteOfReading(tx, by, claim.id) : undefined
      return { ...updated, answer: claim, audit: [audit ?? [], note ?? []].flat() }
    },
  })
}
