// The net under everything: fixed seeds live through clean, one seed tells one story, and what was
// typed wrong is said in a sentence.

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { embeddedTestDatabase } from '../server/test/test-database.ts'
import { judge } from './checks.ts'
import { FaultyDatabase } from './faults.ts'
import { Model } from './model.ts'

const cwd = fileURLToPath(new URL('..', import.meta.url))

/** Runs it in a process of its own, since it rules the time of the one it runs in. */
async function simulate(words: string): Promise<{ status: number | null; said: string }> {
  const script = ['--import', 'tsx', 'simulation/main.ts', ...words.split(' ')]
  const child = spawn(process.execPath, script, { cwd })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (one) => chunks.push(one))
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, said: Buffer.concat(chunks).toString() }
}

describe('a simulated community', () => {
  // A seed that fails because the product is wrong gets a line here, as it was made small.
  it.each(['--seed 1 --seeds 30 --days 1 --viewers 6 --faults harsh'])(
    'loses nothing with %s',
    async (words) => {
      const { status, said } = await simulate(words)
      expect([status, said]).toEqual([0, expect.stringMatching(/\b0 +disagreements/)])
    },
    1_200_000,
  )

  it('tells the same story twice, byte for byte', async () => {
    const words = '--seed 5 --days 1 --viewers 8 --faults harsh --story'
    const withoutFigures = ({ said }: { said: string }) =>
      said.split('\n').filter((line) => !/calls( in|,)|seconds of processor/.test(line))
    const [first, second] = [await simulate(words), await simulate(words)]
    expect(withoutFigures(first)).toEqual(withoutFigures(second))
    expect(first.said).toMatch(/story [\da-f]{64}/)
  }, 600_000)

  it.each([
    ['--seed seven', '--seed must be a number up to 1000000000000, not "seven"'],
    ['--faults some', '--faults must be one of none, usual, harsh'],
    ['--database nowhere', '--database must be the address of a database'],
    ['--nights 3', "Unknown option '--nights'"],
  ])('answers what was typed wrong with a sentence: %s', async (words, sentence) => {
    const { status, said } = await simulate(words)
    expect([status, said]).toEqual([2, expect.stringContaining(sentence)])
  })
})

describe('the parts', () => {
  it('say who is wrong: the product by its own books, or else perhaps the model', async () => {
    const [db, model] = [await embeddedTestDatabase(), new Model()]
    const verdict = () => judge(db, model, '5e'.repeat(32))
    expect(await verdict()).toMatch(/^The answer stands alone/)
    model.coins.add(1, 7)
    expect(await verdict()).toMatch(/^The model is wrong.*has 0 as coins of 1, the model 7/)
    await db.script(`INSERT INTO users (username, display_name, red_coin_balance, created_at,
      updated_at) VALUES ('ana', 'Ana', 7, now(), now())`)
    expect(await verdict()).toMatch(/^The product is wrong: the books do not hold: I1 /)
    await db.close()
  })

  it('take the model back to what was settled', () => {
    const { coins, settle, takeBack } = new Model()
    coins.add(1, 5)
    settle()
    coins.add(1, 7)
    takeBack()
    expect(coins.of('1')).toBe(5)
  })

  it('let a process die at a statement, and be dead from then on', async () => {
    const database = new FaultyDatabase({ run: async () => [] } as never)
    database.begin({ kind: 'crash before', step: 2 })
    const db = database.asDatabase()
    await db.run({ name: 'one', text: '' }, [])
    await expect(db.run({ name: 'two', text: '' }, [])).rejects.toThrow('terminating')
    await expect(db.run({ name: 'three', text: '' }, [])).rejects.toThrow('terminating')
    expect(database.isDead).toBe(true)
  })
})
