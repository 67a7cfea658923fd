// People over HTTP: what is read of them, by themselves and by staff.

import {
  adminPeopleContract,
  adminUsersContract as contract,
  noticesContract,
  privacyContract,
} from '@redpack/contract'
import { serveConditional, VersionedAnswer } from '../../adapters/http/conditional-get.ts'
import {
  logDownload,
  SerializedAnswer,
  sendFile,
  serve,
} from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { exportPieces } from './own-data-views.ts'
import { noticesOf } from './own-views.ts'
import { adminPerson, notesOf, powersOf } from './person-views.ts'
import { allUsersJson, userPrizes, usersFile, usersPageJson, usersVersion } from './users-views.ts'

export function registerPeople(context: FeatureContext): void {
  const { app, deps, guards } = context
  const { db, config, clock, encryption } = deps
  serve(app, guards, noticesContract.list, ({ actor }) => noticesOf(db, actor.userId, clock.now()))
  serve(app, guards, privacyContract.exportOwnData, async ({ actor, reply }) => {
    const pieces = exportPieces(db, actor.userId, clock.now(), encryption.open)
    return sendFile(reply, 'my-data', 'json', pieces)
  })
  serveConditional(
    context,
    contract.list,
    {
      sameFor: 'everyone',
      // One page costs less than looking at everybody.
      version: async ({ query }) => (query.isPaged ? undefined : usersVersion(db)),
      // A suspension ends without a change of anything.
      moment: () => clock.now().toISOString().slice(0, 16),
    },
    async ({ query }) => {
      if (query.isPaged) return new SerializedAnswer(await usersPageJson(db, query, clock.now()))
      const { json, version } = await allUsersJson(db, clock.now())
      return new VersionedAnswer(json, version)
    },
  )
  serve(app, guards, contract.file, async ({ query, actor, request, reply }) => {
    logDownload(request, { what: 'users', actorId: actor.userId })
    return sendFile(reply, 'users', 'csv', usersFile(db, query, clock.now()))
  })
  serveConditional(context, contract.prizes, { sameFor: 'everyone' }, ({ params }) =>
    userPrizes(db, params.id),
  )
  serve(app, guards, contract.powers, async ({ actor }) => powersOf(actor.role, config.strictRoles))
  serveConditional(context, adminPeopleContract.person, { sameFor: 'everyone' }, ({ params }) =>
    adminPerson(db, params.id),
  )
  serve(app, guards, adminPeopleContract.notes, ({ params }) => notesOf(db, params.id))
}
