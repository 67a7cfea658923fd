// A page is the same whichever end it is read from.

import { expect, it } from 'vitest'
import { useTestDeps } from '../../../test/deps.ts'
import { statement } from './database.ts'
import { pageFromCloserEnd } from './word-search.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const total = 7
const numbers = (name: string, order: string) =>
  statement(
    name,
    `SELECT n AS id FROM generate_series(1, ${total}) n ORDER BY n ${order} LIMIT $1 OFFSET $2`,
  )
const up = numbers('test_numbers_up', 'ASC')
const down = numbers('test_numbers_down', 'DESC')

it('answers every part in order, up to past the end', async () => {
  const all = [1, 2, 3, 4, 5, 6, 7]
  for (const [ways, inOrder] of [
    [[up, down], all],
    [[down, up], all.toReversed()],
  ] as const) {
    for (let offset = 0; offset <= total + 2; offset += 1) {
      for (const limit of [1, 3, total]) {
        const ids = await pageFromCloserEnd(t.deps.db, ways, { offset, limit, total })
        expect(ids, `${limit} from ${offset}`).toEqual(inOrder.slice(offset, offset + limit))
      }
    }
  }
})

it('never goes past more than half of them', async () => {
  const passed: number[] = []
  const run = async <Row>(_statement: unknown, values: unknown): Promise<Row[]> => {
    passed.push((values as number[])[1] ?? Number.NaN)
    return []
  }
  const allow = async () => undefined
  for (let offset = 0; offset < total; offset += 1) {
    await pageFromCloserEnd({ run, allow }, [up, down], { offset, limit: 1, total })
  }
  expect(passed).toEqual([0, 1, 2, 3, 2, 1, 0])
})
