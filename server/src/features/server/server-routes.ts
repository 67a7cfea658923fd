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
import { countRequests, figureReader } from '../../adapters/http/metrics.ts'
import { openApiDocument } from '../../adapters/http/openapi.ts'
import { statusOf } from '../../adapters/http/problem-answers.ts'
import { watchProcess } from '../../adapters/http/server-health.ts'
import { sessionCookieName } from '../../adapters/http/sessions-cookie.ts'
import type { Siblings } from '../../adapters/processes/sibling-processes.ts'
import type {
  BooksFigures,
  ConnectionFigures,
  LimiterFigures,
  PoolFigures,
} from '../../rules/server-figures.ts'
import { databaseFigures, jobList, readOnlyAsker, serverState } from './server-views.ts'

/** The figures that come from elsewhere in the application. */
export interface OtherSources {
  limiter(): LimiterFigures
  connections(): ConnectionFigures
  books(): Promise<BooksFigures>
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
  const { signer, witnesses } = deps.publicLog
  const publicKey = signer && Buffer.from(signer.publicKey).toString('hex')
  const expected = { jobNames: others.jobNames, log: { publicKey, witnesses } }
  const here = () => ({
    process: counted.figures(),
    pool: poolFigures(deps),
    events: deps.events.figures(),
    limiter: others.limiter(),
    connections: others.connections(),
  })
  const database = () => databaseFigures(deps.db, expected, deps.clock.now())
  const read = figureReader({ here, database, books: () => others.books() }, deps.clock)
  siblings?.onFiguresAsked(async () => metrics.json(await read()))
  registerHealth(context)
  serve(app, guards, systemContract.metrics, async ({ reply }) =>
    reply.type(metrics.contentType).send(await metrics.text(await read())),
  )
  serve(app, guards, adminServerContract.state, async () => serverState(await read()))
  serve(app, guards, adminJobsContract.list, () => jobList(deps.db, deps.clock.now()))
}

function poolFigures({ db }: Deps): PoolFigures | undefined {
  const state = db.pool?.()
  return state && { busy: state.total - state.idle, idle: state.idle, waiting: state.waiting }
}

const apiVersion = '1.0.0'
const readyMillisMax = 2_000

export function registerHealth({ app, deps, guards }: FeatureContext): void {
  serve(app, guards, systemContract.live, async () => ({ status: 'ok' as const }))
  const ask = readOnlyAsker(deps.db)
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
