// The local account over HTTP: signing in with a password, and its second factor.

import { authContract, secondFactorContract as contract } from '@redpack/contract'
import type { FastifyRequest } from 'fastify'
import { addressKey } from '../../adapters/http/caller-address.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import type { Limiters } from '../../adapters/http/limiter.ts'
import { productCookies } from '../../adapters/http/sessions-cookie.ts'
import type { Actor } from '../../rules/roles.ts'
import { invariant } from '../../shared/domain-error.ts'
import {
  confirmSecondFactor,
  confirmSession,
  endOtherPairs,
  enrolSecondFactor,
  failuresPerAddressMax,
  failuresPerNameMax,
  failureWindowSeconds,
  localAccount,
  renewRecoveryCodes,
  signInCodesMax,
  signInLocally,
  turnOffSecondFactor,
  wrongCodesMax,
  wrongCodesWindowSeconds,
} from './local-account.ts'
import { readSessionUser, secondFactorStatus } from './views.ts'

export function registerLocalSignIn(
  { app, deps, guards }: FeatureContext,
  limiters: Limiters,
): void {
  const { session } = productCookies(deps.config)
  const account = localAccount(deps, deps.passwords, deps.oneTimeCodes)
  // Who knew an earlier password is not let in by it any more.
  app.addHook('onReady', () => endOtherPairs(deps, account))
  const failures = {
    byName: limiters.counter('local-name', failuresPerNameMax, failureWindowSeconds),
    byAddress: limiters.counter('local-address', failuresPerAddressMax, failureWindowSeconds),
    byCode: limiters.counter('local-code', signInCodesMax, failureWindowSeconds),
  }

  serve(app, guards, authContract.local, async ({ body, request, reply }) => {
    const opened = await signInLocally(deps, account, failures, {
      ...body,
      address: addressKey(request.ip),
      sessionToken: session.read(request),
    })
    const user = await readSessionUser(deps.db, opened.userId)
    invariant(user !== undefined, 'the user who signed in exists')
    session.set(reply, opened.token, opened.maxAgeSeconds)
    return { success: true, message: 'Local admin login successful', user } as const
  })
}

export function registerSecondFactor(
  { app, deps, guards }: FeatureContext,
  limiters: Limiters,
): void {
  const codes = deps.oneTimeCodes
  const wrongCodes = limiters.counter('wrong-code', wrongCodesMax, wrongCodesWindowSeconds)
  const keeper = ({ userId, sessionHash }: Actor, request: FastifyRequest) => ({
    userId,
    sessionHash,
    requestId: request.id,
    wrongCodes,
    codes,
  })
  serve(app, guards, contract.status, ({ actor }) => secondFactorStatus(deps.db, actor.userId))
  serve(app, guards, contract.enrol, ({ actor }) =>
    enrolSecondFactor(deps, { userId: actor.userId, codes }),
  )
  serve(app, guards, contract.confirm, async ({ actor, body, request }) => ({
    success: true as const,
    message: 'The second factor is switched on',
    recoveryCodes: [...(await confirmSecondFactor(deps, keeper(actor, request), body.code))],
  }))
  serve(app, guards, contract.confirmSession, async ({ actor, body, request }) => {
    const until = await confirmSession(deps, keeper(actor, request), body.code)
    const message = 'Confirmed for 5 minutes'
    return { success: true as const, message, confirmedUntil: until.toISOString() }
  })
  serve(app, guards, contract.renewCodes, async ({ actor, body, request }) => ({
    success: true as const,
    message: 'These recovery codes replace the old ones',
    recoveryCodes: [...(await renewRecoveryCodes(deps, keeper(actor, request), body.code))],
  }))
  serve(app, guards, contract.turnOff, async ({ actor, body, request }) => {
    await turnOffSecondFactor(deps, keeper(actor, request), body.code)
    return { success: true as const, message: 'The second factor is switched off' }
  })
}
