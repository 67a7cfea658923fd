// The offline verifier as people run it: on proofs of real draws, and on proofs that were touched.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { OpeningProof } from '@redpack/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDeps } from '../server/test/deps.ts'
import { embeddedTestDatabase } from '../server/test/test-database.ts'
import { sampleKey, sampleLog } from '../web/test/log-samples.ts'
import { repositoryRoot } from './tidy/repository-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'redpack-proofs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Proofs of one request: wins of both prizes, a sold-out prize, and packs without a prize. */
let proofs: OpeningProof[] = []
/** One more, of a seed pair that is not revealed. */
let secret: OpeningProof

beforeAll(async () => {
  const t = await createTestDeps(await embeddedTestDatabase())
  const gold = await t.packType('Gold')
  const share = { packTypeIds: [gold], winFrequency: 1, totalPacks: 3 }
  await t.prize('Größe "L" Cap', { ...share, stock: 2 })
  await t.prize('Coins', { ...share, redCoinAmount: 40 })
  const full = await t.packType('Full')
  for (const name of ['One', 'Two', 'Three']) {
    await t.prize(name, { packTypeIds: [full], winFrequency: 2, totalPacks: 3 })
  }
  const ana = await t.person('ana', { packs: { [gold]: 21, [full]: 5 } })
  // Seeds of both sides are chosen, so that every run sees the same draws.
  t.dice.load([Buffer.alloc(32, 3)])
  await ana.send('PUT', '/api/fairness/client-seed', { clientSeed: 'lucky' })
  await ana.send('POST', '/api/packs/open', { packTypeId: gold, quantity: 20 })
  await ana.send('POST', '/api/packs/open', { packTypeId: full, quantity: 5 })
  await ana.send('POST', '/api/fairness/rotate', {})
  await ana.send('POST', '/api/packs/open', { packTypeId: gold, quantity: 1 })
  const { openings } = (await ana.get('/api/fairness/openings?limit=100')).json()
  const proofOf = async ({ id }: { id: number }) =>
    (await ana.get(`/api/fairness/openings/${id}/proof`)).json<OpeningProof>()
  const all = await Promise.all(openings.map(proofOf))
  secret = all[0]!
  proofs = withLog(all.slice(1))
  await t.close()
}, 60_000)

const key = sampleKey()
let logTexts: string[] = []

/** The proofs with their places in a log that tells them, oldest first. */
function withLog(drawn: readonly OpeningProof[]): OpeningProof[] {
  let caps = 2
  const stockOf = ({ opening, table }: OpeningProof) => {
    const isLimited = (id: number | null) =>
      table.entries.some((entry) => entry.prizeId === id && 'limited' in entry && entry.limited)
    if (opening.soldOut) return 0
    if (!isLimited(opening.prizeId)) return null
    caps -= 1
    return caps
  }
  logTexts = drawn.toReversed().map((proof) => {
    const { opening } = proof
    return JSON.stringify({
      type: 'opening',
      id: opening.id,
      at: `${opening.createdAt.slice(0, 16)}:00.000Z`,
      packTypeId: opening.packTypeId,
      tableHash: opening.tableHash,
      pairId: opening.seedPairId,
      nonce: opening.nonce,
      clientSeedHash: createHash('sha256').update(opening.clientSeed).digest('hex'),
      prizeId: opening.prizeId,
      soldOutPrizeId: opening.soldOutPrizeId,
      stockAfter: stockOf(proof),
      redCoinEarned: opening.redCoinEarned,
    })
  })
  const log = sampleLog(logTexts, key)
  return drawn.map((proof, at) => ({ ...proof, log: log.proof(drawn.length - 1 - at) }))
}

let files = 0

/** A file with this content. */
function proofFile(content: unknown): string {
  files += 1
  const file = join(folder, `proof-${files}.json`)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return file
}

const tool = join(repositoryRoot, 'tools/verify-proof.mjs')
type Run = Promise<{ code: number; lines: string[] }>

/** An empty environment and another working folder: the tool needs nothing of the repository. */
function runAsStranger(values: string[]): Run {
  return new Promise((resolve) => {
    execFile(process.execPath, [tool, ...values], { cwd: folder, env: {} }, (error, stdout) => {
      resolve({ code: Number(error?.code ?? 0), lines: stdout.trim().split('\n') })
    })
  })
}

/** The same in a thread, which begins sooner than a process. */
function runTool(argv: string[]): Run {
  return new Promise((resolve, reject) => {
    const thread = new Worker(tool, { argv, env: {}, stdout: true })
    let out = ''
    thread.stdout.on('data', (text: Buffer) => {
      out += String(text)
    })
    thread.on('error', reject)
    thread.on('exit', (code) => resolve({ code, lines: out.trim().split('\n') }))
  })
}

const run = (content: unknown, ...more: string[]) => runTool([proofFile(content), ...more])

/** A proof as the first build wrote it: a draw of scheme 1 whose only prize is always won. */
function firstProof() {
  const serverSeed = '5a'.repeat(32)
  const table = {
    packTypeId: 1,
    entries: [{ prizeId: 1, name: 'Mug', winFrequency: 1, totalPacks: 1, redCoinAmount: 0 }],
  }
  const opening = {
    id: 1,
    createdAt: '2026-01-01T00:00:20.000Z',
    packTypeId: 1,
    prizeId: 1,
    soldOut: false,
    redCoinEarned: 0,
    nonce: 0,
    tableHash: createHash('sha256').update(JSON.stringify(table)).digest('hex'),
    serverSeedHash: createHash('sha256').update(Buffer.from(serverSeed, 'hex')).digest('hex'),
    clientSeed: 'mine',
    serverSeed,
  }
  return { opening, table }
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
    const { code, lines } = await runAsStranger([proofFile(proof()), '--key', key.text])
    expect(lines.map((line) => line.slice(0, 8))).toEqual([
      ...Array(8).fill('ok      '),
      'The draw',
    ])
    expect(lines[4]).toContain(`The roll gives the outcome: ${outcome}`)
    expect(lines[6]).toMatch(/stands in the public log: entry \d+ of 25/)
    expect(lines[7]).toContain('play.example.com/log, 25 entries')
    expect(lines[8]).toBe('The draw is what its seeds and its odds table say.')
    expect(code).toBe(0)
  })

  it('says what it did not check', async () => {
    const { code, lines } = await run(won())
    expect(lines.at(-2)).toContain('--      The key of the log has signed it: not checked')
    expect(code).toBe(0)
    const early = await run({ ...won(), log: null })
    expect(early.lines.at(-2)).toBe(
      '--      The opening stands in the public log: not in the log yet',
    )
    expect(early.code).toBe(0)
  })

  it('may hand its entry along', async () => {
    const proof = won()
    const at =
      proofs.length - 1 - proofs.findIndex(({ opening }) => opening.id === proof.opening.id)
    const log = sampleLog(logTexts, key).proof(at, { hasExtra: true })
    expect((await run({ ...proof, log }, '--key', key.text)).code).toBe(0)
    const other = sampleLog(logTexts, key).proof((at + 1) % 25, { hasExtra: true })
    expect((await run({ ...proof, log: other }, '--key', key.text)).code).toBe(1)
  })

  it('of the first version is verified as it was', async () => {
    const { opening, table } = firstProof()
    const { code, lines } = await run({ version: 1, opening, table })
    expect(lines.at(-2)).toContain('not told in files of version 1')
    expect(code).toBe(0)
    expect((await run({ version: 2, opening, table, log: null })).code).toBe(1)
  })

  it('of the first log names the whole request', async () => {
    const { opening, table } = firstProof()
    const body = JSON.stringify({
      openingRequestAt: '2026-01-01T00:00:00.000Z',
      packTypeId: 1,
      tableHash: opening.tableHash,
      serverSeedHash: opening.serverSeedHash,
      firstNonce: 0,
      quantity: 1,
      prizeIds: [1],
    })
    const hash = createHash('sha256').update(body).digest('hex')
    const carried = JSON.stringify({ type: 'carried', position: 1, body, hash })
    const proof = { ...opening, soldOutPrizeId: null, scheme: 1, seedPairId: 1 }
    const check = (text: string, hasExtra: boolean) => {
      const log = sampleLog([text], key).proof(0, { hasExtra })
      return run({ version: 2, opening: proof, table, log }, '--key', key.text)
    }
    expect((await check(carried, true)).code).toBe(0)
    expect((await check(carried.replace('[1]', '[2]'), true)).code).toBe(1)
    const plain = await check(carried, false)
    expect(plain.lines.at(-3)).toContain('stands for a whole request and is not in the file')
  })

  it('of every other draw is verified too', async () => {
    expect(proofs).toHaveLength(25)
    for (const proof of proofs) expect((await run(proof)).code).toBe(0)
  }, 60_000)

  it('is not verified while its server seed is secret', async () => {
    const { code, lines } = await runAsStranger([proofFile(secret)])
    expect(code).toBe(1)
    expect(lines.at(-2)).toMatch(/^FAILED {2}The server seed .* rotate your seeds/)
  })
})

type Change = (proof: OpeningProof) => unknown
const table = 'FAILED  The odds table'
const commitment = 'FAILED  The server seed'
const outcome = 'FAILED  The roll gives the outcome'
const form = 'FAILED  The file is a proof'
const logged = 'FAILED  The opening stands in the public log'
const signed = 'FAILED  The key of the log has signed it'

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
  [
    'a prize both won and sold out',
    ({ opening }) => Object.assign(opening, { soldOut: true, soldOutPrizeId: opening.prizeId }),
    outcome,
  ],
  ['a sold-out prize without a name', (p) => (p.opening.soldOut = true), form],
  ['another version', (p) => Object.assign(p, { version: 3 }), form],
  ['a first version', (p) => Object.assign(p, { version: 1 }), outcome],
  ['another scheme', (p) => (p.opening.scheme = 1), outcome],
  ['another consolation', (p) => Object.assign(p.table, { consolationRedCoin: 9 }), table],
  [
    'a prize with packs',
    (p) => Object.assign(p.table.entries[0]!, { rewardPackQuantity: 9 }),
    table,
  ],
  ['another minute', (p) => (p.opening.createdAt = '2020-01-01T00:00:00.000Z'), logged],
  ['another number', (p) => (p.opening.id += 1), logged],
  ['another seed pair', (p) => (p.opening.seedPairId += 1), logged],
  [
    'another root',
    (p) => (p.log = p.log!.replace(/\n25\n.*\n/, `\n25\n${'A'.repeat(43)}=\n`)),
    logged,
  ],
  ['another key', (p) => (p.log = p.log!.replace(/\u2014 .*\n/, sampleKey().line('x'))), signed],
  ['another signature', (p) => (p.log = p.log!.replace(/\u2014 .*\n/, key.line('x'))), signed],
  ['no log at all', (p) => Reflect.deleteProperty(p, 'log'), form],
  ['a client seed with a colon', (p) => (p.opening.clientSeed = 'a:1'), form],
  ['a broken nonce', (p) => (p.opening.nonce = 1.5), form],
  ['no table', (p) => Reflect.deleteProperty(p, 'table'), form],
]

describe('a proof that somebody has touched', () => {
  it.each(changes)('to show %s is refused', async (_what, change, step) => {
    const proof = won()
    change(proof)
    const { code, lines } = await run(proof, '--key', key.text)
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
      lines: ['Usage: node tools/verify-proof.mjs FILE [--key KEY]'],
    })
  })
})
