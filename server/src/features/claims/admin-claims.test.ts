// Claims in the hands of staff: lists, pages, files, steps, details, deleting and restoring.

import type { AdminClaim, AdminClaimsPage } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { askedDatabase } from '../../../test/asked-database.ts'
import { type Person, told, useTestDeps } from '../../../test/deps.ts'
import { claimsFile, claimsPage } from './admin-views.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const path = '/api/admin/prize-claims'
let boss: Person
let ana: Person
let ben: Person
let hoodie: number

/** Two hoodies are won, each from a pack of its own, and one amount of RedCoin. */
beforeEach(async () => {
  const gold = await t.packType('Gold')
  const silver = await t.packType('Silver')
  hoodie = await t.prize('Hoodie', { packTypeIds: [gold], totalPacks: 1, stock: 5 })
  await t.prize('Chest', { packTypeIds: [silver], totalPacks: 1, redCoinAmount: 9 })
  boss = await t.person('boss', { role: 'admin' })
  ana = await t.person('ana', { packs: { [gold]: 1, [silver]: 1 } })
  ben = await t.person('ben', { packs: { [gold]: 1 } })
  for (const [who, packTypeId] of [
    [ana, gold],
    [ana, silver],
    [ben, gold],
  ] as const) {
    await who.open(packTypeId)
  }
})

const all = async (): Promise<AdminClaim[]> => await boss.read(path)
const page = async (query: string): Promise<AdminClaimsPage> => await boss.read(`${path}?${query}`)
const patch = (id: number | string, body: object) => boss.send('PATCH', `${path}/${id}`, body)
const titles = (claims: readonly AdminClaim[]) =>
  claims.map(({ username, prizeName, status }) => `${username} ${prizeName} ${status}`)

describe('the list of claims', () => {
  it('is bare and whole without a query, newest first', async () => {
    await t.rows(`UPDATE users SET display_name = 'Ben B' WHERE id = $1`, [ben.id])
    const claims = await all()
    expect(titles(claims)).toEqual([
      'ben Hoodie pending',
      'ana Chest completed',
      'ana Hoodie pending',
    ])
    expect(claims[0]).toEqual({
      id: expect.any(Number),
      claimId: expect.stringMatching(/^PR-[A-Z2-9]{8}$/),
      userId: ben.id,
      prizeId: hoodie,
      status: 'pending',
      contactInfo: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      user: { id: ben.id, username: 'ben', displayName: 'Ben B' },
      prize: { id: hoodie, name: 'Hoodie', redCoinAmount: 0 },
      prizeName: 'Hoodie',
      username: 'ben',
      redCoinAmount: 0,
      isAutoCompleted: false,
      deletedAt: null,
    })
    const chest = { prize: { redCoinAmount: 9 }, redCoinAmount: 9, isAutoCompleted: true }
    expect(claims[1]).toMatchObject(chest)
    expect(titles(await boss.read(`${path}?_=5&sort=x&contact=without`))).toHaveLength(3)
  })

  it('is one page with any of the four', async () => {
    const first = await page('page=1&limit=2')
    expect(first).toMatchObject({ searchMode: false, total: 3, totalPages: 2, page: 1, limit: 2 })
    expect(first.claimsTotal).toBe(3)
    expect(first.claims).toEqual((await all()).slice(0, 2))
    expect(titles((await page('page=2&limit=2')).claims)).toEqual(['ana Hoodie pending'])
    for (const query of ['status=', 'search=', 'status=lost&limit=201&page=-1']) {
      expect(await page(query), query).toMatchObject({ total: 3, page: 1, limit: 50 })
    }
    expect(await page('limit=200')).toMatchObject({ limit: 200 })
    for (const [status, total] of [
      ['all', 3],
      ['pending', 2],
      ['processing', 0],
      ['completed', 1],
      ['deleted', 0],
    ] as const) {
      const answer = await page(`status=${status}`)
      expect([status, answer.total, answer.claims.length]).toEqual([status, total, total])
    }
  })

  it('is sorted by age, status, winner and prize, both ways, page after page', async () => {
    const [newest] = await all()
    // Two of one status, and room for one of them.
    for (const [query, first] of [
      ['sort=status&limit=1', []],
      ['sort=-status&limit=2', ['ana Chest completed']],
    ] as const) {
      expect(titles((await page(query)).claims)).toEqual([...first, 'ben Hoodie pending'])
    }
    await patch(newest!.id, { status: 'processing' })
    for (const [sort, names] of [
      ['-createdAt', ['ben Hoodie processing', 'ana Chest completed', 'ana Hoodie pending']],
      ['createdAt', ['ana Hoodie pending', 'ana Chest completed', 'ben Hoodie processing']],
      ['status', ['ana Hoodie pending', 'ben Hoodie processing', 'ana Chest completed']],
      ['-status', ['ana Chest completed', 'ben Hoodie processing', 'ana Hoodie pending']],
      ['user', ['ana Chest completed', 'ana Hoodie pending', 'ben Hoodie processing']],
      ['-user', ['ben Hoodie processing', 'ana Chest completed', 'ana Hoodie pending']],
      ['prize', ['ana Chest completed', 'ben Hoodie processing', 'ana Hoodie pending']],
      ['-prize', ['ben Hoodie processing', 'ana Hoodie pending', 'ana Chest completed']],
    ] as const) {
      // A search in which everything is found stands in the same order.
      for (const found of ['', '&search=e']) {
        const pages = []
        for (let number = 1; number <= 3; number += 1) {
          pages.push(titles((await page(`sort=${sort}${found}&limit=2&page=${number}`)).claims))
        }
        const parts = [names.slice(0, 2), names.slice(2), []]
        expect([sort, found, pages]).toEqual([sort, found, parts])
      }
      const chests = await page(`sort=${sort}&status=completed`)
      expect(titles(chests.claims)).toEqual(['ana Chest completed'])
    }
    expect(titles((await page('page=1&sort=colour')).claims)).toEqual(titles(await all()))
  })

  it('finds by Claim ID, username, display name and prize name', async () => {
    await t.rows('UPDATE users SET display_name = $2 WHERE id = $1', [ana.id, 'The First'])
    const [newest] = await all()
    for (const [search, total] of [
      [newest!.claimId.slice(3, 9).toLowerCase(), 1],
      ['BEN', 1],
      ['ana', 2],
      ['the first', 2],
      ['hood', 2],
      ['%', 0],
    ] as const) {
      const found = await page(`search=${encodeURIComponent(search)}`)
      expect([search, found.total, found.searchMode]).toEqual([search, total, true])
    }
    expect(await page('search=+ana+&status=pending')).toMatchObject({ total: 1, claimsTotal: 3 })
  })

  it('is a file, with delivery details only where they are asked for', async () => {
    const [claim] = await all()
    await patch(claim!.id, { contactInfo: { city: 'Porto', note: '"quoted"' } })
    const plain = await boss.get(`${path}.csv?search=ben`)
    expect(plain.headers['content-disposition']).toBe('attachment; filename="prize-claims.csv"')
    expect(plain.body.split('\r\n')).toHaveLength(3)
    expect(plain.body).not.toContain('Porto')
    const full = (await boss.get(`${path}.csv?search=ben&contact=with`)).body
    expect(full).toContain('"{""city"":""Porto"",""note"":""\\""quoted\\""""}"')
  })

  it('is found for a file as for a page, along an index where few have the word', async () => {
    const query = { search: 'ben', status: 'all', contact: 'without' } as const
    const asked: string[] = []
    const db = askedDatabase(t.db, ({ name }) => {
      if (/^(sample|find)_/.test(name)) asked.push(name)
      // Whether the page of so small a table is in a sample is chance.
      return name.startsWith('sample_') ? [] : undefined
    })
    const view = { ...query, isPaged: true, page: 1, limit: 50, sort: '-createdAt' } as const
    const open = () => undefined
    expect(await claimsPage(db, view, open)).toMatchObject({ total: 1 })
    const forPage = asked.splice(0)
    expect(forPage).toContain('find_claims_all')
    let file = ''
    for await (const piece of claimsFile(db, query, open)) file += piece
    expect(asked).toEqual(forPage)
    expect(file.split('\r\n')).toHaveLength(3)
  })
})

describe('a claim', () => {
  it('moves to processing, back, and to its end, which is final', async () => {
    const claim = (await all())[2]!
    const steps: [string, number, string][] = [
      ['pending', 409, 'Claim is already pending'],
      ['processing', 200, ''],
      ['processing', 409, 'Claim is already processing'],
      ['pending', 200, ''],
      ['processing', 200, ''],
      ['completed', 200, ''],
      ['completed', 409, 'Claim is already completed'],
      ['pending', 409, 'Claim is already completed'],
      ['shipped', 400, 'Invalid status'],
    ]
    const heard: unknown[] = []
    const stop = t.deps.events.subscribe((event) => heard.push(event))
    for (const [status, code, message] of steps) {
      const answer = await patch(claim.id, { status })
      expect([status, answer.statusCode]).toEqual([status, code])
      if (code === 200) expect(answer.json()).toMatchObject({ id: claim.id, status })
      else expect(answer.json()).toMatchObject({ message, error: message })
    }
    stop()
    expect(heard).toEqual(Array(4).fill({ type: 'user_changed', userId: ana.id }))
    const own = (await ana.read('/api/user/prize-claims/paginated')).claims[0]
    expect(own.timeline.map((step: { status: string }) => step.status)).toEqual([
      null,
      'processing',
      'pending',
      'processing',
      'completed',
    ])
    const noted = `SELECT before, after FROM audit_log WHERE action = 'claim.update' ORDER BY id`
    expect((await t.rows(noted)).slice(0, 1)).toEqual([
      { before: { status: 'pending' }, after: { status: 'processing' } },
    ])
    await t.expectTrueBooks()
  })

  it('is known by its Claim ID too, and cannot be changed where none is or RedCoin was paid', async () => {
    const [claim, paid] = await all()
    expect((await patch(paid!.id, { status: 'pending' })).statusCode).toBe(409)
    expect((await patch(claim!.claimId, { status: 'completed' })).json().id).toBe(claim!.id)
    for (const id of ['2000000000', 'PR-NOTHING2', '-1', '0x1', '%00']) {
      const answer = await patch(id, { status: 'completed' })
      expect([id, [400, 404].includes(answer.statusCode)]).toEqual([id, true])
    }
  })

  it('keeps contact details sealed, in any form, and removes them', async () => {
    const [claim] = await all()
    for (const contactInfo of [
      { email: 'ben@example.org', lines: ['1 Road'] },
      'Ask at the desk',
    ]) {
      const answer = await patch(claim!.id, { contactInfo })
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toMatchObject({ contactInfo, status: 'pending' })
      expect((await all())[0]!.contactInfo).toEqual(contactInfo)
    }
    const stored = JSON.stringify(await t.rows('SELECT * FROM prize_claims, audit_log'))
    expect(stored).not.toMatch(/Ask at|ben@|Road/)
    const both = await patch(claim!.id, { status: 'completed', contactInfo: null })
    expect(both.json()).toMatchObject({ contactInfo: null, status: 'completed' })
    expect(await told(patch(claim!.id, {}))).toBe('400 Status or contact info is required')
    for (const [contactInfo, message] of [
      [5, 'Contact info must be an object or a text'],
      [{ city: 'a\0' }, 'Contact info contains a character that is not allowed'],
    ]) {
      expect(await told(patch(claim!.id, { contactInfo }))).toBe(`400 ${message}`)
    }
    const own = (await ben.read('/api/user/prize-claims/paginated')).claims[0]
    expect(own.timeline.map((step: { kind: string }) => step.kind)).toEqual([
      'created',
      'delivery_saved',
      'delivery_saved',
      'status',
      'delivery_erased',
    ])
  })

  it('shows staff what the winner has saved, and the winner what staff have saved', async () => {
    const [claim] = await all()
    const delivery = { name: 'Ben', addressLines: ['1 Road'], city: 'Porto', country: 'Portugal' }
    await ben.send('PUT', `/api/user/prize-claims/${claim!.claimId}/delivery`, delivery)
    expect((await all())[0]!.contactInfo).toMatchObject(delivery)
    const saved = { ...delivery, city: 'Faro', postalCode: null, phone: null, note: null }
    await patch(claim!.id, { contactInfo: saved })
    const own = await ben.get(`/api/user/prize-claims/${claim!.claimId}/delivery`)
    expect(own.json().delivery).toEqual(saved)
  })
})

describe('deleting claims', () => {
  const remove = (url: string) => boss.send('DELETE', url)

  it('takes one by either address, whatever its status, and leaves the books true', async () => {
    const [pending, paid] = await all()
    const stock = () => t.value('SELECT inventory_quantity FROM prizes WHERE id = $1', [hoodie])
    const before = await stock()
    for (const url of [`${path}/${pending!.id}`, `/api/test/admin-prize-claims/${paid!.claimId}`]) {
      const answer = await remove(url)
      expect([url, answer.statusCode, answer.json().success]).toEqual([url, 200, true])
      expect((await remove(url)).statusCode).toBe(404)
    }
    expect(titles(await all())).toEqual(['ana Hoodie pending'])
    expect((await patch(pending!.id, { status: 'completed' })).statusCode).toBe(404)
    expect((await ben.read('/api/user/prize-claims/paginated')).claims).toEqual([])
    expect(await stock()).toBe(before)
    await t.expectTrueBooks()
  })

  it('is told as one change of everybody when a great many are concerned', async () => {
    await t.rows(
      `WITH many AS (INSERT INTO users (twitch_id, username, display_name)
         SELECT 'many' || n, 'many' || n, 'Many ' || n FROM generate_series(1, 300) n RETURNING id)
       INSERT INTO prize_claims (user_id, prize_id, claim_id, prize_name, prize_description,
         red_coin_amount, pack_quantity)
       SELECT m.id, $1, 'C' || m.id, 'Hoodie', '', 9, 0 FROM many m`,
      [hoodie],
    )
    const heard: unknown[] = []
    const stop = t.deps.events.subscribe((event) => heard.push(event))
    const { batchId } = (await remove(path)).json()
    await boss.send('POST', `${path}/restore`, { batchId })
    stop()
    expect(heard).toEqual([{ type: 'everybody_changed' }, { type: 'everybody_changed' }])
  })

  it('takes one or all at once, says how many, and can be taken back', async () => {
    const before = await all()
    const restore = (body: object) => boss.send('POST', `${path}/restore`, body)
    const [claim] = before
    await remove(`${path}/${claim!.id}`)
    const rest = (await remove(path)).json()
    expect(rest).toMatchObject({ success: true, deletedCount: 2 })
    expect((await remove(path)).json()).toMatchObject({ deletedCount: 0, batchId: null })
    expect(await page('status=deleted')).toMatchObject({ total: 3, claimsTotal: 0 })
    const { batchId } = rest
    expect((await restore({ ids: [claim!.id], reason: 'By mistake' })).json()).toMatchObject({
      message: '1 prize claim restored',
      restoredCount: 1,
    })
    expect((await restore({ batchId })).json()).toMatchObject({
      message: '2 prize claims restored',
      restoredCount: 2,
    })
    const shape = ({ updatedAt: _updatedAt, ...rest }: AdminClaim) => rest
    expect((await all()).map(shape)).toEqual(before.map(shape))
    expect((await restore({ batchId })).statusCode).toBe(404)
    for (const body of [{}, { ids: [] }, { ids: [1], batchId }, { batchId: 'x' }, { ids: ['y'] }]) {
      expect((await restore(body)).statusCode).toBe(400)
    }
    const actions = await t.rows<{ action: string; reason: string | null }>(
      `SELECT action, reason FROM audit_log WHERE action <> 'claim.read_list' ORDER BY id`,
    )
    expect(actions.map(({ action, reason }) => [action, reason])).toEqual([
      ['claim.delete', null],
      ['claim.delete_all', null],
      ['claim.delete_all', null],
      ['claim.restore', 'By mistake'],
      ['claim.restore', null],
    ])
    await t.expectTrueBooks()
  })
})
