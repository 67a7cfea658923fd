// Shipments over HTTP: what winners say of theirs, and what staff read to send them.

import { adminShipmentsContract as staff, shipmentsContract as winner } from '@redpack/contract'
import { command, withAnswer } from '../../adapters/http/command.ts'
import { sendFile, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { noteOfFile } from './change-claims.ts'
import { moveOwnShipment } from './change-shipments.ts'
import { ownShipment, shipmentsFile, shipmentsPage } from './shipment-views.ts'

export function registerShipments(context: FeatureContext): void {
  const { app, deps, guards, recordAction } = context
  const { db, clock, encryption, random } = deps
  const ends = [
    [winner.received, 'delivered'],
    [winner.decline, 'declined'],
  ] as const
  for (const [endpoint, state] of ends) {
    command(context, endpoint, {
      order: ({ params }) => params.claimId,
      run: async (tx, by, claimId) => {
        const moved = await moveOwnShipment(tx, by, claimId, state)
        return withAnswer(moved, await ownShipment(tx, moved.answer))
      },
    })
  }
  serve(app, guards, staff.list, ({ query, actor }) =>
    shipmentsPage(db, query, { actorId: actor.userId, now: clock.now() }),
  )
  serve(app, guards, staff.file, async ({ query: { state, columns }, actor, request, reply }) => {
    const by = { actorId: actor.userId, requestId: request.id, batchId: random.uuidInOrder() }
    const note = (claimIds: readonly string[]) =>
      recordAction(db, { ...noteOfFile({ shipments: state, claimIds }), ...by, now: clock.now() })
    const name = `shipments-${state.replace('_', '-')}`
    const lines = shipmentsFile(db, { state, columns, note }, encryption.open)
    return sendFile(reply, name, 'csv', lines)
  })
}
