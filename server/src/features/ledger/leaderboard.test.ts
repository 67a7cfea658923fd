import { setImmediate } from 'node:timers/promises'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useTestDeps } from '../../../test/deps.ts'

const deps = useTestDeps()
const path = '/api/redcoin/leaderboard'

beforeEach(() => deps.deps.events.publish({ type: 'leaderboard_changed' }))

const read = (query = '', headers: Record<string, string> = {}) =>
  deps.visitor.get(`${path}${query}`, headers)

describe('GET /api/redcoin/leaderboard', () => {
  it('answers everyone, without a session, with every field and nothing else', async () => {
    const ana = await deps.person('ana', { coins: 10 })
    const ben = await deps.person('ben', { coins: 300 })
    await deps.rows(
      `UPDATE users SET avatar = '/ben.png', display_name = 'Ben B', email = 'b@example.org',
         solana_wallet = 'w', discord_id = '5' WHERE id = $1`,
      [ben.id],
    )
    const answer = await read()
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.json()).toEqual([
      { rank: 1, displayName: 'Ben B', username: 'ben', avatar: '/ben.png', redCoinBalance: 300 },
      { rank: 2, displayName: 'ana', username: 'ana', avatar: null, redCoinBalance: 10 },
    ])
    expect(await ana.read(path)).toEqual(answer.json())
  })

  it('answers an empty list while nobody has RedCoin', async () => {
    await deps.person('ana')
    expect((await read()).json()).toEqual([])
  })

  it('leaves out the protected account, hidden and removed people, and breaks ties by id', async () => {
    const first = await deps.person('first', { coins: 5 })
    const second = await deps.person('second', { coins: 5 })
    for (const [name, change] of [
      ['local', 'is_protected = true'],
      ['hidden', 'is_hidden_from_leaderboard = true'],
      ['gone', 'deleted_at = now()'],
    ] as const) {
      const { id } = await deps.person(name, { coins: 1000 })
      await deps.rows(`UPDATE users SET ${change} WHERE id = $1`, [id])
    }
    expect(first.id).toBeLessThan(second.id)
    expect((await read()).json().map((entry: { username: string }) => entry.username)).toEqual([
      'first',
      'second',
    ])
  })

  it('honours a limit from 1 to 10000, and 50 for any other', async () => {
    await deps.rows(
      `INSERT INTO users (username, display_name, red_coin_balance)
       SELECT 'u' || n, 'U' || n, n FROM generate_series(1, 60) n`,
    )
    for (const [query, count] of [
      ['', 50],
      ['?limit=3', 3],
      ['?limit=53', 53],
      ['?limit=1', 1],
      ['?limit=10000', 60],
      ['?limit=10001', 50],
      ['?limit=0', 50],
      ['?limit=-1', 50],
      ['?limit=abc', 50],
      ['?limit=2.5', 50],
    ] as const) {
      expect((await read(query)).json(), query).toHaveLength(count)
    }
    expect((await read('?limit=1')).json()[0].redCoinBalance).toBe(60)
  })
})

describe('the kept answer of the leaderboard', () => {
  it('is named by an ETag and not sent twice', async () => {
    await deps.person('ana', { coins: 10 })
    const first = await read()
    const etag = String(first.headers.etag)
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    expect(first.headers['cache-control']).toBe('no-cache')
    for (const name of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await read('', { 'if-none-match': name })
      expect(again.statusCode).toBe(304)
      expect(again.body).toBe('')
      expect(again.headers.etag).toBe(etag)
    }
    expect((await read('', { 'if-none-match': '"other"' })).statusCode).toBe(200)
  })

  it('is never older than a change of a balance in this process', async () => {
    const ana = await deps.person('ana', { coins: 10 })
    const before = await read()
    for (let balance = 11; balance < 31; balance += 1) {
      await deps.rows('UPDATE users SET red_coin_balance = $2 WHERE id = $1', [ana.id, balance])
      deps.deps.events.publish({ type: 'user_changed', userId: ana.id })
      const after = await read('', { 'if-none-match': String(before.headers.etag) })
      expect(after.statusCode).toBe(200)
      expect(after.json()[0].redCoinBalance).toBe(balance)
    }
  })

  it('reads long rankings once for all who ask while balances change, and hides at once', async () => {
    const ana = await deps.person('ana', { coins: 5_000 })
    await deps.rows(
      `INSERT INTO users (username, display_name, red_coin_balance)
       SELECT 'u' || n, '},{"rank":' || n, n FROM generate_series(1, 1100) n`,
    )
    const whole = (await read('?limit=10000')).json()
    expect(whole).toHaveLength(1_101)
    const runs = vi.spyOn(deps.db, 'run')
    const limits = Array.from({ length: 30 }, (_, index) => 1_001 + index * 3)
    const answers: ReturnType<typeof read>[] = []
    for (const limit of limits) {
      deps.deps.events.publish({ type: 'user_changed', userId: ana.id })
      answers.push(read(`?limit=${limit}`))
      // One that is read has begun before the next change.
      await setImmediate()
    }
    for (const [index, answer] of (await Promise.all(answers)).entries()) {
      expect(answer.body).toBe(JSON.stringify(whole.slice(0, limits[index])))
    }
    deps.deps.events.publish({ type: 'streams_changed' })
    await read('?limit=1001')
    const readings = runs.mock.calls.filter(([{ name }]) => name === 'read_leaderboard')
    expect(readings.length).toBeLessThanOrEqual(2)
    await ana.send('PUT', '/api/user/leaderboard-visibility', { isHidden: true })
    expect((await read('?limit=1001')).json()[0].username).toBe('u1100')
  })
})
