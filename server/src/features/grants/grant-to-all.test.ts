// A grant to a great many is told once, and everybody has it with their next request.

import { expect, it } from 'vitest'
import { useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })

it('is told as one change of everybody instead of two for each', async () => {
  const boss = await t.person('boss', { role: 'admin' })
  const ana = await t.person('ana', { coins: 100 })
  await t.rows(
    `INSERT INTO users (twitch_id, username, display_name)
     SELECT 'many' || n, 'many' || n, 'Many ' || n FROM generate_series(1, 300) n`,
  )
  const balance = async () => (await ana.read('/api/auth/me')).redCoinBalance
  expect(await balance()).toBe(100)
  const heard: unknown[] = []
  const stop = t.deps.events.subscribe((event) => heard.push(event))
  const order = { allUsers: true, amount: 5, description: 'Anniversary' }
  const answer = await boss.send('POST', '/api/admin/distribute-redcoin', order)
  stop()
  expect(answer.json().processedCount).toBeGreaterThan(300)
  expect(heard).toEqual([{ type: 'everybody_changed' }, { type: 'leaderboard_changed' }])
  expect(await balance()).toBe(105)
})
