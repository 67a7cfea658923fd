// The offline verifier, built as it is shipped, about a real opening and about lies.

import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { OpeningProof } from '@redpack/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { keepLog } from '../server/src/features/fairness/keep-log.ts'
import { useTestDeps } from '../server/test/deps.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'redpack-verify-'))
const tool = join(folder, 'verify-proof.mjs')
const t = useTestDeps({ SEED_DEMO: 'off' })

beforeAll(async () => {
  await run(process.execPath, ['tools/offline-tools.mjs', folder])
})

async function verify(content: unknown, ...more: string[]) {
  const file = join(folder, 'file.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return run(process.execPath, [tool, file, ...more]).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }) => ({ code: code as number, stdout: String(stdout) }),
  )
}

async function realProof() {
  const gold = await t.packType('Gold')
  await t.prize('Cap', { packTypeIds: [gold], winFrequency: 1, totalPacks: 2, stock: 3 })
  const ana = await t.person('ana', { packs: { [gold]: 50 } })
  const order = { packTypeId: gold, quantity: 12, entropy: 'e7'.repeat(32) }
  await ana.send('POST', '/api/packs/open', order)
  await keepLog(t.deps)
  const { openings } = (await ana.get('/api/fairness/openings')).json()
  const won = openings.find(({ prizeId }: { prizeId: number | null }) => prizeId !== null)
  const proof = (await ana.get(`/api/fairness/openings/${won.id}/proof`)).json() as OpeningProof
  return { proof, key: (await t.app.inject('/log/key')).body.trim() }
}

describe('the offline verifier', () => {
  it('passes a real proof with every check, and names each lie', async () => {
    const { proof, key } = await realProof()
    const honest = await verify(proof, '--key', key)
    expect(honest.stdout).toContain('This draw is fair: every check passed.')
    expect(honest.stdout.match(/^ok {5}/gm)).toHaveLength(5)
    expect(honest.code).toBe(0)
    const lies: [object, RegExp][] = [
      [{ commitment: 'ab'.repeat(32) }, /FAILED +The seed was fixed/],
      [{ serverSeed: 'ab'.repeat(32) }, /FAILED +The seed was fixed/],
      [{ entropy: 'ab'.repeat(32) }, /FAILED +The public log/],
      [{ prizeId: null, redCoinEarned: 5 }, /FAILED +The roll gives/],
      [{ redCoinEarned: 7 }, /FAILED +It paid/],
      [{ packTypeId: 99 }, /FAILED +The odds/],
      [{ index: 5 }, /FAILED +The public log/],
    ]
    for (const [lie, words] of lies) {
      const { code, stdout } = await verify(
        { ...proof, opening: { ...proof.opening, ...lie } },
        '--key',
        key,
      )
      expect([code, words.test(stdout)], JSON.stringify(lie)).toEqual([1, true])
    }
    const other = proof.table.entries.map((entry) => ({ ...entry, totalPacks: 9 }))
    const bent = await verify({ ...proof, table: { ...proof.table, entries: other } })
    expect(bent).toMatchObject({ code: 1, stdout: expect.stringMatching(/FAILED +The odds/) })
    const forged = (proof.log ?? '').replace(/extra .{8}/, 'extra AAAAAAAA')
    expect((await verify({ ...proof, log: forged }, '--key', key)).code).toBe(1)
    const stranger = key.replace(/\+[^+]*$/, '+AAAA')
    expect((await verify(proof, '--key', stranger)).code).toBe(1)
  }, 60_000)

  it('says what it could not check without key or log', async () => {
    const { proof } = await realProof()
    expect((await verify(proof)).stdout).toContain('The key of the log is not known here')
    expect((await verify({ ...proof, log: null })).stdout).toContain('Not in the log yet')
  })

  it('draws again what a memory remembers as withheld', async () => {
    const { proof } = await realProof()
    const { chainId, index, commitment, entropy, tableHash, packTypeId, serverSeed } = proof.opening
    const asked = { chainId, index, commitment, entropy, tableHash, packTypeId, quantity: 12 }
    const { stdout } = await verify({
      requests: [{ ...asked, outcome: 'refused', sentAt: 0 }],
      seeds: [{ chainId, index, serverSeed }],
      tables: { [tableHash]: JSON.stringify(proof.table) },
    })
    expect(stdout).toMatch(/would have given .*prize \d+/)
  })

  it.each([
    ['no JSON', '{', 'This file is not JSON.'],
    ['something else', '{"version":3}', 'This file is not a proof of an opening.'],
  ])('refuses %s', async (_what, text, sentence) => {
    expect(await verify(text)).toEqual({ code: 1, stdout: `${sentence}\n` })
  })
})
