// Proving a wallet over HTTP.

import { walletProofContract } from '@redpack/contract'
import type { FastifyRequest } from 'fastify'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { originFor } from '../../adapters/http/hosts.ts'
import { productCookies } from '../../adapters/http/sessions-cookie.ts'
import { challengeWallet, proveWallet } from './prove-wallet.ts'
import { walletStatus } from './wallet-views.ts'

export function registerWalletProof({ app, deps, guards }: FeatureContext): void {
  const { session } = productCookies(deps.config)
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
}
