// The bot's credentials: asked about, sealed, masked, renewed by one, and honest about trouble.

import type { BotCredentials } from '@redpack/contract'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { coded, type Person, told } from '../../../test/deps.ts'
import { useListeningServer } from '../../../test/listening-server.ts'
import { TwitchFault } from '../../shared/far-side-faults.ts'
import { asBot, refreshBot } from './bot.ts'
import { readCredentials } from './tables.ts'

const w = useListeningServer({}, { jobs: ['chat-bot-'] })
const path = '/api/admin/twitch/bot-credentials'
let boss: Person
beforeEach(async () => {
  vi.restoreAllMocks()
  boss = await w.t.person('boss', { role: 'admin' })
})

interface Minted {
  accessToken: string
  refreshToken: string
  clientId: string
  userId: string
  login: string
}
const mint = (more: Record<string, unknown> = {}) =>
  w.control<Minted>('twitch/bot-token', { login: 'redbot', ...more })
const formOf = ({ accessToken, refreshToken, clientId, userId, login }: Minted) => {
  return { botUsername: login, botUserId: userId, clientId, accessToken, refreshToken }
}
const save = (form: Record<string, unknown>) => boss.send('POST', path, form)
const read = async () => (await boss.get(path)).json<BotCredentials | null>()
const mask = (token: string) => `••••••••${token.slice(-4)}`

describe('saving', () => {
  it('keeps what Twitch confirms and shows no whole token', async () => {
    expect(await read()).toBeNull()
    const minted = await mint()
    const saved = await save(formOf(minted))
    const expected = {
      botUsername: 'redbot',
      botUserId: minted.userId,
      clientId: 'sandbox-twitch',
      accessToken: mask(minted.accessToken),
      refreshToken: mask(minted.refreshToken),
      expiresAt: expect.stringMatching(/Z$/),
      scopes: 'moderator:read:chatters user:write:chat',
      isActive: true,
      canSendChat: true,
      canReadChatters: true,
      canRefresh: true,
      checkedAt: expect.any(String),
      state: 'ready',
      advice: null,
    }
    expect(saved.json()).toEqual(expected)
    expect(await read()).toEqual(expected)
    const stored = JSON.stringify([
      await w.t.rows('SELECT * FROM twitch_bot_credentials'),
      await w.t.rows('SELECT * FROM audit_log'),
    ])
    expect(stored).not.toContain(minted.accessToken)
    expect(stored).not.toContain(minted.refreshToken)
  })

  it.each([
    ['the name of the bot', 'botUsername', 'Bot username is required'],
    ['the ID of the bot', 'botUserId', 'Bot user ID is required'],
    ['the client ID', 'clientId', 'Client ID is required'],
    ['the access token', 'accessToken', 'Access token is required'],
  ])('%s is needed', async (_what, field, message) => {
    const form = formOf(await mint())
    for (const wrong of [undefined, '', '  ']) {
      const answer = await save({ ...form, [field]: wrong })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ message, errors: [{ path: field, message }] })
    }
  })

  it.each([
    ['accessToken', 'This is not a Twitch access token'],
    ['refreshToken', 'This is not a Twitch refresh token'],
    ['clientId', 'This is not a Twitch client ID'],
  ])('refuses a %s that could not even be sent to Twitch', async (field, message) => {
    const form = formOf(await mint())
    for (const wrong of ['two words', 'line\nbreak', 'schlüssel', '\u{1F511}', 'a\u007fb']) {
      const answer = await save({ ...form, [field]: wrong })
      expect([wrong, answer.statusCode]).toEqual([wrong, 400])
      expect(answer.json()).toMatchObject({ message, errors: [{ path: field, message }] })
    }
    expect(await read()).toBeNull()
    expect((await save(form)).statusCode).toBe(200)
  })

  it('does without a refresh token, and says what that means', async () => {
    const { refreshToken: _, ...form } = formOf(await mint())
    expect((await save(form)).json()).toMatchObject({
      refreshToken: null,
      canRefresh: false,
      state: 'expiring',
      advice: expect.stringContaining('cannot be renewed'),
    })
  })

  it.each([
    ['another client', { clientId: 'another' }, 'clientId'],
    ['another user', { botUserId: '12345' }, 'botUserId'],
    ['another name', { botUsername: 'bluebot' }, 'botUsername'],
  ])('refuses the token of %s and keeps what was there', async (_what, wrong, field) => {
    const first = await mint()
    await save(formOf(first))
    const answer = await save({ ...formOf(await mint()), ...wrong })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ errors: [{ path: field }] })
    expect((await read())?.accessToken).toBe(mask(first.accessToken))
  })

  it('takes its own masks for the stored tokens, and no other mask', async () => {
    const minted = await mint()
    await save(formOf(minted))
    const masked = { ...formOf(minted), accessToken: mask(minted.accessToken) }
    expect(
      (await save({ ...masked, refreshToken: mask(minted.refreshToken) })).json(),
    ).toMatchObject({ state: 'ready', accessToken: mask(minted.accessToken) })
    const other = await save({ ...masked, accessToken: '••••••••wxyz' })
    expect(other.json()).toMatchObject({
      errors: [{ path: 'accessToken', message: 'Enter the whole access token' }],
    })
  })

  it('ends the token that is replaced, and none when the same is saved again', async () => {
    const { tokens } = w.t.deps.twitch
    const revoked = vi.spyOn(tokens, 'revoke')
    const [old, next] = [await mint(), await mint()]
    await save(formOf(old))
    await save({ ...formOf(old), accessToken: mask(old.accessToken) })
    expect(revoked).not.toHaveBeenCalled()
    await save(formOf(next))
    await expect.poll(() => tokens.validate(old.accessToken)).toBeUndefined()
    expect(await tokens.validate(next.accessToken)).toMatchObject({ login: 'redbot' })
  })

  it('marks a token that Twitch does not know, and one that it lacks scopes', async () => {
    const form = formOf(await mint())
    const unknown = await save({ ...form, accessToken: 'made-up-token', refreshToken: null })
    expect(unknown.json()).toMatchObject({
      accessToken: '••••••••oken',
      isActive: false,
      state: 'rejected',
      canSendChat: false,
      advice: expect.stringContaining('user:write:chat'),
    })
    const limited = await mint({ scopes: ['moderator:read:chatters'] })
    expect((await save(formOf(limited))).json()).toMatchObject({
      isActive: true,
      state: 'limited',
      canSendChat: false,
      canReadChatters: true,
    })
  })

  it('keeps a token while Twitch cannot be asked, and asks again', async () => {
    const minted = await mint()
    const asked = vi.spyOn(w.t.deps.twitch.tokens, 'validate')
    asked.mockRejectedValueOnce(new TwitchFault('unreachable', 'no'))
    expect((await save(formOf(minted))).json()).toMatchObject({
      state: 'unchecked',
      isActive: true,
      checkedAt: null,
    })
    await w.advance(301)
    expect(await read()).toMatchObject({ state: 'ready' })
  })

  it('does not put back tokens that were renewed while it asked about them', async () => {
    const form = formOf(await mint())
    await save(form)
    const { tokens } = w.t.deps.twitch
    const validate = tokens.validate.bind(tokens)
    vi.spyOn(tokens, 'validate').mockImplementationOnce(async (token) => {
      await refreshBot(w.t.deps, (await readCredentials(w.t.deps.db))!)
      return validate(token)
    })
    const masks = {
      accessToken: mask(form.accessToken),
      refreshToken: mask(form.refreshToken),
    }
    expect(await coded(save({ ...form, ...masks }))).toBe('409 changed_meanwhile')
    const kept = await read()
    expect(kept).toMatchObject({ state: 'ready' })
    expect(kept?.accessToken).not.toBe(masks.accessToken)
  })

  it('renews at once what has expired but can be renewed', async () => {
    const minted = await mint()
    w.t.clock.advance(15_000)
    const saved = (await save(formOf(minted))).json<BotCredentials>()
    expect(saved.state).toBe('ready')
    expect(saved.accessToken).not.toBe(mask(minted.accessToken))
  })

  it('keeps what was renewed for a refresh token that is good once, whatever else it refuses', async () => {
    const [first, next] = [await mint(), await mint()]
    await save(formOf(first))
    w.t.clock.advance(15_000)
    const fresh = await w.t.deps.twitch.tokens.refresh(next.clientId, next.refreshToken)
    const { refreshToken } = next
    const refreshed = vi.spyOn(w.t.deps.twitch.tokens, 'refresh')
    refreshed.mockResolvedValueOnce({ ...fresh!, refreshToken })
    const masks = {
      accessToken: mask(first.accessToken),
      refreshToken: mask(first.refreshToken),
    }
    const other = { ...formOf(first), ...masks, botUsername: 'another' }
    expect(await coded(save(other))).toBe('409 changed_meanwhile')
    const kept = { accessToken: mask(fresh!.accessToken), refreshToken: mask(refreshToken) }
    expect(await read()).toMatchObject({ ...kept, botUsername: 'redbot', state: 'ready' })
    expect(await told(save({ ...other, ...kept }))).toBe(
      '400 The access token belongs to another username',
    )
  })

  it('marks what only the secret of another client could renew', async () => {
    const form = { ...formOf(await mint()), clientId: 'another' }
    w.t.clock.advance(15_000)
    vi.spyOn(w.t.deps.twitch.tokens, 'refresh').mockRejectedValue(new TwitchFault('refused', 'no'))
    await save(form)
    expect(await read()).toMatchObject({ state: 'rejected', isActive: false })
  })

  it('keeps what was renewed when Twitch does not answer about it, and asks again', async () => {
    const form = formOf(await mint())
    const asked = vi.spyOn(w.t.deps.twitch.tokens, 'validate')
    asked.mockResolvedValueOnce(undefined)
    asked.mockRejectedValueOnce(new TwitchFault('unreachable', 'no'))
    const saved = (await save(form)).json<BotCredentials>()
    expect(saved.state).toBe('unchecked')
    expect(saved.accessToken).not.toBe(mask(form.accessToken))
    await w.advance(301)
    expect(await read()).toMatchObject({ state: 'ready', accessToken: saved.accessToken })
  })
})

describe('deleting', () => {
  it('removes them, ends the token, and there is nothing to delete then', async () => {
    const minted = await mint()
    await save(formOf(minted))
    const answer = await boss.send('DELETE', path)
    expect(answer.json()).toEqual({ success: true, message: 'Bot credentials deleted' })
    expect(await read()).toBeNull()
    expect((await boss.send('DELETE', path)).statusCode).toBe(404)
    const { tokens } = w.t.deps.twitch
    await expect.poll(() => tokens.validate(minted.accessToken)).toBeUndefined()
    const audit = await w.t.rows('SELECT action, actor_id FROM audit_log ORDER BY id')
    expect(audit).toEqual([
      { action: 'bot.save_credentials', actor_id: boss.id },
      { action: 'bot.delete_credentials', actor_id: boss.id },
    ])
  })
})

describe('a token that is refused', () => {
  /** One that has to be renewed; answers what the renewal is asked with. */
  const oldToken = async () => {
    await save(formOf(await mint()))
    w.t.clock.advance(15_000)
    return vi.spyOn(w.t.deps.twitch.tokens, 'refresh')
  }
  const use = () => asBot(w.t.deps, 'user:write:chat', (bot) => w.t.deps.twitch.chatters(bot, '5'))

  it('is renewed once, however many notice at the same time', async () => {
    await save(formOf(await mint()))
    w.t.clock.advance(15_000)
    const renewed = vi.spyOn(w.t.deps.twitch.tokens, 'refresh')
    await w.control('twitch/chatters', { twitchChannelId: '5', logins: ['ana'] })
    const all = await Promise.all([use(), use(), use(), use()])
    expect(all.map((ids) => ids?.length)).toEqual([1, 1, 1, 1])
    expect(renewed).toHaveBeenCalledTimes(1)
    expect(await read()).toMatchObject({ state: 'ready', isActive: true })
  })

  it('stops the bot when it cannot be renewed, and staff are told', async () => {
    await save(formOf(await mint()))
    await w.control('twitch/revoke', { login: 'redbot' })
    expect(await use()).toBeUndefined()
    expect(await read()).toMatchObject({ state: 'rejected', isActive: false, canSendChat: false })
  })

  it('stays when Twitch does not answer', async () => {
    const renewal = await oldToken()
    renewal.mockRejectedValueOnce(new TwitchFault('unreachable', 'no'))
    await expect(use()).rejects.toThrow('no')
    expect(await read()).toMatchObject({ isActive: true })
    expect(await use()).toEqual(expect.any(Array))
  })

  it('stays when Twitch refuses the client, unless it is the client of others', async () => {
    const renewal = await oldToken()
    renewal.mockRejectedValue(new TwitchFault('refused', 'invalid client'))
    await expect(use()).rejects.toThrow('invalid client')
    expect(await read()).toMatchObject({ isActive: true })
    await w.t.rows("UPDATE twitch_bot_credentials SET client_id = 'another'")
    expect(await use()).toBeUndefined()
    expect(await read()).toMatchObject({ isActive: false })
  })

  it('is noticed within the hour without being used', async () => {
    await save(formOf(await mint()))
    await w.control('twitch/revoke', { login: 'redbot' })
    await w.advance(3_600)
    expect(await read()).toMatchObject({ state: 'rejected', isActive: false })
  })

  it('is renewed before it ends', async () => {
    await save(formOf(await mint()))
    for (let n = 0; n < 9; n += 1) await w.advance(3_600)
    const shown = await read()
    expect(shown).toMatchObject({ state: 'ready' })
    expect(Date.parse(shown?.expiresAt ?? '')).toBeGreaterThan(w.t.clock.now().getTime())
  })
})
