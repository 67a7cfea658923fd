// Users over HTTP, for staff.

import { adminPeopleContract, adminUsersContract as contract } from '@redpack/contract'
import { PrintedAnswer, serveChanging } from '../../adapters/http/changing-answers.ts'
import { ReadyAnswer, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { productCookies } from '../../adapters/http/sessions-cookie.ts'
import { staffMember } from '../../adapters/http/staff-call.ts'
import { csvType, sendFile } from '../../adapters/http/streamed-answer.ts'
import { blockEarning } from './admin-block-earning.ts'
import { changeRole, type RenewSession } from './admin-change-role.ts'
import { adminPerson } from './admin-person-views.ts'
import {
  adminUser,
  allUsersJson,
  userPrizes,
  usersFile,
  usersPageJson,
  usersPrint,
} from './admin-views.ts'
import { powersOf } from './power-views.ts'

export function registerAdminUsers(context: FeatureContext, renewSession: RenewSession): void {
  const { app, world, guards } = context
  const { db, config } = world
  const { session: cookie } = productCookies(config)
  serveChanging(
    context,
    contract.list,
    {
      sameFor: 'everyone',
      // One page costs less than looking at everybody.
      print: async ({ query }) => (query.isPaged ? undefined : usersPrint(db)),
    },
    async ({ query }) => {
      if (query.isPaged) return new ReadyAnswer(await usersPageJson(db, query))
      const { json, print } = await allUsersJson(db)
      return new PrintedAnswer(json, print)
    },
  )
  serve(app, guards, contract.file, async ({ query, actor, request, reply }) => {
    request.log.info({ event: 'file_downloaded', what: 'users', actorId: actor.userId })
    return sendFile(reply, { type: csvType, fileName: 'users.csv' }, usersFile(db, query))
  })
  serveChanging(context, contract.prizes, { sameFor: 'everyone' }, ({ params }) =>
    userPrizes(db, params.id),
  )
  serve(app, guards, contract.powers, async ({ actor }) => powersOf(actor.role, config.strictRoles))
  serve(app, guards, contract.changeRole, async ({ actor, params, body, request, reply }) => {
    const change = { actor, requestId: request.id, userId: params.id, role: body.role }
    const renewed = await changeRole(world, change, renewSession)
    if (renewed !== undefined) cookie.set(reply, renewed.token, renewed.maxAgeSeconds)
    return adminUser(db, params.id)
  })
  serveChanging(context, adminPeopleContract.person, { sameFor: 'everyone' }, ({ params }) =>
    adminPerson(db, params.id),
  )
  serve(app, guards, adminPeopleContract.blockEarning, async (call) => {
    const { params, body } = call
    const change = { ...staffMember(call), userId: params.id }
    await blockEarning(world, change, body.isBlocked, body.reason)
    return adminUser(db, params.id)
  })
}
