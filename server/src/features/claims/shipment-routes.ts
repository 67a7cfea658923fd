// Shipments over HTTP: what winners say of theirs, and what staff do to send them.

import { adminShipmentsContract as staff, shipmentsContract as winner } from '@redpack/contract'
import { command, withAnswer } from '../../adapters/http/command.ts'
import { sendFile, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { DomainError } from '../../shared/domain-error.ts'
import {
  addCourier,
  applyCourierFile,
  changeShipments,
  listCouriers,
  moveOwnShipment,
  previewCourierFile,
  readCourierFile,
  removeCourier,
  tokenOf,
} from './change-shipments.ts'
import { showCode } from './deliveries.ts'
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
  serve(app, guards, winner.code, ({ actor, params, reply }) => {
    reply.header('cache-control', 'no-store')
    return showCode(deps, actor.userId, params.claimId)
  })
  serve(app, guards, staff.list, ({ query, actor }) =>
    shipmentsPage(db, query, { actorId: actor.userId, now: clock.now() }),
  )
  command(context, staff.change, {
    order: ({ body }) => body,
    run: (tx, by, change) => changeShipments(tx, by, change, random.uuidInOrder()),
  })
  serve(app, guards, staff.file, async ({ query: { state, columns }, actor, request, reply }) => {
    const by = { actorId: actor.userId, requestId: request.id, batchId: random.uuidInOrder() }
    const note = (claimIds: readonly string[]) =>
      recordAction(db, {
        action: 'claim.read_file',
        targetType: 'claims',
        targetId: null,
        after: { shipments: state, claimIds },
        ...by,
        now: clock.now(),
      })
    const name = `shipments-${state.replace('_', '-')}`
    const lines = shipmentsFile(db, { state, columns, note }, encryption.open)
    return sendFile(reply, name, 'csv', lines)
  })
  serve(app, guards, staff.previewFile, ({ file }) => previewCourierFile(db, file))
  command(context, staff.applyFile, {
    order: ({ body, file }) => ({ file, token: body.token }),
    input: ({ file, token }) => [tokenOf(file), token],
    prepare: async ({ file, token }) => {
      if (token !== tokenOf(file)) {
        throw new DomainError('changed_meanwhile', 'This is another file than the one looked at')
      }
      return readCourierFile(file)
    },
    run: (tx, by, _order, rows) => applyCourierFile(tx, by, rows, random.uuidInOrder()),
  })
  serve(app, guards, staff.couriers, () => listCouriers(db))
  command(context, staff.addCourier, { order: ({ body }) => body, run: addCourier })
  command(context, staff.removeCourier, { order: ({ params }) => params.id, run: removeCourier })
}
