import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, useTestDeps } from '../../../test/deps.ts'

const deps = useTestDeps()
const wallet = 'So11111111111111111111111111111111111111112'
const otherWallet = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const formatSentence = 'Please enter a valid Solana wallet address format.'

let ana: Person
beforeEach(async () => {
  ana = await deps.person('ana')
})
const read = () => ana.read('/api/user/profile')
const put = (sent: object) => ana.send('PUT', '/api/user/profile', sent)
const save = async (sent: object) => {
  const answer = await put(sent)
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

describe('GET /api/user/profile', () => {
  it('answers every field of the own account and no other', async () => {
    const eva = await deps.person('eva', { role: 'admin', coins: 1234 })
    await deps.rows(
      `UPDATE users SET email = 'eva@example.org', avatar = '/a.png', bio = 'Hi', country = 'DE',
         timezone = 'Europe/Berlin', notifications = '{"email": false}', solana_wallet = $2,
         discord_id = '77', discord_username = 'eva#1', discord_avatar = '/d.png',
         created_at = '2026-01-02T03:04:05Z'
       WHERE id = $1`,
      [eva.id, wallet],
    )
    expect(await eva.read('/api/user/profile')).toEqual({
      id: eva.id,
      createdAt: '2026-01-02T03:04:05.000Z',
      username: 'eva',
      displayName: 'eva',
      email: 'eva@example.org',
      avatar: '/a.png',
      bio: 'Hi',
      country: 'DE',
      timezone: 'Europe/Berlin',
      notifications: { email: false, prizes: true, rewards: true },
      solanaWallet: wallet,
      discordId: '77',
      discordUsername: 'eva#1',
      discordAvatar: '/d.png',
      role: 'admin',
      redCoinBalance: 1234,
      shownName: null,
    })
  })

  it('answers null for what is not set, never leaves a field out', async () => {
    const unset = ['email', 'avatar', 'bio', 'country', 'timezone', 'solanaWallet', 'discordId']
    const none = [...unset, 'discordUsername', 'discordAvatar'].map((name) => [name, null])
    expect(await read()).toMatchObject({
      ...Object.fromEntries(none),
      notifications: { email: true, prizes: true, rewards: true },
      redCoinBalance: 0,
    })
  })
})

describe('PUT /api/user/profile', () => {
  it('takes the seven fields and answers the whole profile', async () => {
    const sent = {
      displayName: ' Ana \u202eB ',
      email: 'ana@example.org',
      bio: 'Line one\nline two',
      country: 'DE',
      timezone: 'Europe/Berlin',
      notifications: { email: false, prizes: false },
      solanaWallet: wallet,
    }
    const saved = await save(sent)
    expect(saved).toMatchObject({ ...sent, displayName: 'Ana B', username: 'ana' })
    expect(await read()).toEqual(saved)
  })

  it('tells open leaderboards of a new name, and of nothing else', async () => {
    const heardOf = async (sent: object) => {
      const heard: unknown[] = []
      const stop = deps.deps.events.subscribe((event) => heard.push(event))
      await save(sent)
      stop()
      return heard
    }
    const own = { type: 'user_changed', userId: ana.id }
    const renamed = [own, { type: 'leaderboard_changed' }]
    expect(await heardOf({ displayName: 'Ana B' })).toEqual(renamed)
    expect(await heardOf({ displayName: 'Ana B', bio: 'Hello' })).toEqual([own])
  })

  const noName = 'Display name is required'
  const tooLong = 'Display name must be 50 characters or less'
  const notOneLine = 'Display name contains a character that is not allowed'
  type Refusal = [field: string, value: unknown, message: string]
  const names = (values: unknown[], message: string) =>
    values.map((name): Refusal => ['displayName', name, message])
  it.each<Refusal>([
    ...names(['', '   ', '\u200b', null, 7], noName),
    ...names(['a'.repeat(51), '🎁'.repeat(51)], tooLong),
    ...names(['A\nB', 'A\r\nB', 'A\tB', 'A\u2028B', 'A\u0085B', 'A\u001b[31mB'], notOneLine),
    ['email', 'abc', 'Invalid email'],
    ['email', 'ana@example', 'Invalid email'],
    ['bio', 'b'.repeat(501), 'Bio must be less than 500 characters'],
    ['solanaWallet', 'z'.repeat(45), formatSentence],
  ])('refuses the %s %j and changes nothing', async (field, value, message) => {
    const refused = await put({ displayName: 'Changed', [field]: value })
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      expect.objectContaining({ message, error: message, errors: [{ path: field, message }] }),
    ])
    expect((await read()).displayName).toBe('ana')
  })

  it('takes 50 characters of a name, as people count them, and 500 of a bio', async () => {
    const full = { displayName: '🎁'.repeat(50), bio: 'b'.repeat(500) }
    expect(await save(full)).toMatchObject(full)
  })

  it('leaves absent fields alone', async () => {
    const kept = { country: 'DE', timezone: 'UTC', solanaWallet: wallet, bio: 'Hi' }
    await save(kept)
    const saved = await save({ displayName: 'Ana' })
    expect(saved).toMatchObject({ ...kept, displayName: 'Ana' })
    expect(await save({})).toEqual(saved)
  })

  it.each(['', 'none', null])('reads %j as no choice', async (nothing) => {
    const chosen = { country: 'DE', timezone: 'UTC', solanaWallet: wallet }
    const none = { country: nothing, timezone: nothing, solanaWallet: nothing }
    await save(chosen)
    expect(await save(none)).toMatchObject({ country: null, timezone: null, solanaWallet: null })
  })

  it.each(['', null])('clears the email with %j', async (email) => {
    expect((await save({ email: ' ana@example.org ' })).email).toBe('ana@example.org')
    expect((await save({ email })).email).toBeNull()
  })

  it('refuses switches that are neither true nor false', async () => {
    for (const name of ['email', 'prizes', 'rewards']) {
      for (const value of ['yes', 1, null]) {
        const answer = await put({ notifications: { [name]: value } })
        const { path } = answer.json().errors[0]
        expect([answer.statusCode, path]).toEqual([400, `notifications.${name}`])
      }
    }
  })

  it('merges the switches', async () => {
    const on = { email: true, prizes: true, rewards: true }
    for (const name of ['email', 'prizes', 'rewards'] as const) {
      on[name] = false
      expect((await save({ notifications: { [name]: false } })).notifications).toEqual(on)
    }
  })

  it('changes nothing but the seven fields, and nobody else', async () => {
    const ben = await deps.person('ben')
    const users = () => deps.rows("SELECT to_jsonb(u) - 'updated_at' AS u FROM users u ORDER BY id")
    const before = await users()
    await save({
      id: ben.id,
      userId: ben.id,
      role: 'super_user',
      redCoinBalance: 1_000_000,
      totalRedCoinWon: 5,
      twitchId: 'x',
      username: 'root',
      discordId: '1',
      discordUsername: 'x',
      avatar: '/x.png',
      isProtected: true,
      isHiddenFromLeaderboard: true,
      createdAt: '2000-01-01',
      notifications: { email: true, sms: true },
    })
    expect(await users()).toEqual(before)
    await save({ id: ben.id, userId: ben.id, bio: 'Mine' })
    expect((await users())[1]).toEqual(before[1])
    expect((await read()).bio).toBe('Mine')
  })

  it('refuses NUL in every text and keys that reach for prototypes', async () => {
    for (const field of ['displayName', 'email', 'bio', 'country', 'timezone', 'solanaWallet']) {
      expect((await put({ [field]: 'a\0b' })).statusCode).toBe(400)
    }
    for (const body of ['{"__proto__":{"role":"admin"}}', '{"constructor":{"prototype":{}}}']) {
      const type = { 'content-type': 'application/json' }
      expect((await ana.send('PUT', '/api/user/profile', body, type)).statusCode).toBe(400)
    }
    expect((await read()).role).toBe('user')
  })
})

describe('PUT /api/user/wallet', () => {
  const connect = (walletAddress: unknown) => ana.send('PUT', '/api/user/wallet', { walletAddress })

  it('takes an address and null, and answers the whole profile', async () => {
    const set = await connect(` ${wallet}\n`)
    expect(set.statusCode).toBe(200)
    expect(set.json()).toMatchObject({ username: 'ana', solanaWallet: wallet })
    expect((await connect(otherWallet)).json().solanaWallet).toBe(otherWallet)
    const cleared = await connect(null)
    expect([cleared.statusCode, cleared.json().solanaWallet]).toEqual([200, null])
    expect(cleared.json()).toEqual(await read())
  })

  const noAddress = 'Please enter a valid Solana wallet address.'
  it.each([
    ['31 characters', wallet.slice(0, 31), formatSentence],
    ['45 characters', '4'.repeat(45), formatSentence],
    ['a character outside base58', `0${wallet.slice(1)}`, formatSentence],
    ['an O', `O${wallet.slice(1)}`, formatSentence],
    ['an I', `I${wallet.slice(1)}`, formatSentence],
    ['an l', `l${wallet.slice(1)}`, formatSentence],
    ['an empty text, which does not clear', '', noAddress],
    ['a blank text', '  ', noAddress],
    ['a missing one', undefined, noAddress],
  ])('refuses %s', async (_name, walletAddress, message) => {
    await connect(wallet)
    const answer = await connect(walletAddress)
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      expect.objectContaining({ message, errors: [{ path: 'walletAddress', message }] }),
    ])
    expect((await read()).solanaWallet).toBe(wallet)
  })

  it.each([
    ['32 characters', '2'.repeat(32)],
    ['44 characters', 'z'.repeat(44)],
    ['32 times the first of the alphabet', '1'.repeat(32)],
  ])('takes %s of base58 by both calls, whatever they decode to', async (_, address) => {
    const byWallet = await connect(address)
    expect([byWallet.statusCode, byWallet.json().solanaWallet]).toEqual([200, address])
    await connect(null)
    expect((await save({ solanaWallet: address })).solanaWallet).toBe(address)
  })

  it('drops the proof of ownership with the address it was given for', async () => {
    const verified = () => deps.value('SELECT solana_wallet_verified_at FROM users')
    await connect(wallet)
    await deps.rows('UPDATE users SET solana_wallet_verified_at = now()')
    await save({ solanaWallet: wallet, bio: 'Hi' })
    expect(await verified()).not.toBeNull()
    await connect(otherWallet)
    expect(await verified()).toBeNull()
  })
})
