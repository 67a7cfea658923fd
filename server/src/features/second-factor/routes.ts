// The second factor of the local account over HTTP.

import { secondFactorContract as contract } from '@redpack/contract'
import type { FastifyRequest } from 'fastify'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import type { Limiters } from '../../adapters/http/limiter.ts'
import type { OneTimeCodes } from '../../adapters/one-time-codes/one-time-codes.ts'
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
import { secondFactorStatus } from './views.ts'

export function registerSecondFactor(
  { app, world, guards }: FeatureContext,
  limiters: Limiters,
  codes: OneTimeCodes,
): void {
  const wrongCodes = limiters.counter('wrong-code', wrongCodesMax, wrongCodesWindowSeconds)
  const keeper = ({ userId, sessionHash }: Actor, request: FastifyRequest) => ({
    userId,
    sessionHash,
    requestId: request.id,
    wrongCodes,
    codes,
  })
  serve(app, guards, contract.status, ({ actor }) => secondFactorStatus(world.db, actor.userId))
  serve(app, guards, contract.enrol, ({ actor }) =>
    enrolSecondFactor(world, { userId: actor.userId, codes }),
  )
  serve(app, guards, contract.confirm, async ({ actor, body, request }) => ({
    success: true as const,
    message: 'The second factor is switched on',
    recoveryCodes: [...(await confirmSecondFactor(world, keeper(actor, request), body.code))],
  }))
  serve(app, guards, contract.confirmSession, async ({ actor, body, request }) => {
    const until = await confirmSession(world, keeper(actor, request), body.code)
    const message = 'Confirmed for 5 minutes'
    return { success: true as const, message, confirmedUntil: until.toISOString() }
  })
  serve(app, guards, contract.renewCodes, async ({ actor, body, request }) => ({
    success: true as const,
    message: 'These recovery codes replace the old ones',
    recoveryCodes: [...(await renewRecoveryCodes(world, keeper(actor, request), body.code))],
  }))
  serve(app, guards, contract.turnOff, async ({ actor, body, request }) => {
    await turnOffSecondFactor(world, keeper(actor, request), body.code)
    return { success: true as const, message: 'The second factor is switched off' }
  })
}
