import { describe, expect, it } from 'vitest'
import { useTestDeps } from '../../../test/deps.ts'

const deps = useTestDeps()
const wallet = 'So11111111111111111111111111111111111111112'
const otherWallet = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const formatSentence = 'Please enter a valid Solana wallet address format.'

describe('GET /api/user/profile', () => {
  it('answers every field of the own account and no other', async () => {
    const ana = await deps.person('ana', { role: 'admin', coins: 1234 })
    await deps.person('ben', { coins: 5 })
    await deps.rows(
      `UPDATE users SET email = 'ana@example.org', avatar = '/a.png', bio = 'Hi', country = 'DE',
         timezone = 'Europe/Berlin', notifications = '{"email": false}', solana_wallet = $2,
         discord_id = '77', discord_username = 'ana#1', discord_avatar = '/d.png'
       WHERE id = $1`,
      [ana.id, wallet],
    )
    const answer = await ana.get('/api/user/profile')
    expect(answer.statusCode).toBe(200)
    const { createdAt, ...profile } = answer.json()
    expect(new Date(createdAt).toISOString()).toBe(createdAt)
    expect(profile).toEqual({
      id: ana.id,
      username: 'ana',
      displayName: 'ana',
      email: 'ana@example.org',
      avatar: '/a.png',
      bio: 'Hi',
      country: 'DE',
      timezone: 'Europe/Berlin',
      notifications: { email: false, prizes: true, rewards: true },
      solanaWallet: wallet,
      discordId: '77',
      discordUsername: 'ana#1',
      discordAvatar: '/d.png',
      role: 'admin',
      redCoinBalance: 1234,
      shownName: null,
    })
  })

  it('answers null for what is not set, never leaves a field out', async () => {
    const ana = await deps.person('ana')
    const profile = await ana.read('/api/user/profile')
    for (const field of ['email', 'avatar', 'bio', 'country', 'timezone', 'solanaWallet']) {
      expect(profile[field]).toBeNull()
    }
    for (const field of ['discordId', 'discordUsername', 'discordAvatar']) {
      expect(profile[field]).toBeNull()
    }
    expect(profile.notifications).toEqual({ email: true, prizes: true, rewards: true })
    expect(profile.redCoinBalance).toBe(0)
  })
})

describe('PUT /api/user/profile', () => {
  it('takes the seven fields and answers the whole profile', async () => {
    const ana = await deps.person('ana')
    const sent = {
      displayName: ' Ana \u202eB ',
      email: 'ana@example.org',
      bio: 'Line one\nline two',
      country: 'DE',
      timezone: 'Europe/Berlin',
      notifications: { email: false, prizes: false },
      solanaWallet: wallet,
    }
    const answer = await ana.send('PUT', '/api/user/profile', sent)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ ...sent, displayName: 'Ana B', username: 'ana' })
    expect(await ana.read('/api/user/profile')).toEqual(answer.json())
  })

  it('tells open leaderboards of a new name, and of nothing else', async () => {
    const ana = await deps.person('ana')
    const save = async (sent: object) => {
      const heard: unknown[] = []
      const stop = deps.deps.events.subscribe((event) => heard.push(event))
      await ana.send('PUT', '/api/user/profile', sent)
      stop()
      return heard
    }
    const own = { type: 'user_changed', userId: ana.id }
    const renamed = [own, { type: 'leaderboard_changed' }]
    expect(await save({ displayName: 'Ana B' })).toEqual(renamed)
    expect(await save({ displayName: 'Ana B', bio: 'Hello' })).toEqual([own])
  })

  it('refuses a missing name, 51 characters and null', async () => {
    const ana = await deps.person('ana')
    for (const displayName of ['', '   ', '\u200b', null, 7]) {
      const answer = await ana.send('PUT', '/api/user/profile', { displayName })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({
        message: 'Display name is required',
        error: 'Display name is required',
        errors: [{ path: 'displayName', message: 'Display name is required' }],
      })
    }
    const tooLong = await ana.send('PUT', '/api/user/profile', { displayName: 'a'.repeat(51) })
    expect(tooLong.statusCode).toBe(400)
    expect(tooLong.json().message).toBe('Display name must be 50 characters or less')
  })

  it('counts characters as people do: 50 emoji fit', async () => {
    const ana = await deps.person('ana')
    const answer = await ana.send('PUT', '/api/user/profile', { displayName: '🎁'.repeat(50) })
    expect(answer.statusCode).toBe(200)
    expect(answer.json().displayName).toBe('🎁'.repeat(50))
    const tooLong = await ana.send('PUT', '/api/user/profile', { displayName: '🎁'.repeat(51) })
    expect(tooLong.statusCode).toBe(400)
  })

  it('refuses a display name that does not stand on one line', async () => {
    const ana = await deps.person('ana')
    for (const displayName of ['A\nB', 'A\r\nB', 'A\tB', 'A\u2028B', 'A\u0085B', 'A\u001b[31mB']) {
      const answer = await ana.send('PUT', '/api/user/profile', { displayName })
      expect([displayName, answer.statusCode]).toEqual([displayName, 400])
      expect(answer.json().errors).toEqual([
        {
          path: 'displayName',
          message: 'Display name contains a character that is not allowed',
        },
      ])
    }
    expect((await ana.read('/api/user/profile')).displayName).toBe('ana')
  })

  it('refuses an email that is none', async () => {
    const ana = await deps.person('ana')
    const answer = await ana.send('PUT', '/api/user/profile', { email: 'abc' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().message).toBe('Invalid email')
  })

  it('clears the email with a blank text or null', async () => {
    const ana = await deps.person('ana')
    for (const email of ['', null]) {
      const given = await ana.send('PUT', '/api/user/profile', { email: ' ana@example.org ' })
      expect(given.json().email).toBe('ana@example.org')
      const answer = await ana.send('PUT', '/api/user/profile', { email })
      expect(answer.statusCode).toBe(200)
      expect(answer.json().email).toBeNull()
    }
  })

  it('takes 500 characters of bio and refuses 501', async () => {
    const ana = await deps.person('ana')
    const fits = await ana.send('PUT', '/api/user/profile', { bio: 'b'.repeat(500) })
    expect(fits.json().bio).toHaveLength(500)
    const answer = await ana.send('PUT', '/api/user/profile', { bio: 'b'.repeat(501) })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().message).toBe('Bio must be less than 500 characters')
  })

  it('leaves absent fields alone', async () => {
    const ana = await deps.person('ana')
    await ana.send('PUT', '/api/user/profile', {
      country: 'DE',
      timezone: 'UTC',
      solanaWallet: wallet,
      bio: 'Hi',
    })
    const answer = await ana.send('PUT', '/api/user/profile', { displayName: 'Ana' })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({
      displayName: 'Ana',
      country: 'DE',
      timezone: 'UTC',
      solanaWallet: wallet,
      bio: 'Hi',
    })
    expect((await ana.send('PUT', '/api/user/profile', {})).statusCode).toBe(200)
  })

  it('reads blank, "none" and null as no choice', async () => {
    const ana = await deps.person('ana')
    for (const nothing of ['', 'none', null]) {
      await ana.send('PUT', '/api/user/profile', {
        country: 'DE',
        timezone: 'UTC',
        solanaWallet: wallet,
      })
      const answer = await ana.send('PUT', '/api/user/profile', {
        country: nothing,
        timezone: nothing,
        solanaWallet: nothing,
      })
      expect(answer.json()).toMatchObject({ country: null, timezone: null, solanaWallet: null })
    }
  })

  it('refuses switches that are neither true nor false', async () => {
    const ana = await deps.person('ana')
    for (const name of ['email', 'prizes', 'rewards']) {
      for (const value of ['yes', 1, null]) {
        const answer = await ana.send('PUT', '/api/user/profile', {
          notifications: { [name]: value },
        })
        expect(answer.statusCode).toBe(400)
        expect(answer.json().errors[0].path).toBe(`notifications.${name}`)
      }
    }
  })

  it('merges the switches', async () => {
    const ana = await deps.person('ana')
    const answer = await ana.send('PUT', '/api/user/profile', { notifications: { email: false } })
    expect(answer.json().notifications).toEqual({ email: false, prizes: true, rewards: true })
    const next = await ana.send('PUT', '/api/user/profile', { notifications: { prizes: false } })
    expect(next.json().notifications).toEqual({ email: false, prizes: false, rewards: true })
    const last = await ana.send('PUT', '/api/user/profile', { notifications: { rewards: false } })
    expect(last.json().notifications).toEqual({ email: false, prizes: false, rewards: false })
  })

  it('changes nothing but the seven fields', async () => {
    const ana = await deps.person('ana', { coins: 10 })
    const [before] = await deps.rows('SELECT * FROM users WHERE id = $1', [ana.id])
    const answer = await ana.send('PUT', '/api/user/profile', {
      id: 999,
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
    expect(answer.statusCode).toBe(200)
    const [after] = await deps.rows('SELECT * FROM users WHERE id = $1', [ana.id])
    expect({ ...after, updated_at: null }).toEqual({ ...before, updated_at: null })
  })

  it('refuses NUL in every text and keys that reach for prototypes', async () => {
    const ana = await deps.person('ana')
    for (const field of ['displayName', 'email', 'bio', 'country', 'timezone', 'solanaWallet']) {
      expect((await ana.send('PUT', '/api/user/profile', { [field]: 'a\0b' })).statusCode).toBe(400)
    }
    for (const body of ['{"__proto__":{"role":"admin"}}', '{"constructor":{"prototype":{}}}']) {
      const answer = await ana.send('PUT', '/api/user/profile', body, {
        'content-type': 'application/json',
      })
      expect(answer.statusCode).toBe(400)
    }
    expect((await ana.read('/api/user/profile')).role).toBe('user')
  })

  it('refuses a wallet as the wallet call does, and changes nothing then', async () => {
    const ana = await deps.person('ana')
    const answer = await ana.send('PUT', '/api/user/profile', {
      displayName: 'Changed',
      solanaWallet: 'z'.repeat(45),
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      message: formatSentence,
      errors: [{ path: 'solanaWallet', message: formatSentence }],
    })
    expect((await ana.read('/api/user/profile')).displayName).toBe('ana')
  })

  it('touches nobody else', async () => {
    const ana = await deps.person('ana')
    const ben = await deps.person('ben')
    await ana.send('PUT', '/api/user/profile', { id: ben.id, userId: ben.id, bio: 'Mine' })
    expect((await ben.read('/api/user/profile')).bio).toBeNull()
    expect((await ana.read('/api/user/profile')).bio).toBe('Mine')
  })
})

describe('PUT /api/user/wallet', () => {
  it('takes an address and null, and answers the whole profile', async () => {
    const ana = await deps.person('ana')
    const set = await ana.send('PUT', '/api/user/wallet', { walletAddress: ` ${wallet}\n` })
    expect(set.statusCode).toBe(200)
    expect(set.json()).toMatchObject({ username: 'ana', solanaWallet: wallet })
    const changed = await ana.send('PUT', '/api/user/wallet', { walletAddress: otherWallet })
    expect(changed.json().solanaWallet).toBe(otherWallet)
    const cleared = await ana.send('PUT', '/api/user/wallet', { walletAddress: null })
    expect(cleared.statusCode).toBe(200)
    expect(cleared.json().solanaWallet).toBeNull()
    expect(cleared.json()).toEqual(await ana.read('/api/user/profile'))
  })

  it.each([
    ['31 characters', wallet.slice(0, 31)],
    ['45 characters', '4'.repeat(45)],
    ['a character outside base58', `0${wallet.slice(1)}`],
    ['an O', `O${wallet.slice(1)}`],
    ['an I', `I${wallet.slice(1)}`],
    ['an l', `l${wallet.slice(1)}`],
  ])('refuses %s', async (_name, walletAddress) => {
    const ana = await deps.person('ana')
    await ana.send('PUT', '/api/user/wallet', { walletAddress: wallet })
    const answer = await ana.send('PUT', '/api/user/wallet', { walletAddress })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      message: formatSentence,
      errors: [{ path: 'walletAddress', message: formatSentence }],
    })
    expect((await ana.read('/api/user/profile')).solanaWallet).toBe(wallet)
  })

  it.each([
    ['32 characters', '2'.repeat(32)],
    ['44 characters', 'z'.repeat(44)],
    ['32 times the first of the alphabet', '1'.repeat(32)],
  ])('takes %s of base58 by both calls, whatever they decode to', async (_, address) => {
    const ana = await deps.person('ana')
    const byWallet = await ana.send('PUT', '/api/user/wallet', { walletAddress: address })
    expect([byWallet.statusCode, byWallet.json().solanaWallet]).toEqual([200, address])
    await ana.send('PUT', '/api/user/wallet', { walletAddress: null })
    const byProfile = await ana.send('PUT', '/api/user/profile', { solanaWallet: address })
    expect([byProfile.statusCode, byProfile.json().solanaWallet]).toEqual([200, address])
  })

  it('refuses a blank text and a missing one: neither clears', async () => {
    const ana = await deps.person('ana')
    await ana.send('PUT', '/api/user/wallet', { walletAddress: wallet })
    for (const body of [{ walletAddress: '' }, { walletAddress: '  ' }, {}]) {
      const answer = await ana.send('PUT', '/api/user/wallet', body)
      expect([answer.statusCode, answer.json().errors]).toEqual([
        400,
        [{ path: 'walletAddress', message: 'Please enter a valid Solana wallet address.' }],
      ])
    }
    expect((await ana.read('/api/user/profile')).solanaWallet).toBe(wallet)
  })

  it('drops the proof of ownership with the address it was given for', async () => {
    const ana = await deps.person('ana')
    const verified = () =>
      deps.rows<{ solana_wallet_verified_at: Date | null }>(
        'SELECT solana_wallet_verified_at FROM users WHERE id = $1',
        [ana.id],
      )
    await ana.send('PUT', '/api/user/wallet', { walletAddress: wallet })
    await deps.rows('UPDATE users SET solana_wallet_verified_at = now() WHERE id = $1', [ana.id])
    await ana.send('PUT', '/api/user/profile', { solanaWallet: wallet, bio: 'Hi' })
    expect((await verified())[0]?.solana_wallet_verified_at).not.toBeNull()
    await ana.send('PUT', '/api/user/wallet', { walletAddress: otherWallet })
    expect((await verified())[0]?.solana_wallet_verified_at).toBeNull()
  })
})
