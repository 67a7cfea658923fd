// Bulk grants by file: what is applied, what is said of every row, the receipt, the reversal.

import {
  BatchesResponse,
  BatchResponse,
  BulkResponse,
  PreviewResponse,
  ReverseBatchResponse,
} from '@redpack/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { csvForm } from '../../../test/csv-form.ts'
import { coded, type Person, told, useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const packsUrl = '/api/admin/bulk-distribute-packs'
const coinsUrl = '/api/admin/bulk-distribute-redcoin'
const previewUrl = '/api/admin/batches/preview'

async function scene() {
  const gold = await t.packType('Gold')
  return {
    gold,
    boss: await t.person('boss', { role: 'admin' }),
    ana: await t.person('ana', { coins: 100, packs: { [gold]: 5 } }),
    ben: await t.person('ben'),
  }
}

function upload(
  person: Person,
  url: string,
  text: string | Buffer,
  more: Parameters<typeof csvForm>[1] & { readonly headers?: Record<string, string> } = {},
) {
  const { payload, headers } = csvForm(text, more)
  return person.send('POST', url, payload, { ...headers, ...more.headers })
}

const coins = async (person: Person) => (await person.read('/api/auth/me')).redCoinBalance
const packs = async (person: Person) =>
  (await person.read('/api/user/packs')).map(({ packTypeId, quantity }: Record<string, number>) => [
    packTypeId,
    quantity,
  ])
const counts = async () =>
  (
    await t.rows(
      `SELECT (SELECT count(*)::int FROM bulk_batches) AS batches,
         (SELECT count(*)::int FROM bulk_batch_rows) AS rows,
         (SELECT count(*)::int FROM bulk_files) AS files,
         (SELECT count(*)::int FROM audit_log) AS audit,
         (SELECT count(*)::int FROM red_coin_transactions) AS ledger,
         (SELECT count(*)::int FROM pack_transactions) AS packs`,
    )
  )[0]

afterEach(() => t.expectTrueBooks())

describe('the packs of a file', () => {
  const doors = [
    ['/api/admin/bulk-distribute', 'csv'],
    [packsUrl, 'file'],
  ] as const

  it('are those of username,quantity, by either address, and can be opened', async () => {
    const { boss, ana, ben, gold } = await scene()
    for (const [url, field] of doors) {
      const answer = await upload(boss, url, 'username,quantity\nana,2\nben,3\n', {
        field,
        fields: { packTypeId: String(gold), applyAgain: 'true' },
      })
      expect(answer.statusCode).toBe(200)
      expect(BulkResponse.parse(answer.json())).toEqual({
        success: true,
        message: 'Distributed 5 × Gold to 2 users',
        batchId: expect.any(String),
        processedCount: 2,
        failedCount: 0,
        errors: [],
      })
    }
    expect([await packs(ana), await packs(ben)]).toEqual([[[gold, 9]], [[gold, 6]]])
    expect((await ben.open(gold, 3)).statusCode).toBe(200)
  })

  it('need a pack type and a file, by either address', async () => {
    const { boss, gold } = await scene()
    const missing = '400 Please select a pack type and CSV file'
    const text = 'username,quantity\nana,2'
    for (const [url, field] of doors) {
      expect(await told(upload(boss, url, text, { field }))).toBe(missing)
      const { payload, headers } = csvForm(undefined, { fields: { packTypeId: String(gold) } })
      expect(await told(boss.send('POST', url, payload, headers))).toBe(missing)
      const unknown = upload(boss, url, text, { field, fields: { packTypeId: '999999' } })
      expect(await told(unknown)).toBe('404 Pack type not found')
    }
  })
})

describe('POST /api/admin/bulk-distribute-redcoin', () => {
  it('gives the RedCoin of username,amount and says which rows failed', async () => {
    const { boss, ana, ben } = await scene()
    const lines = ['ana,1200', 'Ana,5', '', 'ben,x', 'ana,1', 'zoe,3', 'boss,-50', '']
    const heard: unknown[] = []
    const stop = t.deps.events.subscribe((event) => heard.push(event))
    const answer = await upload(boss, coinsUrl, ['username,amount', ...lines].join('\r\n'))
    stop()
    expect(BulkResponse.parse(answer.json())).toEqual({
      success: true,
      message: 'Distributed 1,200 RedCoin to 1 user',
      batchId: expect.any(String),
      processedCount: 1,
      failedCount: 5,
      errors: [
        { row: 3, username: 'Ana', reason: 'unknown user' },
        { row: 5, username: 'ben', reason: 'not a whole number' },
        { row: 6, username: 'ana', reason: 'duplicate' },
        { row: 7, username: 'zoe', reason: 'unknown user' },
        { row: 8, username: 'boss', reason: 'below 1' },
      ],
    })
    expect([await coins(ana), await coins(ben)]).toEqual([1_300, 0])
    // The screens of those it reached, and nobody else's.
    const ofAna = ['user_changed', 'holdings_changed'].map((type) => ({ type, userId: ana.id }))
    expect(heard).toEqual([...ofAna, { type: 'leaderboard_changed' }])
  })

  it('refuses what is no CSV file, one that is too long or large, and a call without one', async () => {
    const { boss } = await scene()
    const good = 'username,amount\nana,1'
    const only = 'Only CSV files are allowed'
    const cases: [string | Buffer | undefined, string | undefined, string][] = [
      [undefined, undefined, 'Please select a CSV file'],
      [good, 'names.txt', only],
      [good, 'names.csv.exe', only],
      [Buffer.from([0x61, 0xfe, 0]), 'a.csv', 'The CSV file is not UTF-8 text'],
      ['', 'a.csv', 'The CSV file needs a header row: username,amount'],
      ['ana,1', 'a.csv', 'The CSV file needs a header row: username,amount'],
      ['username,amount\n', 'a.csv', 'The CSV file has no rows below its header'],
      [
        `username,amount\n${'ana,1\n'.repeat(10_001)}`,
        'a.csv',
        'The CSV file must have 10,000 rows or less',
      ],
    ]
    for (const [text, fileName, message] of cases) {
      const { payload, headers } = csvForm(text, { fileName })
      const answer = await boss.send('POST', coinsUrl, payload, headers)
      expect([message, answer.statusCode, answer.json().message]).toEqual([message, 400, message])
    }
    const large = `username,amount\n${'x'.repeat(5 * 1024 * 1024)}`
    expect((await upload(boss, coinsUrl, large)).statusCode).toBe(413)
    expect(await counts()).toMatchObject({ batches: 0, audit: 0, ledger: 1 })
    const names = Array.from({ length: 9_999 }, (_, at) => `${String(at).padStart(100, 'é')},1`)
    const most = await upload(boss, coinsUrl, ['username,amount', 'ana,1', ...names].join('\n'))
    expect([most.statusCode, most.json().failedCount]).toEqual([200, 9_999])
  })

  it('answers 400 with every row when none can be applied, and remembers nothing', async () => {
    const { boss } = await scene()
    const file = 'amount,username\n5,zoe\n0,ana\n'
    // RedCoin has no pack type, whatever a form still says.
    const fields = { kind: 'redcoin', packTypeId: '999999' }
    const seen = await upload(boss, previewUrl, file, { fields })
    expect(seen.json()).toMatchObject({ processedCount: 0, failedCount: 2, total: 0 })
    const answer = await upload(boss, coinsUrl, file)
    expect(answer.statusCode).toBe(400)
    const unknown = 'unknown user'
    expect(answer.json()).toMatchObject({
      message: 'No row of the CSV file could be applied',
      errors: [
        { ...{ path: 'row 2', message: unknown }, row: 2, username: 'zoe', reason: unknown },
        { ...{ path: 'row 3', message: 'below 1' }, row: 3, username: 'ana', reason: 'below 1' },
      ],
    })
    expect(await counts()).toMatchObject({ batches: 0, rows: 0, files: 0, audit: 0, ledger: 1 })
  })
})

it('more RedCoin in all than can be counted is refused, by file or by name', async () => {
  const { boss } = await scene()
  const before = await counts()
  const amount = 2 ** 53 - 1
  const file = `username,amount\nboss,${amount}\nben,${amount}\n`
  const usernames = ['boss', 'ben']
  for (const answer of [
    await upload(boss, previewUrl, file, { fields: { kind: 'redcoin' } }),
    await upload(boss, coinsUrl, file),
    await boss.send('POST', '/api/admin/distribute-redcoin', { usernames, amount }),
  ]) {
    expect([answer.statusCode, answer.json().message]).toEqual([400, 'Amount is too large'])
  }
  expect(await counts()).toEqual(before)
})

it('a file may have a long name with a character of two halves where it is cut', async () => {
  const { boss } = await scene()
  const fileName = `😀${'a'.repeat(195)}.csv`
  const answer = await upload(boss, coinsUrl, 'username,amount\nana,5', { fileName })
  expect([answer.statusCode, answer.json().processedCount]).toEqual([200, 1])
  expect(await t.column('SELECT file_name FROM bulk_batches')).toEqual([fileName])
})

describe('the same file', () => {
  const file = 'username,amount\nana,5\nzoe,1\n'

  it('gives nothing for 24 hours, whoever sends it, and says exactly that', async () => {
    const { boss, ana } = await scene()
    const other = await t.person('other', { role: 'super_user' })
    const first = await upload(boss, coinsUrl, file)
    const before = await counts()
    const second = await upload(other, coinsUrl, file, { fileName: 'renamed.csv' })
    expect(second.json()).toEqual({
      success: true,
      message: 'This file was already applied. Nothing was given.',
      batchId: first.json().batchId,
      processedCount: 0,
      failedCount: 0,
      alreadyApplied: true,
      appliedAt: expect.stringMatching(/Z$/),
      errors: [],
    })
    expect(first.json()).not.toHaveProperty('alreadyApplied')
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(await counts()).toEqual(before)
    expect(await coins(ana)).toBe(105)
    t.clock.advance(24 * 3_600)
    const late = await t.person('late', { role: 'admin' })
    const nextDay = await upload(late, coinsUrl, file)
    expect(nextDay.json().batchId).not.toBe(first.json().batchId)
    const balance = 'SELECT red_coin_balance FROM users WHERE id = $1'
    expect(await t.value(balance, [ana.id])).toBe(110)
  })

  it('is granted as a new batch when that is asked for, or when every one was reversed', async () => {
    const { boss, ana } = await scene()
    const { batchId: first } = (await upload(boss, coinsUrl, file)).json()
    t.clock.advance(1)
    const more = { fields: { applyAgain: 'true' } }
    const { batchId: again } = (await upload(boss, coinsUrl, file, more)).json()
    for (const standing of [again, first]) {
      expect(await coins(ana)).toBe(standing === again ? 110 : 105)
      const seen = await upload(boss, previewUrl, file, { fields: { kind: 'redcoin' } })
      expect(seen.json().appliedBefore.batchId).toBe(standing)
      expect((await upload(boss, coinsUrl, file)).json().alreadyApplied).toBe(true)
      await boss.send('POST', `/api/admin/batches/${standing}/reverse`)
    }
    expect((await upload(boss, coinsUrl, file)).json()).toMatchObject({ processedCount: 1 })
    expect(await coins(ana)).toBe(105)
  })

  it('is another action for another pack type', async () => {
    const { boss, ana, gold } = await scene()
    const iron = await t.packType('Iron')
    for (const packTypeId of [gold, iron, gold]) {
      await upload(boss, packsUrl, 'username,quantity\nana,1', {
        fields: { packTypeId: String(packTypeId) },
      })
    }
    expect(await packs(ana)).toEqual([
      [gold, 6],
      [iron, 1],
    ])
  })

  it('counts once under one Idempotency-Key, which takes no other call', async () => {
    const { boss, ana } = await scene()
    const key = { headers: { 'idempotency-key': 'one' } }
    const first = await upload(boss, coinsUrl, file, key)
    const second = await upload(boss, coinsUrl, file, key)
    expect([second.statusCode, second.body]).toEqual([200, first.body])
    const again = upload(boss, coinsUrl, file, { ...key, fields: { applyAgain: 'true' } })
    for (const other of [upload(boss, coinsUrl, 'username,amount\nana,6', key), again]) {
      expect(await coded(other)).toBe('422 idempotency_mismatch')
    }
    expect(await coins(ana)).toBe(105)
  })
})

/** As a sign-in with another name does. */
const renameBen = (name: string) =>
  t.rows(
    `WITH before AS (SELECT id, username FROM users WHERE username = 'ben'), given_up AS (
       INSERT INTO former_usernames (user_id, username, until) SELECT *, now() FROM before
     )
     UPDATE users SET username = $1 WHERE id = (SELECT id FROM before)`,
    [name],
  )

describe('POST /api/admin/batches/preview', () => {
  it('says what applying does, row by row, and changes nothing', async () => {
    const { boss, ana, gold } = await scene()
    await renameBen('benjamin')
    const file = 'username,quantity\nana,2\nben,1\nzoe,1\nana,9\nbenjamin,2147483647\n'
    const before = await counts()
    const preview = await upload(boss, previewUrl, file, {
      fields: { kind: 'packs', packTypeId: String(gold) },
    })
    const seen = PreviewResponse.parse(preview.json())
    expect(seen).toMatchObject({
      packType: { id: gold, name: 'Gold' },
      fileName: 'names.csv',
      processedCount: 2,
      failedCount: 3,
      total: 2_147_483_649,
      appliedBefore: null,
    })
    expect(seen.rows.map(({ row, verdict, reason }) => [row, verdict, reason])).toEqual([
      [2, 'ok', null],
      [3, 'renamed', 'renamed to benjamin'],
      [4, 'unknown', 'unknown user'],
      [5, 'duplicate', 'duplicate'],
      [6, 'ok', null],
    ])
    expect(seen.rows[0]).toMatchObject({ userId: ana.id, amount: 2, applied: 2, after: 7 })
    expect(await counts()).toEqual(before)

    const applied = await upload(boss, packsUrl, file, { fields: { packTypeId: String(gold) } })
    const { batchId, processedCount } = applied.json()
    expect(processedCount).toBe(seen.processedCount)
    const stored = BatchResponse.parse(await boss.read(`/api/admin/batches/${batchId}`))
    expect(stored.rows).toEqual(seen.rows)
    expect(stored.batch).toMatchObject({ total: seen.total, fileHash: seen.fileHash })

    const again = await upload(boss, previewUrl, file, {
      fields: { kind: 'packs', packTypeId: String(gold) },
    })
    expect(again.json()).toMatchObject({
      appliedBefore: { batchId },
      rows: [{ verdict: 'ok' }, {}, {}, {}, { verdict: 'over_limit', reason: 'over the limit' }],
    })
  })

  it('refuses what applying refuses', async () => {
    const { boss } = await scene()
    const fields = { kind: 'packs' }
    const refused = upload(boss, previewUrl, 'username,quantity\nana,1', { fields })
    expect(await told(refused)).toBe('400 Please select a pack type and CSV file')
  })
})

describe('a batch', () => {
  it('is in the list, with its rows, its receipt as a file, and its row in the audit log', async () => {
    const { boss, ana } = await scene()
    const file = 'username,amount\nana,5\n"=zoe",1\n'
    const { batchId } = (await upload(boss, coinsUrl, file, { fileName: 'quiz.csv' })).json()
    const list = BatchesResponse.parse(await boss.read('/api/admin/batches'))
    expect(list).toMatchObject({ total: 1, totalPages: 1, page: 1, limit: 50 })
    expect(list.batches).toEqual([
      {
        id: batchId,
        kind: 'redcoin',
        packType: null,
        createdAt: expect.any(String),
        actor: { id: boss.id, username: 'boss', displayName: 'boss' },
        recipients: 'file',
        description: null,
        fileName: 'quiz.csv',
        fileHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        processedCount: 1,
        failedCount: 1,
        total: 5,
        reverses: null,
        reversedBy: null,
      },
    ])
    const problems = await boss.get(`/api/admin/batches/${batchId}?rows=problems`)
    expect(problems.json()).toMatchObject({ total: 1, rows: [{ row: 3, verdict: 'unknown' }] })
    const receipt = await boss.get(`/api/admin/batches/${batchId}/receipt.csv`)
    expect(receipt.headers['content-disposition']).toContain('attachment')
    expect(receipt.body).toBe(
      [
        '\uFEFFrow,username,displayName,verdict,reason,amount,applied,after',
        '2,ana,ana,ok,,5,5,105',
        "3,'=zoe,,unknown,unknown user,1,0,",
        '',
      ].join('\r\n'),
    )
    const audit = await t.rows('SELECT actor_id, action, target_id, batch_id, after FROM audit_log')
    expect(audit).toEqual([
      {
        actor_id: boss.id,
        action: 'redcoin.bulk_distribute',
        target_id: batchId,
        batch_id: batchId,
        after: { fileName: 'quiz.csv', packTypeId: null, users: 1, failedRows: 1, changed: 5 },
      },
    ])
    const paid = 'SELECT user_id, amount FROM red_coin_transactions WHERE source_id = $1'
    expect(await t.rows(paid, [batchId])).toEqual([{ user_id: ana.id, amount: 5 }])
  })

  it('is unknown by another id', async () => {
    const { boss } = await scene()
    const id = '00000000-0000-4000-8000-000000000000'
    for (const path of [`/${id}`, `/${id}/receipt.csv`]) {
      expect((await boss.get(`/api/admin/batches${path}`)).statusCode).toBe(404)
    }
    expect(await told(boss.send('POST', `/api/admin/batches/${id}/reverse`))).toBe(
      '404 Batch not found',
    )
    expect((await boss.get('/api/admin/batches/nonsense')).statusCode).toBe(400)
  })
})

describe('POST /api/admin/batches/{id}/reverse', () => {
  const reverseUrl = (id: string) => `/api/admin/batches/${id}/reverse`

  it('takes back what is there, names who has spent it, and is a batch itself', async () => {
    const { boss, ana, ben, gold } = await scene()
    const zoe = await t.person('zoe')
    const file = 'username,quantity\nana,2\nben,4\nzoe,3\nnobody,1\n'
    const fields = { packTypeId: String(gold) }
    const { batchId } = (await upload(boss, packsUrl, file, { fields })).json()
    await ben.open(gold, 3)
    await zoe.open(gold, 3)
    const answer = await boss.send('POST', reverseUrl(batchId))
    const reversal = ReverseBatchResponse.parse(answer.json())
    expect(reversal).toEqual({
      success: true,
      message: 'Took back 3 of 9 × Gold',
      batchId: expect.any(String),
      processedCount: 2,
      totalTaken: 3,
      shortfall: 6,
      spentCount: 2,
      spent: [
        { userId: ben.id, username: 'ben', given: 4, taken: 1 },
        { userId: zoe.id, username: 'zoe', given: 3, taken: 0 },
      ],
    })
    expect([await packs(ana), await packs(ben)]).toEqual([[[gold, 5]], [[gold, 0]]])
    const list = BatchesResponse.parse(await boss.read('/api/admin/batches'))
    expect(
      list.batches.map(({ id, total, reverses, reversedBy }) => [id, total, reverses, reversedBy]),
    ).toEqual(
      expect.arrayContaining([
        [reversal.batchId, -3, batchId, null],
        [batchId, 9, null, reversal.batchId],
      ]),
    )
    const rows = (await boss.read(`/api/admin/batches/${reversal.batchId}`)).rows
    expect(
      rows.map(({ username, verdict, reason, applied }: Record<string, unknown>) => [
        username,
        verdict,
        reason,
        applied,
      ]),
    ).toEqual([
      ['ana', 'ok', null, -2],
      ['ben', 'spent', '3 spent', -1],
      ['zoe', 'spent', '3 spent', 0],
    ])
    const [audit] = await t.rows('SELECT * FROM audit_log ORDER BY id DESC')
    expect(audit).toMatchObject({
      action: 'packs.bulk_reverse',
      target_type: 'bulk_batch',
      target_id: batchId,
      before: { given: 9, users: 3 },
      after: { taken: 3, shortfall: 6, usersShort: 2 },
    })
  })

  it('happens once, and never to a reversal', async () => {
    const { boss, ana } = await scene()
    const { batchId } = (await upload(boss, coinsUrl, 'username,amount\nana,5')).json()
    const key = { 'idempotency-key': 'r' }
    const first = await boss.send('POST', reverseUrl(batchId), undefined, key)
    expect((await boss.send('POST', reverseUrl(batchId), undefined, key)).body).toBe(first.body)
    expect(await told(boss.send('POST', reverseUrl(batchId)))).toBe(
      '409 This batch has been reversed already',
    )
    expect(await told(boss.send('POST', reverseUrl(first.json().batchId)))).toBe(
      '409 A reversal cannot be reversed',
    )
    expect(await coins(ana)).toBe(100)
  })

  it('passes over who has left, whose name is gone from every receipt', async () => {
    const { boss, ana, ben } = await scene()
    const file = 'username,amount\nana,5\nben,5\nana,7'
    const { batchId } = (await upload(boss, coinsUrl, file)).json()
    await renameBen('Ben2')
    await upload(boss, coinsUrl, 'username,amount\nana,1\nben,2')
    expect((await ben.send('DELETE', '/api/user', { confirm: 'Ben2' })).statusCode).toBe(200)
    const answer = await boss.send('POST', reverseUrl(batchId))
    expect(answer.json()).toMatchObject({
      totalTaken: 5,
      shortfall: 5,
      spent: [{ userId: ben.id, username: `deleted-${ben.id}`, given: 5, taken: 0 }],
    })
    expect(await coins(ana)).toBe(101)
    const words = await t.rows(
      `SELECT username || coalesce(reason, '') AS words FROM bulk_batch_rows
       UNION ALL SELECT username FROM former_usernames`,
    )
    expect(JSON.stringify(words)).not.toMatch(/ben/i)
  })
})
