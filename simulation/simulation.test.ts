// The net under everything: fixed seeds live through clean, one seed tells one story, and what was
// typed wrong is said in a sentence.

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
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

/** Runs that failed once because the product was wrong, as they were made small. */
const failedOnce: readonly string[] = []

describe('a simulated community', () => {
  it('lives through thirty seeds with harsh faults, and nothing is lost', async () => {
    const few = '--seed 1 --seeds 30 --days 0.6 --viewers 6 --faults harsh'
    const { status, said } = await simulate(few)
    expect([status, said.trim().split('\n').at(-1)]).toEqual([0, '30 seeds, 0 disagreements'])
  }, 1_200_000)

  it('tells the same story twice, byte for byte', async () => {
    const words = '--seed 5 --days 0.6 --viewers 8 --faults harsh --story'
    const withoutFigures = ({ said }: { said: string }) =>
      said.split('\n').filter((line) => !/calls( in|,)|seconds of processor/.test(line))
    const [first, second] = [await simulate(words), await simulate(words)]
    expect(withoutFigures(first)).toEqual(withoutFigures(second))
    expect(first.said).toMatch(/story [\da-f]{64}/)
  }, 1_200_000)

  it('lives through what failed once', async () => {
    for (const words of failedOnce) {
      const { status, said } = await simulate(words)
      expect([words, status, said]).toEqual([words, 0, expect.stringContaining('0  disagreements')])
    }
  }, 1_200_000)

  it('says which side is wrong: the product against itself, or the model', async () => {
    const { status, said } = await simulate('--planted side:')
    expect(status).toBe(0)
    expect(said).toMatch(/^side: an answer says.*: found(.*\n)+?.*The product contradicts itself/m)
    expect(said).toMatch(
      /^side: the model forgets.*: found(.*\n)+?.*answers and holds.*model is wrong/m,
    )
  }, 1_200_000)

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
