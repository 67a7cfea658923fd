// What staff see of the server and its jobs, the metrics, and what else operators ask the process.

import {
  adminJobsContract,
  adminServerContract,
  allEndpoints,
  systemContract,
} from '@redpack/contract'
import type { Deps } from '../../adapters/deps.ts'
import { availableWithin, SerializedAnswer, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { countRequests, type FigureSources, figureReader } from '../../adapters/http/metrics.ts'
import { openApiDocument } from '../../adapters/http/openapi.ts'
import { statusOf } from '../../adapters/http/problem-answers.ts'
import { watchProcess } from '../../adapters/http/server-health.ts'
import { sessionCookieName } from '../../adapters/http/sessions-cookie.ts'
import type { Siblings } from '../../adapters/processes/sibling-processes.ts'
import { sharedRuns } from '../../shared/turns.ts'
import {
  databaseFigures,
  type Expected,
  jobList,
  readOnlyReason,
  serverState,
} from './server-views.ts'

/** The figures that come from elsewhere in the application. */
export interface OtherSources extends Pick<FigureSources, 'limiter' | 'connections' | 'books'> {
  readonly jobNames: readonly string[]
  /** The other processes on this port, where there are some. */
  readonly siblings: Siblings | undefined
}

/** To be registered before what is to be counted. */
export function registerServer(context: FeatureContext, others: OtherSources): void {
  const { app, deps, guards } = context
  const { siblings } = others
  const counted = watchProcess(siblings?.place)
  app.addHook('onClose', async () => counted.stop())
  const metrics = countRequests(app, deps.config.dataDir, siblings)
  const read = figureReader(sourcesOf(deps, counted.figures, others), deps.clock)
  siblings?.onFiguresAsked(async () => metrics.json(await read()))
  registerHealth(context)
  serve(app, guards, systemContract.metrics, async ({ reply }) =>
    reply.type(metrics.contentType).send(await metrics.text(await read())),
  )
  serve(app, guards, adminServerContract.state, async () => serverState(await read()))
  serve(app, guards, adminJobsContract.list, () => jobList(deps.db, deps.clock.now()))
}

function sourcesOf(
  { db, clock, events, publicLog }: Deps,
  process: FigureSources['process'],
  { jobNames, limiter, connections, books }: OtherSources,
): FigureSources {
  const { signer, witnesses } = publicLog
  const publicKey = signer && Buffer.from(signer.publicKey).toString('hex')
  const expected: Expected = { jobNames, log: { publicKey, witnesses } }
  return {
    limiter,
    connections,
    books,
    process,
    pool() {
      const state = db.pool?.()
      return state && { busy: state.total - state.idle, idle: state.idle, waiting: state.waiting }
    },
    events: () => events.figures(),
    database: () => databaseFigures(db, expected, clock.now()),
  }
}

const apiVersion = '1.0.0'
const readyMillisMax = 2_000

export function registerHealth({ app, deps, guards }: FeatureContext): void {
  serve(app, guards, systemContract.live, async () => ({ status: 'ok' as const }))
  // Anybody may ask: those who ask at the same time ask together.
  const ask = sharedRuns(() => readOnlyReason(deps.db))
  serve(app, guards, systemContract.ready, async () => {
    const reason = await availableWithin(ask(), readyMillisMax, 'The database does not answer')
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
