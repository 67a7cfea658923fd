// What staff see of the public log, and what the operator's command makes of a broken one.

import type { LogState } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, useTestDeps } from '../../../test/deps.ts'
import { logDeps, otherSigner, signedMemory } from '../../../test/log-deps.ts'
import { logHead } from './log-views.ts'
import { keepLog, renewLog } from './public-log.ts'

const t = useTestDeps({
  PUBLIC_URL: 'http://packs.example.test',
  LOG_DISCORD_CHANNEL_ID: '123456789012345678',
})
let gold: number
let ana: Person
let boss: Person

beforeEach(async () => {
  gold = await t.packType('Gold')
  await t.prize('Cap', { packTypeIds: [gold], totalPacks: 2, stock: 30 })
  ana = await t.person('ana', { packs: { [gold]: 1000 } })
  boss = await t.person('boss', { role: 'admin' })
})

const open = (quantity: number) => ana.open(gold, quantity)
const state = async () => await boss.read<LogState>('/api/admin/log')
const checkpoint = async () => (await t.app.inject('/log/checkpoint')).body
const key = async () => (await t.app.inject('/log/key')).body.trim()

describe('the state for staff', () => {
  it('tells of a log that was not begun, one that waits, and one that is well', async () => {
    expect(await state()).toMatchObject({ origin: null, entries: 0, checkpoint: null, key: null })
    await open(3)
    await keepLog(t.deps)
    const [row] = await t.rows<{ size: number }>('SELECT count(*)::int AS size FROM log_entries')
    expect(await state()).toEqual({
      now: expect.any(String),
      origin: 'packs.example.test/log',
      entries: row!.size,
      waiting: 0,
      setAside: 0,
      checkpoint: { size: row!.size, signedAt: expect.any(String) },
      trouble: null,
      key: await key(),
      changes: [],
      witnesses: [],
      discord: { channelId: '123456789012345678', postedDay: null, problem: null },
    })
    await open(2)
    await t.db.script(`INSERT INTO log_queue (kind, ref, set_aside) VALUES ('stock', 'x', 'bad')`)
    expect(await state()).toMatchObject({ waiting: 1, setAside: 1 })
  })
})

describe("the operator's command", () => {
  it('leaves a log alone that is well, or that was never begun', async () => {
    expect(await renewLog(t.deps)).toEqual({ kind: 'none' })
    await keepLog(t.deps)
    const before = await checkpoint()
    expect(await renewLog(t.deps)).toEqual({ kind: 'well' })
    expect(await renewLog(logDeps(t, { signer: undefined }))).toEqual({ kind: 'no_key' })
    expect(await checkpoint()).toBe(before)
  })

  it('takes what the folder has signed of another name for no loss of this log', async () => {
    const memory = signedMemory()
    const deps = logDeps(t, { memory })
    await keepLog(deps)
    memory.keep((await checkpoint()).replaceAll('packs.example.test/log', 'moved.example/log-7'))
    await open(1)
    await keepLog(deps)
    expect(await state()).toMatchObject({ origin: 'packs.example.test/log', trouble: null })
    expect(await renewLog(deps)).toEqual({ kind: 'well' })
  })

  it('lets a log go on under its name with the key of now', async () => {
    await open(2)
    await keepLog(t.deps)
    const [oldKey, oldNote] = [await key(), await checkpoint()]
    const deps = logDeps(t, { signer: otherSigner })
    await open(2)
    await keepLog(deps)
    expect(await state()).toMatchObject({ trouble: 'key_changed' })
    expect(await checkpoint()).toBe(oldNote)
    const renewal = await renewLog(deps)
    expect(renewal).toMatchObject({ kind: 'new_key', origin: 'packs.example.test/log' })
    await keepLog(deps)
    expect(await key()).not.toBe(oldKey)
    const note = await checkpoint()
    expect(note.split('\n')[0]).toBe('packs.example.test/log')
    expect(Number(note.split('\n')[1])).toBeGreaterThan(Number(oldNote.split('\n')[1]))
    expect(await t.rows('SELECT reason, last_note, trouble FROM log_keys ORDER BY id')).toEqual([
      { reason: 'first', last_note: null, trouble: 'key_changed' },
      { reason: 'new_key', last_note: oldNote, trouble: null },
    ])
    expect((await state()).changes).toMatchObject([{ reason: 'new_key' }])
  })

  it('signs the same size again, at once, when only the key is new', async () => {
    await keepLog(t.deps)
    const size = (await checkpoint()).split('\n')[1]
    const deps = logDeps(t, { signer: otherSigner })
    await renewLog(deps)
    const note = await checkpoint()
    expect(note.split('\n')[1]).toBe(size)
    const id = Buffer.from((await key()).split('+')[1] ?? '', 'hex')
    expect(Buffer.from(note.trim().split(' ').at(-1) ?? '', 'base64').subarray(0, 4)).toEqual(id)
  })

  it('lets the log go on with another key also from where nothing can be written', async () => {
    await open(1)
    await keepLog(logDeps(t, { memory: signedMemory() }))
    const keep = () => {
      throw new Error('EROFS')
    }
    const memory = { read: () => undefined, keep }
    const renewal = await renewLog(logDeps(t, { memory, signer: otherSigner }))
    expect(renewal).toMatchObject({ kind: 'new_key' })
  })

  it('begins a new log when the history was lost, and keeps the proof of the old one', async () => {
    const deps = logDeps(t, { memory: signedMemory() })
    for (let count = 0; count < 9; count += 1) await open(1)
    await keepLog(deps)
    const oldNote = await checkpoint()
    await t.plant('DELETE FROM log_entries WHERE index >= 5; DELETE FROM log_checkpoints')
    await keepLog(deps)
    expect(await state()).toMatchObject({ trouble: 'history_lost', checkpoint: null })
    for (const signer of [deps.publicLog.signer, otherSigner]) {
      const elsewhere = logDeps(t, { memory: signedMemory(), signer })
      expect(await renewLog(elsewhere)).toEqual({ kind: 'unseen' })
    }
    expect(await state()).toMatchObject({ trouble: 'history_lost', changes: [] })
    // One that is not committed takes nothing of what this folder knows.
    const transaction: typeof t.db.transaction = (work) =>
      t.db.transaction(async (tx) => {
        await work(tx)
        throw new Error('connection lost')
      })
    const db = Object.assign(Object.create(t.db), { transaction })
    await expect(renewLog({ ...deps, db })).rejects.toThrow('connection lost')
    await keepLog(deps)
    expect(await state()).toMatchObject({ trouble: 'history_lost', changes: [] })
    const before = await logHead(t.db)
    const renewal = { kind: 'new_log', origin: 'packs.example.test/log-2', fromSize: 5 }
    expect(await renewLog(deps)).toEqual(renewal)
    await keepLog(deps)
    expect((await checkpoint()).split('\n').slice(0, 2)).toEqual(['packs.example.test/log-2', '5'])
    expect(await state()).toMatchObject({ trouble: null, changes: [{ reason: 'new_log' }] })
    expect((await logHead(t.db)).log).not.toBe(before.log)
    expect(await t.column(`SELECT last_note FROM log_keys WHERE reason = 'new_log'`)).toEqual([
      oldNote,
    ])
    await t.plant('DELETE FROM log_entries WHERE index >= 3')
    expect(await renewLog(deps)).toMatchObject({ origin: 'packs.example.test/log-3' })
    expect((await checkpoint()).split('\n').slice(0, 2)).toEqual(['packs.example.test/log-3', '3'])
    // A dump from before the first renewal has the first name, which was given up.
    await t.plant(`DELETE FROM log_checkpoints; DELETE FROM log_keys WHERE reason = 'new_log';
      UPDATE log_keys SET trouble = NULL`)
    await keepLog(deps)
    expect(await state()).toMatchObject({ trouble: 'history_lost', checkpoint: null })
    expect(await renewLog(deps)).toMatchObject({ origin: 'packs.example.test/log-4' })
  })
})
