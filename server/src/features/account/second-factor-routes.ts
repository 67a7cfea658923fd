// The second factor of the local account over HTTP.

import { secondFactorContract as contract } from '@redpack/contract'
import type { FastifyRequest } from 'fastify'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import type { Limiters } from '../../adapters/http/limiter.ts'
import type { Actor } from '../../rules/roles.ts'
import {
  confirmSecondFactor,
  confirmSession,
  enrolSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
  wrongCodesMax,
  wrongCodesWindowSeconds,
} from './change-second-factor.ts'
import { secondFactorStatus } from './second-factor-views.ts'

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
