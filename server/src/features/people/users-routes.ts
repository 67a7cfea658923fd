// Users and the notes on them over HTTP, for staff.

import { adminPeopleContract, adminUsersContract as contract } from '@redpack/contract'
import { command, withAnswer } from '../../adapters/http/command.ts'
import { serveConditional, VersionedAnswer } from '../../adapters/http/conditional-get.ts'
import { csvType, SerializedAnswer, sendFile, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { productCookies } from '../../adapters/http/sessions-cookie.ts'
import { blockEarning } from './block-earning.ts'
import { changeRole, type RenewSession } from './change-role.ts'
import { noteById, notesOf } from './note-views.ts'
import { adminPerson } from './person-views.ts'
import { powersOf } from './role-views.ts'
import {
  adminUser,
  allUsersJson,
  userPrizes,
  usersFile,
  usersPageJson,
  usersVersion,
} from './users-views.ts'
import { addNote, removeNote } from './write-notes.ts'

const noteRemoved = { success: true, message: 'Note removed' } as const

export function registerAdminUsers(context: FeatureContext, renewSession: RenewSession): void {
  const { app, deps, guards } = context
  const { db, config } = deps
  const { session: cookie } = productCookies(config)
  serveConditional(
    context,
    contract.list,
    {
      sameFor: 'everyone',
      // One page costs less than looking at everybody.
      version: async ({ query }) => (query.isPaged ? undefined : usersVersion(db)),
    },
    async ({ query }) => {
      if (query.isPaged) return new SerializedAnswer(await usersPageJson(db, query))
      const { json, version } = await allUsersJson(db)
      return new VersionedAnswer(json, version)
    },
  )
  serve(app, guards, contract.file, async ({ query, actor, request, reply }) => {
    request.log.info({ event: 'file_downloaded', what: 'users', actorId: actor.userId })
    return sendFile(reply, { type: csvType, fileName: 'users.csv' }, usersFile(db, query))
  })
  serveConditional(context, contract.prizes, { sameFor: 'everyone' }, ({ params }) =>
    userPrizes(db, params.id),
  )
  serve(app, guards, contract.powers, async ({ actor }) => powersOf(actor.role, config.strictRoles))
  command(context, contract.changeRole, {
    order: ({ actor, params, body, reply }) => {
      return { actor, userId: params.id, role: body.role, reply }
    },
    run: async (tx, by, { reply, ...change }) => {
      const done = await changeRole(tx, by, deps, change, renewSession)
      const { answer: renewed } = done
      const afterCommit = () => {
        if (renewed !== undefined) cookie.set(reply, renewed.token, renewed.maxAgeSeconds)
      }
      return { ...withAnswer(done, await adminUser(tx, change.userId)), afterCommit }
    },
  })
  serveConditional(context, adminPeopleContract.person, { sameFor: 'everyone' }, ({ params }) =>
    adminPerson(db, params.id),
  )
  command(context, adminPeopleContract.blockEarning, {
    order: ({ params, body }) => ({ userId: params.id, ...body }),
    run: async (tx, by, change) => {
      const done = await blockEarning(tx, by, deps.encryption, change)
      return withAnswer(done, await adminUser(tx, change.userId))
    },
  })
  serve(app, guards, adminPeopleContract.notes, ({ params }) => notesOf(db, params.id))
  command(context, adminPeopleContract.addNote, {
    order: ({ params, body }) => [params.id, body.body] as const,
    run: async (tx, by, [userId, body]) => {
      const added = await addNote(tx, by, userId, body)
      return withAnswer(added, await noteById(tx, added.answer))
    },
  })
  command(context, adminPeopleContract.removeNote, {
    order: ({ params }) => params.id,
    run: async (tx, by, id) => withAnswer(await removeNote(tx, by, id), noteRemoved),
  })
}
