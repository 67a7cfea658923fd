// The staff's page about the server: what was planted in the database stands in its line, in words.

import type { ServerLine, ServerState } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, useEmbeddedDeps } from '../../../test/deps.ts'
import { createScheduler } from '../../adapters/jobs/scheduler.ts'
import { productJobs } from '../../jobs.ts'

const t = useEmbeddedDeps({
  SEED_DEMO: 'off',
  TWITCH_API_URL: 'http://127.0.0.1:9',
  TWITCH_ID_URL: 'http://127.0.0.1:9',
})

let boss: Person

async function lines(): Promise<ReadonlyMap<string, ServerLine>> {
  const answer = await boss.get('/api/admin/server')
  expect(answer.statusCode).toBe(200)
  return new Map(answer.json<ServerState>().lines.map((line) => [line.id, line]))
}

/** The line about one thing, which is in this state: figures are kept for a second. */
async function lineIn(id: string, state: ServerLine['state']): Promise<ServerLine> {
  t.clock.advance(1)
  const line = (await lines()).get(id)
  expect(line?.state).toBe(state)
  return line!
}

const ago = (seconds: number) => new Date(t.clock.now().getTime() - seconds * 1000)

describe('the page about the server', () => {
  beforeEach(async () => {
    boss = await t.person('boss', { role: 'admin' })
    await createScheduler(t.deps, productJobs()).runDueJobs()
    await t.rows(
      "UPDATE jobs SET failures_in_row = 0, last_failure = NULL, next_run_at = 'infinity'",
    )
  })

  it('says of everything that it is fine, and names the process', async () => {
    await lineIn('jobs', 'fine')
    const state = await boss.read<ServerState>('/api/admin/server')
    expect(state.process).toEqual({
      name: expect.stringContaining(String(process.pid)),
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      startedAt: expect.any(String),
    })
    const ids = ['database', 'writing', 'books', 'jobs', 'log', 'outbox']
    expect(state.lines.map(({ id }) => id)).toEqual([...ids, 'events', 'pages', 'process'])
    for (const { id, state: is, action } of state.lines.filter((line) => line.id !== 'process')) {
      expect([id, is, action]).toEqual([id, 'fine', null])
    }
  })

  it('says that nothing can be written', async () => {
    await t.db.script('SET default_transaction_read_only = on')
    try {
      expect(await lineIn('writing', 'broken')).toMatchObject({
        figure: 'Read only',
        sentence: expect.stringContaining('disk'),
        action: 'Free up space on the disk of DATA_DIR. Saving then works again by itself.',
      })
    } finally {
      await t.db.script('SET default_transaction_read_only = off')
    }
  }, 10_000)

  it('says which jobs fail, and which do not run', async () => {
    await t.rows("UPDATE jobs SET failures_in_row = 1 WHERE name = 'streams-poll-live'")
    expect((await lineIn('jobs', 'look')).sentence).toBe(
      'streams-poll-live failed at the last run.',
    )
    await t.rows('UPDATE jobs SET failures_in_row = 5')
    const failing = await lineIn('jobs', 'broken')
    expect(failing.figure).toBe(`${productJobs().length} of ${productJobs().length} jobs failing`)
    expect(failing.sentence).toMatch(/^\S+, \S+, \S+ and \d+ more failed at the last run\.$/)
    await t.rows("UPDATE jobs SET failures_in_row = 0, next_run_at = 'infinity'")
    await lineIn('jobs', 'fine')
    await t.rows("UPDATE jobs SET next_run_at = $1 WHERE name = 'draw-log-append'", [ago(700)])
    const late = await lineIn('jobs', 'broken')
    expect(late.sentence).toBe('draw-log-append should have run 11 minutes ago.')
  })

  it('leaves out jobs of another version of the program', async () => {
    await t.rows(
      `INSERT INTO jobs (name, every_seconds, next_run_at, failures_in_row)
       VALUES ('of-another-version', 5, $1, 9)`,
      [ago(9_000)],
    )
    expect((await lineIn('jobs', 'fine')).figure).toBe(`${productJobs().length} jobs`)
  })

  it('says how long draws wait for the log, and what cannot enter it', async () => {
    await t.rows(
      `INSERT INTO log_queue (kind, ref, queued_at)
       VALUES ('stock', '1', clock_timestamp() - interval '3 minutes')`,
    )
    const late = await lineIn('log', 'look')
    expect([late.figure, late.sentence]).toEqual([
      '1 waiting',
      'Draws have waited for the log for 3 minutes.',
    ])
    await t.rows("UPDATE log_queue SET queued_at = clock_timestamp() - interval '11 minutes'")
    await lineIn('log', 'broken')
    await t.rows("UPDATE log_queue SET set_aside = 'damaged'")
    expect((await lineIn('log', 'look')).figure).toBe('1 set aside')
  })

  it('says why the log is not signed', async () => {
    await t.rows("UPDATE log_keys SET trouble = 'history_lost'")
    const line = await lineIn('log', 'broken')
    expect(line.sentence).toContain('it has fewer entries than were signed before')
    expect(line.action).toBe('An older dump was restored: restore the newest one.')
  })

  it('says which channel of the outbox does not move', async () => {
    await t.rows(
      `INSERT INTO outbox_messages (channel, place, kind, event, next_try_at, created_at)
       VALUES ('chat', '1', 'completion', 'completion-1', $1, $1),
         ('post', '1', 'reward_over', 'reward_over-1', $2, $1)`,
      [ago(1_300), ago(-60)],
    )
    const line = await lineIn('outbox', 'look')
    expect([line.figure, line.sentence]).toEqual([
      '1 waiting',
      'The oldest of the chat messages has waited for 21 minutes.',
    ])
  })
})
