// Sessions stand as long as Twitch says so: asked every hour, and believed only when it answers.

import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useListeningServer } from '../../../test/listening-server.ts'
import { Browser } from '../../../test/sign-in.ts'
import { TwitchFault } from '../../shared/far-side-faults.ts'
import { signInsToCheck } from './tables.ts'
import { validateSignIns } from './validate-sign-ins.ts'

const w = useListeningServer({}, { jobs: ['auth-'] })
let browser: Browser
beforeEach(async () => {
  vi.restoreAllMocks()
  browser = new Browser(w.origin)
  expect(await browser.signIn('Ana')).toBe('/dashboard')
})
const isSignedIn = async (who = browser) => (await who.open('/api/auth/me')).status === 200

describe('a viewer who disconnects the application', () => {
  it('is signed out of every browser within the hour', async () => {
    const other = new Browser(w.origin)
    await other.signIn('Ana')
    const stays = new Browser(w.origin)
    await stays.signIn('Ben')
    await w.control('twitch/revoke', { login: 'ana' })
    await w.t.rows(`INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth, label,
      created_at) SELECT md5(username), id, 'https://push.example', '', '', '', now() FROM users`)
    await w.advance(1_800)
    expect(await isSignedIn()).toBe(true)
    await w.advance(1_800)
    expect([await isSignedIn(), await isSignedIn(other), await isSignedIn(stays)]).toEqual([
      false,
      false,
      true,
    ])
    expect(await w.t.rows('SELECT user_id FROM twitch_sign_ins')).toHaveLength(1)
    const devices = 'SELECT username FROM push_subscriptions JOIN users u ON u.id = user_id'
    expect(await w.t.column(devices)).toEqual(['ben'])
  })

  it('keeps the new sign-in that follows', async () => {
    await w.control('twitch/revoke', { login: 'ana' })
    await browser.signIn('Ana')
    await w.advance(3_600)
    expect(await isSignedIn()).toBe(true)
  })
})

describe('a viewer who stays', () => {
  it('is kept for days by tokens that are renewed', async () => {
    for (let hour = 0; hour < 30; hour += 1) await w.advance(3_600)
    expect(await isSignedIn()).toBe(true)
    const [row] = await w.t.rows<{ checked_at: Date }>('SELECT checked_at FROM twitch_sign_ins')
    expect(w.t.clock.now().getTime() - (row?.checked_at.getTime() ?? 0)).toBeLessThan(3_700_000)
  })

  it('is asked about once an hour', async () => {
    const asked = vi.spyOn(w.t.deps.twitch.tokens, 'validate')
    for (let minute = 0; minute < 60; minute += 1) await w.advance(60)
    expect(asked).toHaveBeenCalledTimes(1)
  })

  it('is asked about by one run however many there are, unless the program stops', async () => {
    await w.t.rows(`INSERT INTO users (username, display_name, twitch_id)
      SELECT 'many' || i, 'Many', 900000 + i FROM generate_series(1, 450) i`)
    const many = "FROM users u, twitch_sign_ins t WHERE u.username LIKE 'many%'"
    await w.t.rows(`INSERT INTO sessions (token_hash, user_id, kind, created_at, last_seen_at,
      expires_at) SELECT u.username, u.id, 'player', t.checked_at, t.checked_at, 'infinity' ${many}`)
    await w.t.rows(`INSERT INTO twitch_sign_ins SELECT u.id, t.tokens, t.checked_at ${many}`)
    w.t.clock.advance(3_600)
    const late = () => signInsToCheck(w.t.deps.db, new Date(w.t.clock.now().getTime() - 1), 999)
    await validateSignIns(w.t.deps, AbortSignal.abort())
    expect(await late()).toHaveLength(451)
    await validateSignIns(w.t.deps)
    expect(await late()).toEqual([])
  })

  it('is forgotten by us a minute after signing out', async () => {
    const kept = () => w.t.rows('SELECT 1 FROM twitch_sign_ins')
    await browser.open('/api/auth/logout', { method: 'POST' })
    // A sign-in of this moment may have no session yet.
    await validateSignIns(w.t.deps)
    expect(await kept()).toHaveLength(1)
    await w.advance(120)
    expect(await kept()).toEqual([])
  })
})

describe('Twitch in trouble', () => {
  it.each(['unreachable', 'rate_limited', 'refused'] as const)(
    '%s signs nobody out',
    async (kind) => {
      const { tokens } = w.t.deps.twitch
      vi.spyOn(tokens, 'validate').mockRejectedValue(new TwitchFault(kind, 'no'))
      w.t.clock.advance(7_200)
      await expect(validateSignIns(w.t.deps)).rejects.toThrow('no')
      vi.restoreAllMocks()
      vi.spyOn(tokens, 'validate').mockResolvedValue(undefined)
      vi.spyOn(tokens, 'refresh').mockRejectedValue(new TwitchFault(kind, 'no'))
      await expect(validateSignIns(w.t.deps)).rejects.toThrow('no')
      expect(await isSignedIn()).toBe(true)
    },
  )
})

describe('what is stored', () => {
  it('is sealed, shows no token, and stands for its owner only', async () => {
    const seen: string[] = []
    const { tokens } = w.t.deps.twitch
    vi.spyOn(tokens, 'validate').mockImplementation(async (token) => {
      seen.push(token)
      return { clientId: 'c', login: 'eve', userId: '666', scopes: [], expiresInSeconds: 9 }
    })
    const stored = JSON.stringify(await w.t.rows('SELECT * FROM twitch_sign_ins'))
    await w.advance(3_600)
    expect(seen).toHaveLength(1)
    expect(stored).not.toContain(seen[0])
    // A token that belongs to somebody else vouches for nobody.
    expect(await isSignedIn()).toBe(false)
  })
})
