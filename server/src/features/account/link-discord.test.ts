// Linking a Discord account over HTTP: the whole way, and every way in which it fails.

import type { SessionUser } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { useListeningDeps } from '../../../test/listening-server.ts'
import { Browser } from '../../../test/sign-in.ts'
import type { DiscordAccountLink } from '../../adapters/discord/account-link.ts'
import { deleteAccount } from '../people/own-account.ts'
import { linkDiscord, startAttempt } from './provider-sign-in.ts'

const { t, origin } = await useListeningDeps()

const signedIn = async (name: string) => {
  const browser = new Browser(origin)
  await browser.signIn(name)
  return browser
}
let ana = new Browser(origin)
beforeEach(async () => {
  ana = await signedIn('Ana')
})

const linkOf = async (who: Browser) => {
  const user = await who.json<SessionUser>('/api/auth/me')
  const { discordId, discordUsername, discordAvatar } = user
  return { discordId, discordUsername, discordAvatar }
}
const start = (who: Browser) => who.redirectOf('/api/auth/discord')
const link = async (who: Browser, login: string, action = 'allow') =>
  who.redirectOf(await who.consent(await start(who), login, action))

const unlinked = { discordId: null, discordUsername: null, discordAvatar: null }

describe('linking a Discord account', () => {
  it('starts with everything Discord needs', async () => {
    const to = new URL(await start(ana))
    expect(to.origin + to.pathname).toBe(`${origin}/sandbox/discord/oauth2/authorize`)
    expect(Object.fromEntries(to.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'sandbox-discord',
      scope: 'identify',
      redirect_uri: `${origin}/api/auth/discord/callback`,
      prompt: 'consent',
      state: expect.stringMatching(/^[\w-]{43}$/),
    })
  })

  it('ends on the profile with the account shown at once', async () => {
    expect(await linkOf(ana)).toEqual(unlinked)
    expect(await link(ana, 'Ana#1')).toBe('/profile?discord=connected')
    expect(await linkOf(ana)).toEqual({
      discordId: expect.stringMatching(/^9\d{18}$/),
      discordUsername: 'ana#1',
      discordAvatar: null,
    })
    const linkedAt = 'SELECT discord_linked_at AS at FROM users WHERE discord_id IS NOT NULL'
    expect(await t.rows(linkedAt)).toEqual([{ at: t.clock.now() }])
  })

  const account = { id: '80351110224678912', username: 'a\nb\u202ec', avatar: null }
  /** Ana's way back from Discord, which answers who she is there. */
  async function comeBack(identify: (userId: number) => Promise<typeof account>) {
    const { id } = await ana.json<SessionUser>('/api/auth/me')
    const attempt = await startAttempt(t.deps, 'discord', { token: undefined, userId: id })
    const discord: DiscordAccountLink = {
      isConfigured: true,
      authorizeUrl: () => '',
      identify: () => identify(id),
    }
    const callback = { ...attempt, code: 'c', redirectUri: '', sessionToken: undefined }
    return linkDiscord(t.deps, discord, id, callback)
  }

  it('keeps a name of Discord on one line', async () => {
    expect(await comeBack(async () => account)).toBe('connected')
    expect((await linkOf(ana)).discordUsername).toBe('a bc')
  })

  it('keeps nothing of somebody who leaves while Discord is asked', async () => {
    const outcome = await comeBack(async (id) => {
      await deleteAccount(t.deps, id, 'ana', 'r')
      return account
    })
    expect(outcome).toBe('failed')
    expect(await t.column('SELECT discord_id FROM users WHERE discord_id IS NOT NULL')).toEqual([])
  })

  it('sends messages there only when they are switched on for this account', async () => {
    await link(ana, 'Ana#1')
    const switchedOn = () =>
      t.value('SELECT bool_or(is_discord_on) AS is FROM notification_settings')
    await t.rows(
      `INSERT INTO notification_settings (user_id, is_discord_on)
       SELECT id, true FROM users WHERE discord_id IS NOT NULL`,
    )
    await link(ana, 'Ana#1')
    expect(await switchedOn()).toBe(true)
    await link(ana, 'Ana#2')
    expect(await switchedOn()).toBe(false)
  })

  it('redirects to the landing page without a session, at the start and at the end', async () => {
    const visitor = new Browser(origin)
    expect(await start(visitor)).toBe('/')
    const callback = await ana.consent(await start(ana), 'Ana')
    expect(await visitor.redirectOf(callback)).toBe('/')
  })

  it('changes nothing when somebody else has the account linked', async () => {
    await link(ana, 'Shared')
    const ben = await signedIn('Ben')
    expect(await link(ben, 'Shared')).toBe('/profile?discord=taken')
    expect(await linkOf(ben)).toEqual(unlinked)
    expect((await linkOf(ana)).discordUsername).toBe('shared')
  })

  it('replaces an account by another, and links the same one again', async () => {
    await link(ana, 'First')
    expect(await link(ana, 'Second')).toBe('/profile?discord=connected')
    expect(await link(ana, 'Second')).toBe('/profile?discord=connected')
    expect((await linkOf(ana)).discordUsername).toBe('second')
  })

  it('takes the link away, once and again', async () => {
    await link(ana, 'Ana')
    for (let round = 0; round < 2; round += 1) {
      const answer = await ana.open('/api/auth/discord/disconnect', { method: 'POST' })
      expect(answer.status).toBe(200)
      expect(await answer.json()).toEqual({
        success: true,
        message: 'Discord account disconnected',
      })
    }
    expect(await linkOf(ana)).toEqual(unlinked)
  })
})

describe('a link that fails', () => {
  it('says so when the person refuses', async () => {
    expect(await link(ana, 'Ana', 'deny')).toBe('/profile?discord=failed')
    expect(await linkOf(ana)).toEqual(unlinked)
  })

  it('refuses a forged, repeated or late state and a forged code', async () => {
    const failed = '/profile?discord=failed'
    expect(await ana.redirectOf('/api/auth/discord/callback')).toBe(failed)
    expect(await ana.redirectOf('/api/auth/discord/callback?code=a&state=b')).toBe(failed)
    const state = new URL(await start(ana)).searchParams.get('state') ?? ''
    expect(await ana.redirectOf(`/api/auth/discord/callback?code=a&state=${state}`)).toBe(failed)
    const callback = await ana.consent(await start(ana), 'Ana')
    expect(await ana.redirectOf(callback)).toBe('/profile?discord=connected')
    expect(await ana.redirectOf(callback)).toBe(failed)
    const late = await ana.consent(await start(ana), 'Ana')
    t.clock.advance(601)
    expect(await ana.redirectOf(late)).toBe(failed)
  })

  it('refuses to finish in the session of one user what another started', async () => {
    const callback = await ana.consent(await start(ana), 'Ana')
    const ben = await signedIn('Ben')
    ben.cookies.set('signin', ana.cookies.get('signin') ?? '')
    expect(await ben.redirectOf(callback)).toBe('/profile?discord=failed')
    expect(await linkOf(ben)).toEqual(unlinked)
  })

  it('does not take the state of a sign-in for a link, or the other way round', async () => {
    const signIn = new URL(await ana.redirectOf('/api/auth/twitch')).searchParams.get('state')
    expect(await ana.redirectOf(`/api/auth/discord/callback?code=a&state=${signIn}`)).toBe(
      '/profile?discord=failed',
    )
    const linkState = new URL(await start(ana)).searchParams.get('state')
    expect(await ana.redirectOf(`/api/auth/twitch/callback?code=a&state=${linkState}`)).toBe(
      '/?authError=state',
    )
  })
})
