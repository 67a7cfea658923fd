// The offline verifier, built as shipped, on a real opening and on forgeries.

import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { OpeningProof } from '@redpack/contract'
import { faultTexts } from '@redpack/fair/draw'
import { portableHashing } from '@redpack/fair/hashing'
import { verifierKey, verifierKeyText } from '@redpack/fair/notes'
import { checkSaved, readSavedFile } from '@redpack/fair/verify'
import { beforeAll, describe, expect, it } from 'vitest'
import { keepLog } from '../server/src/features/fairness/public-log.ts'
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

async function failedSteps(saved: OpeningProof, key: string) {
  const { steps } = await checkSaved(saved, key)
  return steps.flatMap(({ name, verdict }) => (verdict === 'failed' ? [name] : []))
}

async function realProof() {
  const gold = await t.packType('Gold')
  await t.prize('Cap', { packTypeIds: [gold], totalPacks: 2, stock: 3 })
  const ana = await t.person('ana', { packs: { [gold]: 50 } })
  const order = { packTypeId: gold, quantity: 12, entropy: 'e7'.repeat(32) }
  await ana.send('POST', '/api/packs/open', order)
  await keepLog(t.deps)
  const { openings } = await ana.read('/api/fairness/openings')
  const won = openings.find(({ prizeId }: { prizeId: number | null }) => prizeId !== null)
  const proof = (await ana.read(`/api/fairness/openings/${won.id}/proof`)) as OpeningProof
  return { proof, key: (await t.app.inject('/log/key')).body.trim() }
}

describe('the offline verifier', () => {
  it('passes a real proof with every check, and names each lie', async () => {
    const { proof, key } = await realProof()
    const honest = await verify(proof, '--key', key)
    expect(honest.stdout).toContain('This draw is fair: every check passed.')
    expect(honest.stdout.match(/^ok {5}/gm)).toHaveLength(6)
    expect(honest.code).toBe(0)
    const bent = await verify({ ...proof, opening: { ...proof.opening, redCoinEarned: 7 } })
    expect(bent).toMatchObject({ code: 1, stdout: expect.stringMatching(/FAILED +It paid/) })

    const hex = 'ab'.repeat(32)
    for (const [lie, failing] of [
      [{ commitment: hex }, 'seed'],
      [{ serverSeed: hex }, 'seed'],
      [{ prizeId: null, redCoinEarned: 5 }, 'result'],
      [{ redCoinEarned: 7 }, 'pay'],
      [{ packTypeId: 99 }, 'table'],
      [{ tableHash: hex }, 'table'],
      [{ entropy: hex }, 'log'],
      [{ entropyFrom: 'server' }, 'log'],
      [{ chainId: 99 }, 'log'],
      [{ index: 5 }, 'log'],
    ] as const) {
      const opening = { ...proof.opening, ...lie }
      expect(await failedSteps({ ...proof, opening }, key), JSON.stringify(lie)).toContain(failing)
    }
    const entries = proof.table.entries.map((entry) => ({ ...entry, totalPacks: 9 }))
    expect(await failedSteps({ ...proof, table: { ...proof.table, entries } }, key)).toContain(
      'table',
    )
    const log = (proof.log ?? '').replace(/extra .{8}/, 'extra AAAAAAAA')
    expect(await failedSteps({ ...proof, log }, key)).toEqual(['log'])
  })

  it('says what it could not check without key, log or a whole file', async () => {
    const { proof } = await realProof()
    expect((await verify(proof)).stdout).toContain('The key of the log is not known here')
    expect((await verify({ ...proof, log: null })).stdout).toContain('It is not in the log yet')
    const stdout = 'This file is not JSON, or only a part of it.\n'
    expect(await verify('{')).toEqual({ code: 1, stdout })
  })

  it('says of a memory what was withheld, what disagrees, and which log it knows', async () => {
    const { proof, key } = await realProof()
    const { chainId, index, commitment, entropy, tableHash, packTypeId, serverSeed } = proof.opening
    const asked = { chainId, index, commitment, entropy, tableHash, packTypeId, quantity: 12 }
    const memory = {
      requests: [{ ...asked, key: 'k', outcome: 'refused', sentAt: 0 }],
      seeds: [{ chainId, index, serverSeed }],
      tables: { [tableHash]: JSON.stringify(proof.table) },
      alarms: [] as object[],
      log: { key, note: (await t.app.inject('/log/checkpoint')).body },
    }
    const honest = await verify(memory)
    expect(honest.code).toBe(0)
    expect(honest.stdout).toMatch(/note .*1 request withheld, \d+ prizes? in them/)
    expect(honest.stdout).toMatch(/12 packs, would have given .*Cap/)
    expect(honest.stdout).toMatch(/It knows \d+ entries of .*, signed/)

    const told = { proof: { ...proof.opening, nextCommitment: entropy }, results: [[null, 5]] }
    const alarms = [{ name: 'log/k', text: 'The public log says something else.' }]
    const requests = [{ ...asked, key: 'k', outcome: 'alarmed', sentAt: 0, told }]
    const bad = await verify({ title: 'an alarm', memory: { ...memory, requests, alarms } })
    expect(bad.code).toBe(1)
    expect(bad.stdout).toMatch(
      /FAILED .*12 packs .*not as many results as packs.*log says something/,
    )

    for (const [lie, fault] of [
      [{ proof: told.proof, results: Array(12).fill([99, 1.5]) }, faultTexts.result],
      [{ proof: { ...told.proof, serverSeed: 'x' }, results: null }, faultTexts.seed],
      [null, faultTexts.seed],
    ] as const) {
      const lied = { ...memory, requests: [{ ...requests[0], told: lie }, ...memory.requests] }
      const { code, stdout } = await verify(lied)
      expect([code, stdout]).toEqual([1, expect.stringContaining(fault)])
      expect(stdout).toMatch(/1 request withheld.*It knows \d+ entries/s)
    }

    const stranger = await verify({ ...memory, requests: [], log: { ...memory.log, key: 'x' } })
    expect(stranger).toMatchObject({ code: 1, stdout: expect.stringContaining('cannot be read') })
    const point = new Uint8Array(32).fill(7)
    const { sha256 } = portableHashing
    const other = verifierKeyText(verifierKey('other.example/log', 1, point, sha256))
    const elsewhere = { ...memory, log: { ...memory.log, key: other } }
    expect((await verify(elsewhere)).stdout).toContain('of another log than its key')
    expect((await verify(elsewhere, '--key', key)).stdout).toMatch(/FAILED .*is of another log/)
  })

  const memory = { requests: [], seeds: [], tables: {}, alarms: [], log: null }
  const many = { key: 'k', sentAt: 0, outcome: 'sent', chainId: 1, index: 0, packTypeId: 1 }
  const hex = 'ab'.repeat(32)
  const request = { ...many, commitment: hex, entropy: hex, tableHash: hex, quantity: 1 }
  const neither = 'is neither the proof of an opening nor a saved memory'
  it.each([
    ['a part of a file', JSON.stringify(memory).slice(0, -5), 'is not JSON, or only a part of it'],
    ['something else', '{"version":3}', neither],
    ['null', 'null', neither],
    ['a million packs', { ...memory, requests: [{ ...request, quantity: 1e6 }] }, neither],
    ['a memory without end', { ...memory, requests: new Array(501).fill(request) }, neither],
    ['a memory of no time', { ...memory, requests: [{ ...request, sentAt: 9e15 }] }, neither],
    ['a huge file', ' '.repeat(6e6), 'is too large: it has more than 5 MB'],
  ])('refuses %s', async (_what, content, why) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    await expect(readSavedFile(new Blob([text]))).rejects.toThrow(`This file ${why}.`)
  })
})
