// A full disk under the embedded database: a file system of its own, filled and emptied under load.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmbedded } from '../../src/adapters/db/embedded.ts'
import { freePort, type ProductProcess } from '../product-process.ts'
import { runCommand, usePrograms } from '../programs.ts'
import { expectTrueBooks, tell } from './fault-table.ts'
import { KeyedLoad, loadSettings } from './keyed-load.ts'

const disk = mkdtempSync(join(tmpdir(), 'redpack-disk-'))
const filler = join(disk, 'filler')
const canMount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1g', 'tmpfs', disk]).status === 0
/** What is left when the disk counts as full: less than the product keeps free. */
const leftBytes = 10_000_000
const patience = { timeout: 20_000 }

const programs = usePrograms('full')
let product: ProductProcess | undefined
let settings: Record<string, string> = {}
let load: KeyedLoad

const freeBytes = () => {
  const { bavail, bsize } = statfsSync(disk)
  return bavail * bsize
}

async function health(): Promise<{ status: number; readOnly: boolean; reason: string | null }> {
  const answer = await fetch(`${product!.url}/health/ready`)
  const { readOnly, reason } = (await answer.json()) as { readOnly: boolean; reason: string | null }
  return { status: answer.status, readOnly, reason }
}

async function end(): Promise<number | null> {
  product?.child.kill('SIGTERM')
  return (await product?.exit) ?? null
}

afterAll(async () => {
  await programs.kill()
  if (canMount) spawnSync('umount', [disk])
  rmSync(disk, { recursive: true, force: true })
})

describe.skipIf(!canMount)('a disk of its own (mount of a tmpfs, as root)', () => {
  beforeAll(async () => {
    settings = loadSettings({}, await freePort(), join(disk, 'data'))
    product = await programs.start(settings)
    load = await KeyedLoad.over([product])
  })

  it('fills up: reads go on, writes are 503, and it passes when there is room', async () => {
    load.start(6)
    await expect.poll(() => load.acknowledged.length, patience).toBeGreaterThan(10)
    writeFileSync(filler, Buffer.alloc(freeBytes() - leftBytes))
    await expect.poll(async () => (await health()).reason, patience).toBe('disk_full')
    expect(await health()).toMatchObject({ status: 200, readOnly: true })
    const fullMillis = performance.now()
    await expect.poll(() => load.statuses(fullMillis)[503] ?? 0, patience).toBeGreaterThan(10)
    // Every 200 of this time is a read: no change is acknowledged that the disk cannot hold.
    const reads = load.seen.filter((one) => one.startMillis >= fullMillis && one.status === 200)
    expect(reads.length).toBeGreaterThan(0)
    expect([...new Set(reads.map(({ path }) => path))]).toEqual(['/api/user/packs'])

    rmSync(filler)
    const roomMillis = performance.now()
    const recovery = await load.firstSuccessAfter(roomMillis, 20_000)
    expect(recovery).toBeLessThan(5_000)
    expect(await health()).toMatchObject({ status: 200, readOnly: false })
    await load.stop()
    load.expectPoliteAnswers()
    const { acknowledged } = await load.expectNothingLost()
    expect(await end()).toBe(0)
    await expectTrueBooks(settings)
    tell({
      fault: 'the disk of the embedded database is full (tmpfs)',
      promise: 'reads go on, writes are 503 with Retry-After, it passes by itself within 5 s',
      seen:
        `${reads.length} reads answered meanwhile and no write, first success ${recovery} ms ` +
        `after there was room, ${acknowledged} acknowledged and all there`,
    })
  })

  it('has no room for a first start, which says so and leaves nothing half made', async () => {
    writeFileSync(filler, Buffer.alloc(freeBytes() - leftBytes))
    const DATA_DIR = join(disk, 'first')
    const first = programs.launch({ PORT: String(await freePort()), DATA_DIR })
    expect(await first.exit).toBe(1)
    expect(first.errors()).toBe(
      `No database can be made in ${DATA_DIR}/database: the disk is full\n`,
    )
    expect(readdirSync(DATA_DIR).filter((name) => /database|lock/.test(name))).toEqual([])
    rmSync(filler)
  })

  it('is not taken for damage by a start that has no room to recover', async () => {
    const DATA_DIR = join(disk, 'later')
    mkdirSync(DATA_DIR)
    await (await openEmbedded(join(DATA_DIR, 'database'))).close()
    writeFileSync(join(DATA_DIR, 'database/global/pg_control'), '')
    const said = async () => (await runCommand(['verify-economy'], { DATA_DIR })).errors
    const what = `The database in ${DATA_DIR}/database cannot be opened: `
    expect(await said()).toBe(`${what}it is damaged\n`)
    writeFileSync(filler, Buffer.alloc(freeBytes() - leftBytes))
    expect(await said()).toContain(`${what}less than 50 MB are free on its disk. Make room`)
    rmSync(filler)
  })
})
