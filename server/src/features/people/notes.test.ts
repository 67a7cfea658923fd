// What staff note about users: for staff alone, and gone when it is removed.

import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, told, useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
let boss: Person
let ana: Person
let path: string

beforeEach(async () => {
  boss = await t.person('boss', { role: 'admin' })
  ana = await t.person('ana')
  path = `/api/admin/users/${ana.id}/notes`
})

const add = (body: unknown) => boss.send('POST', path, { body })

describe('staff notes', () => {
  it('are added, read newest first and removed, each recorded without its text', async () => {
    const first = (await add('Asked about sizes')).json()
    expect(first).toEqual({
      id: expect.any(Number),
      body: 'Asked about sizes',
      createdAt: expect.stringMatching(/Z$/),
      author: { id: boss.id, username: 'boss', displayName: 'boss' },
    })
    const second = (await add('Got\na hoodie')).json()
    expect(await boss.read(path)).toEqual([second, first])
    const removed = await boss.send('DELETE', `/api/admin/notes/${first.id}`)
    expect([removed.statusCode, removed.json().success]).toEqual([200, true])
    expect((await boss.send('DELETE', `/api/admin/notes/${first.id}`)).statusCode).toBe(404)
    expect(await boss.read(path)).toEqual([second])
    const log = await t.rows('SELECT action, target_id, before, after FROM audit_log ORDER BY id')
    expect(log).toEqual([
      { action: 'note.add', target_id: String(ana.id), before: null, after: { noteId: first.id } },
      { action: 'note.add', target_id: String(ana.id), before: null, after: { noteId: second.id } },
      {
        action: 'note.remove',
        target_id: String(ana.id),
        before: { noteId: first.id },
        after: null,
      },
    ])
  })

  it('refuse what is blank or too long, and people who are not there', async () => {
    for (const body of [undefined, null, '', '  ', 'x'.repeat(2_001), 7]) {
      expect((await add(body)).statusCode).toBe(400)
    }
    const nobodys = '/api/admin/users/2000000000/notes'
    for (const call of [boss.get(nobodys), boss.send('POST', nobodys, { body: 'x' })]) {
      expect(await told(call)).toBe('404 User not found')
    }
    expect(await boss.read(path)).toEqual([])
  })

  it('go with the person, and are in what the person takes along', async () => {
    await add('Asked about sizes')
    const { tables } = await ana.read('/api/user/export')
    expect(tables.staffNotes).toMatchObject([{ body: 'Asked about sizes', userId: ana.id }])
    expect(JSON.stringify(tables.staffNotes)).not.toContain('author')
    await ana.send('DELETE', '/api/user', { confirm: 'ana' })
    expect(await t.rows('SELECT id FROM staff_notes')).toEqual([])
    expect((await boss.get(path)).statusCode).toBe(404)
  })
})
