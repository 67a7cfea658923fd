// Who reads the metrics.

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { anotherProcess, type TestDeps, useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const token = 'p4qk7v0jz1m9x8c2b6n5'
let guarded: TestDeps

beforeEach(async () => {
  guarded = await anotherProcess(t, { SEED_DEMO: 'off', METRICS_TOKEN: token })
})

const elsewhere = '203.0.113.9'
const ask = async (remoteAddress: string, headers: Record<string, string>, deps = guarded) =>
  (await deps.app.inject({ url: '/metrics', remoteAddress, headers })).statusCode

describe('the metrics', () => {
  it('are for callers on this machine who speak for themselves', async () => {
    expect(await ask('127.0.0.1', {})).toBe(200)
    expect(await ask('::1', {})).toBe(200)
    expect(await ask('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).toBe(401)
    for (const deps of [guarded, t]) {
      expect(await ask(elsewhere, { host: 'localhost' }, deps)).toBe(401)
    }
  })

  it('are for whoever carries the token, from anywhere', async () => {
    expect(await ask(elsewhere, { authorization: `Bearer ${token}` })).toBe(200)
    const behindProxy = { authorization: `bearer ${token}`, 'x-forwarded-for': elsewhere }
    expect(await ask('127.0.0.1', behindProxy)).toBe(200)
  })

  it('are for staff and not for players', async () => {
    const boss = await t.person('boss', { role: 'admin' })
    const ana = await t.person('ana')
    expect(await ask(elsewhere, { cookie: boss.cookie })).toBe(200)
    expect(await ask(elsewhere, { cookie: ana.cookie })).toBe(403)
  })

  it('are opened by the token and nothing else is', async () => {
    const headers = { authorization: `Bearer ${token}` }
    expect((await guarded.app.inject({ url: '/api/admin/stats', headers })).statusCode).toBe(401)
  })

  it('say what room the disk has, and when the newest dump was made where there is one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'redpack-metrics-'))
    const { app } = await anotherProcess(t, { SEED_DEMO: 'off', DATA_DIR: folder })
    const told = async () =>
      (await app.inject('/metrics')).body.match(/^redpack_(data_free|newest_dump)\w+ .*$/gm)
    const free = expect.stringMatching(/^redpack_data_free_bytes [1-9]/)
    expect(await told()).toEqual([free])
    const dump = join(folder, 'dumps', 'redpack-2026-11-22T12-00-00Z.dump')
    mkdirSync(join(folder, 'dumps'))
    writeFileSync(dump, '')
    utimesSync(dump, 1_700_000_000, 1_700_000_000)
    expect(await told()).toEqual([free, 'redpack_newest_dump_timestamp_seconds 1700000000'])
    rmSync(folder, { recursive: true })
  })
})
