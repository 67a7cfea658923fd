// The notes by which every process hears of sessions that have ended, whoever ended them.

import { expect, it } from 'vitest'
import { useTestDeps } from '../../../test/deps.ts'
import { readEndedSessions } from './session-tables.ts'
import { clearExpired } from './validate-sign-ins.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })

const hashOf = async (id: number) =>
  await t.value<string>('SELECT token_hash AS h FROM sessions WHERE user_id = $1', [id])
const ended = async (since?: Date) => (await readEndedSessions(t.db, since))?.sessionHashes

it('name every session that ends, by whatever statement, and none that goes on', async () => {
  const [ana, bob, eve] = [await t.person('ana'), await t.person('bob'), await t.person('eve')]
  const [anas, bobs] = [await hashOf(ana.id), await hashOf(bob.id)]
  expect(await ended()).toEqual([])
  await ana.send('POST', '/api/auth/logout')
  expect(await ended()).toEqual([anas])
  await t.rows('DELETE FROM sessions WHERE user_id = $1', [bob.id])
  expect((await ended())?.toSorted()).toEqual([anas, bobs].toSorted())
  expect((await eve.get('/api/auth/me')).statusCode).toBe(200)
})

it('reach back some seconds, for what commits later than it looked at the clock', async () => {
  const since = (await readEndedSessions(t.db, undefined))!.asOf
  const note = (hash: string, secondsBefore: number) =>
    t.rows('INSERT INTO ended_sessions (token_hash, ended_at) VALUES ($1, $2)', [
      hash,
      new Date(since.getTime() - secondsBefore * 1000),
    ])
  await note('late', 10)
  await note('told long ago', 60)
  expect(await ended(since)).toEqual(['late'])
})

it('leave it to a look at every session when they cannot tell', async () => {
  const { asOf } = (await readEndedSessions(t.db, undefined))!
  expect(await readEndedSessions(t.db, new Date(asOf.getTime() - 3_600_000))).toBeUndefined()
  await t.rows(`INSERT INTO ended_sessions (token_hash)
    SELECT 'h' || n FROM generate_series(1, 5000) n`)
  expect(await readEndedSessions(t.db, asOf)).toBeUndefined()
})

it('are kept for an hour', async () => {
  await t.rows(`INSERT INTO ended_sessions (token_hash, ended_at)
    VALUES ('old', clock_timestamp() - interval '61 minutes'),
      ('new', clock_timestamp() - interval '59 minutes')`)
  await clearExpired(t.deps)
  expect(await t.rows('SELECT token_hash FROM ended_sessions')).toEqual([{ token_hash: 'new' }])
})
