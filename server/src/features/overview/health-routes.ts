// What operators ask the process: does it live, can it serve, how is it, what does it understand.

import { allEndpoints, systemContract } from '@redpack/contract'
import { ReadyAnswer, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { countRequests } from '../../adapters/http/metrics.ts'
import { openApiDocument } from '../../adapters/http/openapi.ts'
import { statusOf } from '../../adapters/http/problem-answers.ts'
import { sessionCookieName } from '../../adapters/http/sessions-cookie.ts'
import { Unavailable } from '../../rules/refusal.ts'
import { pingDatabase } from './views.ts'

const apiVersion = '1.0.0'
const readyMillisMax = 2_000
const ok = { status: 'ok' } as const

export function registerHealth({ app, world, guards }: FeatureContext): void {
  const metrics = countRequests(app, world.db)
  serve(app, guards, systemContract.live, async () => ok)
  serve(app, guards, systemContract.ready, async () => {
    await withinMillis(pingDatabase(world.db), readyMillisMax)
    return ok
  })
  serve(app, guards, systemContract.metrics, async ({ reply }) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  )
  let document: ReadyAnswer<Record<string, unknown>> | undefined
  serve(app, guards, systemContract.openApi, async () => {
    document ??= ReadyAnswer.of(
      openApiDocument(allEndpoints, {
        title: world.config.brandName,
        version: apiVersion,
        serverUrl: world.config.publicUrl,
        sessionCookie: sessionCookieName(world.config),
        statusOf,
      }),
    )
    return document
  })
}

/** @throws Unavailable when the work fails or takes longer */
async function withinMillis(work: Promise<unknown>, millisMax: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${millisMax} ms`)), millisMax)
  })
  try {
    await Promise.race([work, late])
  } catch (cause) {
    throw new Unavailable('The database does not answer', { cause })
  } finally {
    clearTimeout(timer)
  }
}
