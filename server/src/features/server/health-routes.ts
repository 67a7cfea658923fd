// What operators ask the process: does it live, can it serve, what does it understand.

import { allEndpoints, systemContract } from '@redpack/contract'
import { availableWithin, SerializedAnswer, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { openApiDocument } from '../../adapters/http/openapi.ts'
import { statusOf } from '../../adapters/http/problem-answers.ts'
import { sessionCookieName } from '../../adapters/http/sessions-cookie.ts'
import { readOnlyReason } from './server-views.ts'

const apiVersion = '1.0.0'
const readyMillisMax = 2_000

export function registerHealth({ app, deps, guards }: FeatureContext): void {
  serve(app, guards, systemContract.live, async () => ({ status: 'ok' as const }))
  serve(app, guards, systemContract.ready, async () => {
    const asking = readOnlyReason(deps.db)
    const reason = await availableWithin(asking, readyMillisMax, 'The database does not answer')
    return { status: 'ok' as const, readOnly: reason !== undefined, reason: reason ?? null }
  })
  let document: SerializedAnswer<Record<string, unknown>> | undefined
  serve(app, guards, systemContract.openApi, async () => {
    document ??= SerializedAnswer.of(
      openApiDocument(allEndpoints, {
        title: deps.config.brandName,
        version: apiVersion,
        serverUrl: deps.config.publicUrl,
        sessionCookie: sessionCookieName(deps.config),
        statusOf,
      }),
    )
    return document
  })
}
