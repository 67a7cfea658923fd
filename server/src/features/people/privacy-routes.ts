// The own data and the own account over HTTP.

import { privacyContract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { productCookies } from '../../adapters/http/sessions-cookie.ts'
import { sendFile } from '../../adapters/http/streamed-answer.ts'
import { deleteAccount } from './delete-account.ts'
import { exportPieces } from './own-data-views.ts'

const jsonFile = { type: 'application/json; charset=utf-8', fileName: 'my-data.json' }

export function registerPrivacy({ app, deps, guards }: FeatureContext): void {
  const { session } = productCookies(deps.config)

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
