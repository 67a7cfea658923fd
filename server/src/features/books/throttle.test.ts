// How a check reads: nothing that it has read stays locked for longer than about a second.

import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { usePostgresDeps } from '../../../test/deps.ts'
import { hasPostgres } from '../../../test/test-database.ts'
import { statement } from '../../adapters/db/database.ts'
import { readingBooks } from './throttle.ts'

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  const t = usePostgresDeps(2)

  it('lets go of what was read a second ago, and keeps its settings', async () => {
    const users = statement('books_test_users', 'SELECT id FROM users')
    const settings = statement(
      'books_test_settings',
      `SELECT current_setting('work_mem') AS memory, current_setting('statement_timeout') AS time,
         current_setting('jit') AS jit`,
    )
    const locked = () =>
      t.rows(`SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE d.datname = current_database() AND l.relation = 'users'::regclass`)
    await readingBooks(t.db, async (reads) => {
      await reads.run(users, [])
      const before = await reads.run(settings, [])
      expect(before).toEqual([{ memory: '64MB', time: '1min', jit: 'off' }])
      expect(await locked()).toHaveLength(1)
      await setTimeout(1_100)
      expect(await reads.run(settings, [])).toEqual(before)
      expect(await locked()).toEqual([])
    })
  })
})
