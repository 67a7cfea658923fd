// The offline verifier as people run it: on proofs of real draws, and on proofs that were touched.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpeningProof } from '@redpack/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { embeddedTestDatabase } from '../server/test/test-database.ts'
import { createTestWorld } from '../server/test/world.ts'
import { repositoryRoot } from './tidy/repository-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'redpack-proofs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Proofs of one request: wins of both prizes, a sold-out prize, and packs without a prize. */
let proofs: OpeningProof[] = []
/** One more, of a seed pair that is not revealed. */
let secret: OpeningProof

beforeAll(async () => {
  const t = await createTestWorld(await embeddedTestDatabase())
  const gold = await t.packType('Gold')
  const share = { packTypeIds: [gold], winFrequency: 1, totalPacks: 3 }
  await t.prize('Größe "L" Cap', { ...share, stock: 2 })
  await t.prize('Coins', { ...share, redCoinAmount: 40 })
  const full = await t.packType('Full')
  for (const name of ['One', 'Two', 'Three']) {
    await t.prize(name, { packTypeIds: [full], winFrequency: 2, totalPacks: 3 })
  }
  const ana = await t.person('ana', { packs: { [gold]: 21, [full]: 5 } })
  t.dice.load([Buffer.alloc(32, 3)])
  await ana.send('POST', '/api/packs/open', { packTypeId: gold, quantity: 20 })
  await ana.send('POST', '/api/packs/open', { packTypeId: full, quantity: 5 })
  await ana.send('POST', '/api/fairness/rotate', {})
  await ana.send('POST', '/api/packs/open', { packTypeId: gold, quantity: 1 })
  const { openings } = (await ana.get('/api/fairness/openings?limit=100')).json()
  const proofOf = async ({ id }: { id: number }) =>
    (await ana.get(`/api/fairness/openings/${id}/proof`)).json<OpeningProof>()
  const all = await Promise.all(openings.map(proofOf))
  secret = all[0]!
  proofs = all.slice(1)
  await t.close()
}, 60_000)

let files = 0

/** Runs the tool on a file with this content. */
function run(content: unknown): Promise<{ code: number; lines: string[] }> {
  files += 1
  const file = join(folder, `proof-${files}.json`)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return runTool([file])
}

function runTool(values: string[]): Promise<{ code: number; lines: string[] }> {
  const tool = join(repositoryRoot, 'tools/verify-proof.mjs')
  return new Promise((resolve) => {
    // An empty environment and another working folder: the tool needs nothing of the repository.
    execFile(process.execPath, [tool, ...values], { cwd: folder, env: {} }, (error, stdout) => {
      resolve({ code: Number(error?.code ?? 0), lines: stdout.trim().split('\n') })
    })
  })
}

const find = (accepts: (opening: OpeningProof['opening']) => boolean) =>
  structuredClone(proofs.find(({ opening }) => accepts(opening))!)
const won = () => find(({ prizeId, redCoinEarned }) => prizeId !== null && redCoinEarned === 40)
const lost = () => find(({ prizeId, soldOut }) => prizeId === null && !soldOut)
const soldOut = () => find((opening) => opening.soldOut)

describe('a real proof', () => {
  it.each([
    ['a win', won, '"Coins"'],
    ['a pack without a prize', lost, 'no prize'],
    ['a sold-out prize', soldOut, '"Größe "L" Cap", which was sold out'],
    ['a table whose chances are scaled', () => proofs[0]!, '"'],
  ])('of %s is verified step by step', async (_what, proof, outcome) => {
    const { code, lines } = await run(proof())
    expect(lines.map((line) => line.slice(0, 8))).toEqual([
      ...Array(5).fill('ok      '),
      'The draw',
    ])
    expect(lines[4]).toContain(`The roll gives the outcome: ${outcome}`)
    expect(lines[5]).toBe('The draw is what its seeds and its odds table say.')
    expect(code).toBe(0)
  })

  it('of every other draw is verified too', async () => {
    expect(proofs).toHaveLength(25)
    for (const proof of proofs) expect((await run(proof)).code).toBe(0)
  }, 60_000)

  it('is not verified while its server seed is secret', async () => {
    const { code, lines } = await run(secret)
    expect(code).toBe(1)
    expect(lines.at(-2)).toMatch(/^FAILED {2}The server seed .* rotate your seeds/)
  })
})

type Change = (proof: OpeningProof) => unknown
const table = 'FAILED  The odds table'
const commitment = 'FAILED  The server seed'
const outcome = 'FAILED  The roll gives the outcome'
const form = 'FAILED  The file is a proof'

const changes: readonly [string, Change, string][] = [
  ['a better chance', (p) => (p.table.entries[0]!.winFrequency = 2), table],
  ['another amount', (p) => (p.table.entries[1]!.redCoinAmount = 50), table],
  ['a prize less', (p) => p.table.entries.pop(), table],
  ['another pack type', (p) => (p.opening.packTypeId += 1), table],
  ['another table hash', (p) => (p.opening.tableHash = '0'.repeat(64)), table],
  ['another server seed', (p) => (p.opening.serverSeed = '1'.repeat(64)), commitment],
  ['another commitment', (p) => (p.opening.serverSeedHash = '1'.repeat(64)), commitment],
  ['another prize', (p) => (p.opening.prizeId = p.table.entries[0]!.prizeId), outcome],
  ['no prize', (p) => (p.opening.prizeId = null), outcome],
  ['more RedCoin', (p) => (p.opening.redCoinEarned += 1), outcome],
  ['a prize both won and sold out', (p) => (p.opening.soldOut = true), outcome],
  ['another version', (p) => Object.assign(p, { version: 2 }), form],
  ['a client seed with a colon', (p) => (p.opening.clientSeed = 'a:1'), form],
  ['a broken nonce', (p) => (p.opening.nonce = 1.5), form],
  ['no table', (p) => Reflect.deleteProperty(p, 'table'), form],
]

describe('a proof that somebody has touched', () => {
  it.each(changes)('to show %s is refused', async (_what, change, step) => {
    const proof = won()
    change(proof)
    const { code, lines } = await run(proof)
    expect(lines.at(-2)!.startsWith(step)).toBe(true)
    expect(lines.at(-1)).toBe('The draw could not be verified.')
    expect(code).toBe(1)
  })

  it('to hide a win as a sold-out prize it did not hit is refused', async () => {
    const proof = lost()
    proof.opening.soldOut = true
    expect((await run(proof)).code).toBe(1)
  })

  it('by another nonce or client seed is refused for some draw', async () => {
    for (const change of [
      (opening: OpeningProof['opening']) => ({ ...opening, nonce: opening.nonce + 1 }),
      (opening: OpeningProof['opening']) => ({ ...opening, clientSeed: `${opening.clientSeed}x` }),
    ]) {
      const codes = await Promise.all(
        proofs.slice(5, 17).map(async (proof) => {
          const { code } = await run({ ...proof, opening: change(proof.opening) })
          return code
        }),
      )
      expect(codes).toContain(1)
    }
  }, 60_000)
})

describe('a file that is no proof', () => {
  it.each(['', '{', 'null', '[]', '"proof"', '{"version":1}'])('%j is refused', async (content) => {
    const { code, lines } = await run(content)
    expect([code, lines[0]!.startsWith(form)]).toEqual([1, true])
  })

  it('is refused when it is missing, and the use is explained without one', async () => {
    expect((await runTool([join(folder, 'none.json')])).code).toBe(1)
    expect(await runTool([])).toEqual({
      code: 1,
      lines: ['Usage: node tools/verify-proof.mjs FILE'],
    })
  })
})
