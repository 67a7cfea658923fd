// People over HTTP: their own account, and users and the notes on them for staff.

import {
  adminPeopleContract,
  coinsContract,
  adminUsersContract as contract,
  noticesContract,
  privacyContract,
  standingContract,
  usersContract,
  walletProofContract,
} from '@redpack/contract'
import type { FastifyRequest } from 'fastify'
import { command, withAnswer, withSentence } from '../../adapters/http/command.ts'
import { serveConditional, VersionedAnswer } from '../../adapters/http/conditional-get.ts'
import { SerializedAnswer, sendFile, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { originFor } from '../../adapters/http/security-headers.ts'
import { productCookies } from '../../adapters/http/sessions-cookie.ts'
import {
  challengeWallet,
  changeVisibility,
  deleteAccount,
  proveWallet,
  readNotices,
  updateProfile,
} from './own-account.ts'
import { exportPieces } from './own-data-views.ts'
import { noticesOf, profileOf, walletStatus } from './own-views.ts'
import { adminPerson, noteById, notesOf, powersOf } from './person-views.ts'
import {
  answerSuspension,
  currentNameWords,
  endSuspension,
  restoreName,
  saveNameWords,
  showName,
  suspend,
} from './standing.ts'
import { addNote, blockEarning, changeRole, type RenewSession, removeNote } from './user-changes.ts'
import {
  adminUser,
  allUsersJson,
  userPrizes,
  usersFile,
  usersPageJson,
  usersVersion,
} from './users-views.ts'

export function registerOwnAccount({ app, deps, guards }: FeatureContext): void {
  const { session } = productCookies(deps.config)

  serve(app, guards, usersContract.profile, ({ actor }) => profileOf(deps.db, actor.userId))
  serve(app, guards, usersContract.updateProfile, async ({ actor, body }) => {
    await updateProfile(deps, actor.userId, body)
    return profileOf(deps.db, actor.userId)
  })
  serve(app, guards, usersContract.updateWallet, async ({ actor, body }) => {
    // An address carries no checksum, so any text of the right form is taken; a proof is apart.
    await updateProfile(deps, actor.userId, { solanaWallet: body.walletAddress })
    return profileOf(deps.db, actor.userId)
  })

  serve(app, guards, coinsContract.changeVisibility, async ({ actor, body }) => {
    await changeVisibility(deps, actor.userId, body.isHidden)
    return { isHidden: body.isHidden }
  })

  const ownerOf = (userId: number, request: FastifyRequest) => ({
    userId,
    sessionToken: session.read(request) ?? '',
  })
  serve(app, guards, walletProofContract.status, ({ actor }) => walletStatus(deps.db, actor.userId))
  serve(app, guards, walletProofContract.challenge, async ({ actor, body, request }) => {
    const owner = ownerOf(actor.userId, request)
    const origin = originFor(request, deps.config)
    const { walletAddress } = body
    const { message, expiresAt } = await challengeWallet(deps, owner, walletAddress, origin)
    return { message, expiresAt: expiresAt.toISOString() }
  })
  serve(app, guards, walletProofContract.prove, async ({ actor, body, request }) => {
    await proveWallet(deps, ownerOf(actor.userId, request), body)
    return walletStatus(deps.db, actor.userId)
  })

  serve(app, guards, noticesContract.list, ({ actor }) =>
    noticesOf(deps.db, actor.userId, deps.clock.now()),
  )
  serve(app, guards, noticesContract.read, async ({ actor, body }) => {
    const until = await readNotices(deps, actor.userId, new Date(body.readUntil))
    return { readUntil: until.toISOString() }
  })

  serve(app, guards, privacyContract.exportOwnData, async ({ actor, reply }) => {
    const { db, clock, encryption } = deps
    const pieces = exportPieces(db, actor.userId, clock.now(), encryption.open)
    return sendFile(reply, 'my-data', 'json', pieces)
  })
  serve(app, guards, privacyContract.deleteAccount, async ({ actor, body, request, reply }) => {
    await deleteAccount(deps, actor.userId, body.confirm, request.id)
    session.clear(reply)
    reply.header('clear-site-data', '"cache", "storage"')
    return { success: true, message: 'Your account was deleted' } as const
  })
}

/** Shown names and suspensions: what staff decide, and what a suspended person answers. */
export function registerStanding(context: FeatureContext): void {
  const { app, deps, guards } = context
  command(context, standingContract.showName, {
    order: ({ params, body }) => ({ userId: params.id, ...body }),
    run: async (tx, by, order) =>
      withAnswer(await showName(tx, by, order), await adminUser(tx, order.userId)),
  })
  command(context, standingContract.restoreName, {
    order: ({ params }) => params.id,
    run: async (tx, by, id) => withAnswer(await restoreName(tx, by, id), await adminUser(tx, id)),
  })
  command(context, standingContract.suspend, {
    order: ({ params, body }) => ({ userId: params.id, ...body }),
    run: async (tx, by, order) =>
      withAnswer(await suspend(tx, by, order), await adminUser(tx, order.userId)),
  })
  command(context, standingContract.endSuspension, {
    order: ({ params }) => params.id,
    run: async (tx, by, id) =>
      withAnswer(await endSuspension(tx, by, deps.encryption, id), await adminUser(tx, id)),
  })
  command(context, standingContract.answer, {
    order: ({ body }) => body.text,
    run: async (tx, by, text) =>
      withSentence(await answerSuspension(tx, by, text), 'Your answer was sent'),
  })
  serve(app, guards, standingContract.nameWords, () => currentNameWords(deps.db))
  command(context, standingContract.saveNameWords, {
    order: ({ body }) => body,
    run: saveNameWords,
  })
}

export function registerAdminUsers(context: FeatureContext, renewSession: RenewSession): void {
  const { app, deps, guards } = context
  const { db, config, clock } = deps
  const { session: cookie } = productCookies(config)
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
    const told = { event: 'file_downloaded', what: 'users', actorId: actor.userId }
    request.log.info(told, 'a file was downloaded')
    return sendFile(reply, 'users', 'csv', usersFile(db, query, clock.now()))
  })
  serveConditional(context, contract.prizes, { sameFor: 'everyone' }, ({ params }) =>
    userPrizes(db, params.id),
  )
  serve(app, guards, contract.powers, async ({ actor }) => powersOf(actor.role, config.strictRoles))
  command(context, contract.changeRole, {
    order: ({ actor, params, body, reply }) => {
      return { actor, userId: params.id, ...body, reply }
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
    run: async (tx, by, id) => withSentence(await removeNote(tx, by, id), 'Note removed'),
  })
}
