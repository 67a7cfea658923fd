// The whole product on a port, so that the product's clients meet the stand-ins over HTTP.

import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { createScheduler } from '../src/adapters/jobs/scheduler.ts'
import { createTestDeps, emptyDatabase, type TestDeps, useTestDeps } from './deps.ts'
import { jobsNamed } from './jobs.ts'
import { freePort } from './product-process.ts'
import { emptyTestDatabase } from './test-database.ts'

export interface ListeningServer {
  readonly t: TestDeps
  readonly origin: string
  /** Moves the clock and runs the jobs that are due then. */
  advance(seconds: number): Promise<void>
  /** A control call of the sandbox; a GET without a body. */
  control<Answer = Record<string, unknown>>(path: string, body?: unknown): Promise<Answer>
}

/** The dependencies of `useTestDeps`, whose product listens at `origin`. */
export async function useListeningDeps(
  environment: Record<string, string> = {},
): Promise<Pick<ListeningServer, 't' | 'origin'>> {
  const port = await freePort()
  const t = useTestDeps({ PORT: String(port), ...environment })
  beforeAll(async () => {
    await t.app.listen({ port, host: '127.0.0.1' })
  })
  return { t, origin: `http://127.0.0.1:${port}` }
}

/**
 * One listening product for a test file, emptied before each test. Read it inside tests. `jobs`
 * are those that `advance` runs, by the beginnings of their names; all of them where none is
 * named, which takes a hundred statements a minute.
 */
export function useListeningServer(
  environment: Record<string, string> = {},
  { jobs = [''] }: { jobs?: readonly string[] } = {},
): ListeningServer {
  const held: { t?: TestDeps; origin: string; runDueJobs: () => Promise<void> } = {
    origin: '',
    runDueJobs: async () => undefined,
  }
  beforeAll(async () => {
    const port = await freePort()
    const settings = { PORT: String(port), ...environment }
    const t = await createTestDeps(await emptyTestDatabase(), settings)
    await t.app.listen({ port, host: '127.0.0.1' })
    Object.assign(held, { t, origin: `http://127.0.0.1:${port}` })
  }, 60_000)
  beforeEach(async () => {
    if (held.t === undefined) return
    await emptyDatabase(held.t.db)
    // Its rows went with the others.
    const scheduler = createScheduler(held.t.deps, jobsNamed(...jobs))
    held.runDueJobs = () => scheduler.runDueJobs()
    await control('twitch/fail', { next: 0, status: 500 })
    // A minute without calls, so that no limit or rest is left over from the test before.
    held.t.clock.advance(61)
  })
  afterAll(() => held.t?.close())

  async function control<Answer = Record<string, unknown>>(
    path: string,
    body?: unknown,
  ): Promise<Answer> {
    const answer = await fetch(`${held.origin}/sandbox/control/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    expect(answer.status, text).toBe(200)
    return JSON.parse(text) as Answer
  }

  return {
    get t() {
      return held.t as TestDeps
    },
    get origin() {
      return held.origin
    },
    async advance(seconds) {
      held.t?.clock.advance(seconds)
      await held.runDueJobs()
    },
    control,
  }
}
