// Shown names, the list of words, and suspensions: what staff decide, and what everybody then sees.

import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, told, useTestDeps } from '../../../test/deps.ts'
import { sessionCookie } from '../../../test/sessions.ts'
import { signInAs, twitchOf } from '../../../test/sign-in.ts'
import { addStream } from '../../../test/watch-scene.ts'
import { findTombstone, remember } from '../account/leaving-tables.ts'
import { linkDiscord, startAttempt } from '../account/provider-sign-in.ts'
import { redeemReward } from '../discord-bot/redeem-reward.ts'
import { announceCompletion, peopleToName } from '../twitch-bot/tables.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
let boss: Person
let ana: Person
beforeEach(async () => {
  boss = await t.person('boss', { role: 'admin' })
  ana = await t.person('ana', { coins: 40 })
})

const userPath = (what: string, id = ana.id) => `/api/admin/users/${id}/${what}`
const show = (name: string | null, reason = 'Rude', headers = {}) =>
  boss.send('PUT', userPath('shown-name'), { name, reason }, headers)
const board = async () =>
  (await t.app.inject('/api/redcoin/leaderboard'))
    .json()
    .map((row: Record<string, string>) => [row['displayName'], row['username']])
const pageOf = async (id = ana.id) => await boss.read(`/api/admin/users/${id}`)

/** Signs somebody in as Twitch names them now; answers the id of their account. */
const signIn = (id: string, login: string, displayName = login) =>
  signInAs(t.deps, twitchOf(id, login, displayName))

async function leave(id: number): Promise<void> {
  const headers = { cookie: await sessionCookie(t, id), 'content-type': 'application/json' }
  const left = { method: 'DELETE', url: '/api/user', payload: { confirm: 'vera' } } as const
  expect((await t.app.inject({ ...left, headers })).statusCode).toBe(200)
}

async function linkAs(userId: number, id: string): Promise<void> {
  const attempt = await startAttempt(t.deps, 'discord', { token: undefined, userId })
  const identify = async () => ({ id, username: id, avatar: null })
  const callback = { ...attempt, code: 'c', redirectUri: '', sessionToken: undefined }
  const discord = { ...t.deps.discordLink, identify }
  expect(await linkDiscord(t.deps, discord, userId, callback)).toBe('connected')
}

describe('a shown name', () => {
  it('takes the place of the own name everywhere, until it is undone', async () => {
    const hidden = `Viewer ${ana.id}`
    expect((await show(null)).json()).toMatchObject({
      id: ana.id,
      username: 'ana',
      displayName: hidden,
      ownName: 'ana',
    })
    expect(await board()).toEqual([[hidden, hidden]])
    const rank = await ana.read('/api/redcoin/leaderboard/me')
    expect(rank.neighbours[0]).toMatchObject({ displayName: hidden, username: hidden })
    expect((await ana.read('/api/auth/me')).displayName).toBe(hidden)
    const streamId = await addStream(t.rows)
    const [completion] = await t.rows<{ id: number }>(
      `INSERT INTO watch_completions (user_id, stream_id, stream_session_id, watch_time_completed,
         required, completed_at) VALUES ($1, $2, 'b1', 60, 60, $3) RETURNING id`,
      [ana.id, streamId, t.clock.now()],
    )
    await t.rows(
      `INSERT INTO twitch_bot_credentials (bot_username, bot_user_id, access_token, client_id)
       VALUES ('b', '1', '', 'c')`,
    )
    await announceCompletion(t.db, completion!.id, streamId, t.clock.now())
    const chat = { id: 0, lane: String(streamId), isFirst: true, limit: 10 }
    const announced = () => peopleToName(t.db, chat)
    expect((await announced()).map(({ name }) => name)).toEqual([hidden])

    expect((await show('Kind Fox', 'Chosen together')).json().displayName).toBe('Kind Fox')
    expect(await board()).toEqual([['Kind Fox', 'Kind Fox']])
    const undone = await boss.send('DELETE', userPath('shown-name'))
    expect(undone.json()).toMatchObject({ displayName: 'ana', ownName: null })
    expect((await boss.send('DELETE', userPath('shown-name'))).json()).toEqual(undone.json())
    expect(await board()).toEqual([['ana', 'ana']])
    const { standingHistory } = await pageOf()
    expect(standingHistory).toMatchObject([
      { action: 'name.restore', value: null, actor: { id: boss.id } },
      { action: 'name.replace', value: 'Kind Fox', reason: 'Chosen together' },
      { action: 'name.hide', value: hidden, reason: 'Rude' },
    ])
    // The log of staff actions outlives the account, so the own name is not in it.
    const log = `SELECT before ->> 'shownName' AS before, after ->> 'shownName' AS after
      FROM audit_log ORDER BY id`
    expect(await t.rows(log)).toEqual([
      { before: null, after: hidden },
      { before: hidden, after: 'Kind Fox' },
      { before: 'Kind Fox', after: null },
    ])
  })

  it('stands whatever the person and Twitch say, and both names find them', async () => {
    const id = await signIn('77', 'rude_name', 'Rude_Name')
    await t.rows('UPDATE users SET red_coin_balance = 90 WHERE id = $1', [id])
    const hidden = `Viewer ${id}`
    await boss.send('PUT', userPath('shown-name', id), { name: null, reason: 'Rude' })
    expect(await signIn('77', 'ruder_name', 'Ruder_Name')).toBe(id)
    const her = { cookie: await sessionCookie(t, id), 'content-type': 'application/json' }
    const saved = await t.visitor.send(
      'PUT',
      '/api/user/profile',
      { displayName: 'Still Rude' },
      her,
    )
    expect(saved.json()).toMatchObject({ displayName: 'Still Rude', shownName: hidden })
    expect((await board())[0]).toEqual([hidden, hidden])
    for (const search of ['Still Rude', hidden]) {
      const found = await boss.get(`/api/admin/users-with-packs?search=${encodeURI(search)}`)
      expect(found.json().users.map((user: { id: number }) => user.id)).toEqual([id])
    }
    const only = await boss.get('/api/admin/users-with-packs?only=renamed&search=rude')
    expect(only.json()).toMatchObject({ total: 1, users: [{ id }] })
    await boss.send('DELETE', userPath('shown-name', id))
    expect((await board())[0]).toEqual(['Still Rude', 'ruder_name'])
  })

  it('is not shed by leaving, and not brought back once staff have undone it', async () => {
    const shown = async (id: number) => (await pageOf(id)).user.displayName
    const first = await signIn('42', 'vera')
    await boss.send('PUT', userPath('shown-name', first), { name: 'Kind Fox', reason: 'Rude' })
    await leave(first)
    const again = await signIn('42', 'vera')
    expect([await shown(again), await signIn('42', 'vera')]).toEqual([`Viewer ${again}`, again])
    expect((await boss.read('/api/admin/users-with-packs?only=flagged')).total).toBe(1)
    await boss.send('DELETE', userPath('shown-name', again))
    await leave(again)
    expect(await shown(await signIn('42', 'vera'))).toBe('vera')
  })

  it('is remembered as staff thought last, under whichever key of the product that was', async () => {
    const [older, newer] = ['a'.repeat(64), 'b'.repeat(64)]
    const stood = { isEarningBlocked: false, suspendedUntil: null }
    for (const [mark, isNameHidden] of [
      [older, true],
      [newer, false],
    ] as const) {
      const left = [{ provider: 'twitch', id: '42' }] as const
      const tombstone = { ...stood, leftAt: t.clock.now(), isNameHidden }
      const encryption = { fingerprint: () => mark }
      await remember(t.db, encryption, { accounts: left, left }, tombstone)
      t.clock.advance(1)
    }
    expect((await findTombstone(t.db, 'twitch', [newer, older]))?.isNameHidden).toBe(false)
    expect((await findTombstone(t.db, 'twitch', [older]))?.isNameHidden).toBe(true)
  })

  it('counts once under one key, and is not for the protected account', async () => {
    expect((await show(null, ' ')).json().message).toBe('Say why')
    expect((await show('', 'x')).json().message).toBe('Write the name to show')
    const key = { 'idempotency-key': 'k1' }
    expect((await show('Fox', 'x', key)).headers['idempotency-replayed']).toBeUndefined()
    await boss.send('DELETE', userPath('shown-name'))
    expect((await show('Fox', 'x', key)).headers['idempotency-replayed']).toBe('true')
    expect(await board()).toEqual([['ana', 'ana']])
    await t.rows('UPDATE users SET is_protected = true WHERE id = $1', [ana.id])
    expect((await show(null)).json().code).toBe('protected_account')
    expect((await show(null, 'x')).statusCode).toBe(403)
  })
})

describe('the list of words', () => {
  const path = '/api/admin/settings/name-words'
  const save = (words: unknown, hidesAtOnce: boolean, more = {}) =>
    boss.send('PUT', path, { words, hidesAtOnce, ...more })

  it('flags new names with look-alikes of a word, for staff to find and to judge', async () => {
    await save(['weasel', ''], false)
    expect(await boss.read(path)).toEqual({ words: ['weasel'], hidesAtOnce: false })
    const noted = 'SELECT action, target_type AS type, target_id AS id FROM audit_log'
    expect(await t.rows(noted)).toEqual([
      { action: 'name_words.save', type: 'setting', id: 'name_words' },
    ])
    const fine = await signIn('1', 'ferret_fan')
    const flagged = await signIn('2', 'w_3_a_s_3_l')
    await ana.send('PUT', '/api/user/profile', { displayName: 'Ｗéаsel' })
    const only = async () =>
      (await boss.read('/api/admin/users-with-packs?only=flagged')).users
        .map((user: { id: number }) => user.id)
        .sort()
    expect(await only()).toEqual([ana.id, flagged].sort())
    expect(await only()).not.toContain(fine)
    // A name that staff find right is not new any more, also when the same form is saved again.
    await boss.send('DELETE', userPath('shown-name'))
    await ana.send('PUT', '/api/user/profile', { displayName: 'Ｗéаsel' })
    expect(await only()).toEqual([flagged])
    await boss.send('DELETE', userPath('shown-name', flagged))
    await signIn('2', 'w_3_a_s_3_l')
    expect(await only()).toEqual([])
    await signIn('2', 'weasel2')
    expect(await only()).toEqual([flagged])
  })

  it('hides such a name at once where the operator says so', async () => {
    await save(['weasel'], true)
    const id = await signIn('2', 'weasel')
    const { user, standingHistory } = await pageOf(id)
    expect(user).toMatchObject({
      displayName: `Viewer ${id}`,
      ownName: 'weasel',
      isNameFlagged: true,
    })
    expect(standingHistory).toMatchObject([{ action: 'name.hide', actor: null }])
    const renamed = await ana.send('PUT', '/api/user/profile', { displayName: 'Weasel' })
    expect(renamed.json().shownName).toBe(`Viewer ${ana.id}`)
    expect((await pageOf()).standingHistory).toMatchObject([{ action: 'name.hide', actor: null }])
  })

  it('has its limits, and nobody undoes unseen what another has changed', async () => {
    expect((await save(Array(501).fill('x'), false)).json().message).toBe('At most 500 words')
    expect((await save('x', false)).statusCode).toBe(400)
    await save(['weasel'], false)
    const stale = await save(['stoat'], false, { expected: { words: [] } })
    expect(stale.json().code).toBe('changed_meanwhile')
    expect((await boss.read(path)).words).toEqual(['weasel'])
  })
})

describe('a suspension', () => {
  const inHours = (hours: number) =>
    new Date(t.clock.now().getTime() + hours * 3_600_000).toISOString()
  const suspend = (until: string | null, reason = 'Runs a farm', id = ana.id) =>
    boss.send('PUT', userPath('suspension', id), { until, reason })
  const beat = { streamId: 0, streamSessionId: 'b1' }
  beforeEach(async () => {
    beat.streamId = await addStream(t.rows, { watchSeconds: 60, redCoins: 10 })
  })

  it('stops opening, buying and earning, and ends by itself', async () => {
    const gold = await t.packType('Gold')
    await t.insert('user_packs', { user_id: ana.id, pack_type_id: gold, quantity: 5 })
    await ana.send('POST', '/api/twitch/watch-sessions', beat)
    const until = inHours(1)
    expect((await suspend(until)).json().suspension).toEqual({
      reason: 'Runs a farm',
      until,
      answer: null,
    })
    const noted = { before: { until: null }, after: { until } }
    expect(await t.rows('SELECT before, after FROM audit_log')).toEqual([noted])
    const stopped = [
      ['/api/packs/open', { packTypeId: gold, quantity: 1 }],
      ['/api/store/purchase', { listingId: 1, quantity: 1 }],
      ['/api/twitch/heartbeat', beat],
      ['/api/twitch/watch-sessions', beat],
    ] as const
    for (const [path, body] of stopped) {
      const refused = await ana.send('POST', path, body)
      expect([refused.statusCode, refused.json()]).toEqual([
        403,
        expect.objectContaining({ code: 'suspended', reason: 'Runs a farm', until }),
      ])
    }
    await t.rows(`UPDATE users SET discord_id = 'd-ana' WHERE id = $1`, [ana.id])
    expect((await redeemReward(t.deps, 'd-ana', 'm')).kind).toBe('blocked')
    for (const path of ['/api/user/profile', '/api/user/packs', '/api/user/export']) {
      expect((await ana.get(path)).statusCode).toBe(200)
    }
    expect((await ana.read('/api/auth/me')).suspension).toMatchObject({ until })
    t.clock.advance(3_600)
    expect((await ana.read('/api/auth/me')).suspension).toBeNull()
    expect((await ana.open(gold)).statusCode).toBe(200)
    expect((await redeemReward(t.deps, 'd-ana', 'm')).kind).toBe('expired')
  })

  it('answers again what was acknowledged before it, and nothing new under a key', async () => {
    const gold = await t.packType('Gold')
    await t.insert('user_packs', { user_id: ana.id, pack_type_id: gold, quantity: 5 })
    const storePackListingId = await t.listing(gold, { price: 10 })
    const calls = [
      ['/api/packs/open', { packTypeId: gold, quantity: 1 }],
      ['/api/store/purchase', { storePackListingId, quantity: 1 }],
    ] as const
    const send = ([path, body]: (typeof calls)[number], key: string) =>
      ana.send('POST', path, body, { 'idempotency-key': key })
    const before = []
    for (const call of calls) before.push(await send(call, 'first'))
    expect(before.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    await suspend(null)
    for (const [at, call] of calls.entries()) {
      const again = await send(call, 'first')
      expect([again.statusCode, again.body]).toEqual([200, before[at]!.body])
      expect((await send(call, 'second')).json()).toMatchObject({ code: 'suspended', until: null })
    }
  })

  it('can be answered once, and staff see the answer and may end it', async () => {
    const answer = (text: string) => ana.send('POST', '/api/user/suspension/answer', { text })
    expect((await answer('What for?')).json().code).toBe('wrong_state')
    await suspend(null)
    expect((await ana.read('/api/auth/me')).suspension).toEqual({
      reason: 'Runs a farm',
      until: null,
      answer: null,
    })
    expect((await answer(' ')).json().message).toBe('Write your answer')
    expect((await answer('It was my brother')).statusCode).toBe(200)
    expect((await answer('And my sister')).json().code).toBe('wrong_state')
    expect((await pageOf()).user.suspension.answer).toBe('It was my brother')
    const listed = await boss.get('/api/admin/users-with-packs?only=suspended')
    expect(listed.json()).toMatchObject({ total: 1, users: [{ id: ana.id }] })
    for (const _each of [1, 2]) {
      expect((await boss.send('DELETE', userPath('suspension'))).json().suspension).toBeNull()
    }
    expect((await ana.read('/api/auth/me')).suspension).toBeNull()
    expect((await pageOf()).standingHistory).toMatchObject([
      { action: 'suspension.end', actor: { id: boss.id } },
      { action: 'suspension.set', value: null, reason: 'Runs a farm' },
    ])
    // One that is over by itself is listed no more, though nothing has changed.
    await suspend(inHours(1))
    const totals = []
    for (const seconds of [0, 3_600]) {
      t.clock.advance(seconds)
      totals.push((await boss.read('/api/admin/users-with-packs?only=suspended')).total)
    }
    expect(totals).toEqual([1, 0])
  })

  it('is not shed by leaving, and not brought back once staff have ended it', async () => {
    const first = await signIn('42', 'vera')
    const until = inHours(48)
    await suspend(until, 'Runs a farm', first)
    await leave(first)
    const again = await signIn('42', 'vera')
    expect((await pageOf(again)).user.suspension).toEqual({
      reason: 'The owner of this Twitch account was suspended before',
      until,
      answer: null,
    })
    await boss.send('DELETE', userPath('suspension', again))
    await leave(again)
    expect((await pageOf(await signIn('42', 'vera'))).user.suspension).toBeNull()
  })

  it('is over for a Discord account that was given up during it, too', async () => {
    const first = await signIn('42', 'vera')
    await linkAs(first, 'd-vera')
    await suspend(null, 'Runs a farm', first)
    const block = (id: number, isBlocked: boolean) =>
      boss.send('PUT', userPath('earning-block', id), { isBlocked, reason: 'Runs a farm' })
    await block(first, true)
    await linkAs(first, 'd-other')
    await leave(first)
    const again = await signIn('42', 'vera')
    expect((await boss.send('DELETE', userPath('suspension', again))).statusCode).toBe(200)
    expect((await block(again, false)).json().isEarningBlocked).toBe(false)
    await linkAs(again, 'd-vera')
    await linkAs(again, 'd-other')
    const { suspension, isEarningBlocked } = (await pageOf(again)).user
    expect({ suspension, isEarningBlocked }).toEqual({ suspension: null, isEarningBlocked: false })
  })

  it('is not brought to a protected account with the Discord account of somebody else', async () => {
    await t.rows(`UPDATE users SET discord_id = 'd-ana' WHERE id = $1`, [ana.id])
    await suspend(null)
    await ana.send('POST', '/api/auth/discord/disconnect')
    const ben = await t.person('ben')
    for (const person of [boss, ben]) {
      await t.rows('UPDATE users SET is_protected = $2 WHERE id = $1', [person.id, person === boss])
      await linkAs(person.id, 'd-ana')
      await t.rows('UPDATE users SET discord_id = NULL WHERE id = $1', [person.id])
    }
    const suspended = await t.rows(
      'SELECT username FROM users WHERE suspended_until IS NOT NULL ORDER BY id',
    )
    expect(suspended).toEqual([{ username: 'ana' }, { username: 'ben' }])
  })

  it('needs a reason and a time to come, and spares the protected account', async () => {
    expect((await suspend(inHours(0))).json().message).toBe('The end must be in the future')
    expect((await suspend('soon')).json().message).toBe('The end must be a time')
    expect((await suspend(null, '')).json().message).toBe('Say why')
    expect((await suspend(null, 'x', 999_999)).statusCode).toBe(404)
    await t.rows('UPDATE users SET is_protected = true WHERE id = $1', [ana.id])
    expect((await suspend(null)).json().code).toBe('protected_account')
    const block = boss.send('PUT', userPath('earning-block'), { isBlocked: true, reason: 'x' })
    expect(await told(block)).toBe('403 This account is protected and cannot be blocked')
  })
})
