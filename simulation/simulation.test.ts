// The net under everything: fixed seeds live through clean, one seed tells one story, and what was
// typed wrong is said in a sentence.

import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { withTemporaryDatabase } from '../server/src/adapters/db/open.ts'
import { everyday } from '../server/test/everyday.ts'
import { hasPostgres } from '../server/test/test-database.ts'
import { testPostgresUrl } from '../server/test/test-services.ts'

const cwd = fileURLToPath(new URL('..', import.meta.url))

/** Runs it in a process of its own, since it rules the time of the one it runs in. */
async function simulate(words: string): Promise<{ status: number | null; said: string }> {
  const script = ['--import', 'tsx', 'simulation/main.ts', ...words.split(' ')]
  const child = spawn(process.execPath, script, { cwd })
  const said = Promise.all([child.stdout, child.stderr].map(text))
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, said: (await said).join('') }
}

const several = `--seed 1 --seeds ${everyday(3, 30)} --days 0.6 --viewers 6 --faults harsh`
/** Runs that failed once because the product was wrong, as they were made small. */
const failedOnce = everyday([], ['--seed 12 --days 3 --viewers 20 --faults harsh'])

describe('a simulated community', { timeout: 1_200_000 }, () => {
  it.each([several, ...failedOnce])('lives through, and nothing is lost: %s', async (words) => {
    const { status, said } = await simulate(words)
    expect([status, said]).toEqual([0, expect.stringMatching(/\b0 +disagreements$/m)])
  })

  it('tells the same story twice, byte for byte', async () => {
    const words = `--seed 5 --days ${everyday(0.15, 0.3)} --viewers 8 --faults harsh --story`
    const withoutFigures = ({ said }: { said: string }) =>
      said.split('\n').filter((line) => !/calls( in|,)|seconds of processor/.test(line))
    const [first, second] = await Promise.all([simulate(words), simulate(words)])
    expect(withoutFigures(first)).toEqual(withoutFigures(second))
    expect(first.said).toMatch(/\b0 +disagreements$/m)
    expect(first.said).toMatch(/story [\da-f]{64}/)
  })

  it.runIf(everyday(false, true) && hasPostgres)(
    'loses nothing on PostgreSQL, where its two processes are killed',
    async () => {
      const { status, said } = await withTemporaryDatabase(testPostgresUrl, 'redpack_test', (url) =>
        simulate(`--database ${url} --minutes 1`),
      )
      expect([status, said]).toEqual([0, expect.stringContaining('0 lost, 0 disagreements')])
    },
  )

  const sides = [
    ['forgets', /^side: the model forgets.*: found(.*\n)+?.*answers and holds.*model is wrong/m],
    ['another', /^side: an answer says.*: found(.*\n)+?.*The product contradicts itself/m],
  ] as const
  it.each(everyday([], [...sides]))('says which side is wrong: %s', async (word, told) => {
    const { status, said } = await simulate(`--planted ${word}`)
    expect([status, said]).toEqual([0, expect.stringMatching(told)])
  })

  it.each([
    ['--seed seven', '--seed must be a number up to 1000000000000, not "seven"'],
    ['--faults some', '--faults must be one of none, usual, harsh'],
    ['--database nowhere', '--database must be the address of a database'],
    ['--nights 3', "Unknown option '--nights'"],
    ['--planted nothing', '--planted: no fault has "nothing" in its name'],
  ])('answers what was typed wrong with a sentence: %s', async (words, sentence) => {
    const { status, said } = await simulate(words)
    expect([status, said]).toEqual([2, expect.stringContaining(sentence)])
  })
})
