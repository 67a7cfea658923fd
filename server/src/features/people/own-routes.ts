// What people do with their own account over HTTP: profile, wallet, notices, data.

import {
  noticesContract,
  privacyContract,
  usersContract,
  walletProofContract,
} from '@redpack/contract'
import type { FastifyRequest } from 'fastify'
import { sendFile, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { originFor } from '../../adapters/http/security-headers.ts'
import { productCookies } from '../../adapters/http/sessions-cookie.ts'
import { deleteAccount } from './delete-account.ts'
import { noticesOf } from './notice-views.ts'
import { exportPieces } from './own-data-views.ts'
import { profileOf } from './profile-views.ts'
import { challengeWallet, proveWallet } from './prove-wallet.ts'
import { readNotices } from './read-notices.ts'
import { updateProfile } from './update-profile.ts'
import { updateWallet } from './update-wallet.ts'
import { walletStatus } from './wallet-views.ts'

const jsonFile = { type: 'application/json; charset=utf-8', fileName: 'my-data.json' }

export function registerOwnAccount({ app, deps, guards }: FeatureContext): void {
  const { session } = productCookies(deps.config)

  serve(app, guards, usersContract.profile, ({ actor }) => profileOf(deps.db, actor.userId))
  serve(app, guards, usersContract.updateProfile, async ({ actor, body }) => {
    await updateProfile(deps, actor.userId, body)
    return profileOf(deps.db, actor.userId)
  })
  serve(app, guards, usersContract.updateWallet, async ({ actor, body }) => {
    await updateWallet(deps, actor.userId, body.walletAddress)
    return profileOf(deps.db, actor.userId)
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
    return sendFile(reply, jsonFile, exportPieces(db, actor.userId, clock.now(), encryption.open))
  })
  serve(app, guards, privacyContract.deleteAccount, async ({ actor, body, request, reply }) => {
    await deleteAccount(deps, actor.userId, body.confirm, request.id)
    session.clear(reply)
    reply.header('clear-site-data', '"cache", "storage"')
    return { success: true, message: 'Your account was deleted' } as const
  })
}
