// The Helix stand-in, judged by the public description of the API, by types made from Twitch's
// documentation, and by a client that nobody here has written.

import type { GetChattersResponse, GetStreamsResponse, GetUsersResponse } from 'ts-twitch-api'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasHelixDescription, helixFaults } from './helix-fidelity.fixture.ts'
import { type SandboxHost, sandboxHost } from './sandbox-host.fixture.ts'

let host: SandboxHost
let appToken = ''
beforeAll(async () => {
  host = await sandboxHost()
  const answer = await fetch(`${host.origin}/sandbox/twitch/id/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'sandbox-twitch',
      client_secret: 'twitch-secret',
    }),
  })
  appToken = ((await answer.json()) as { access_token: string }).access_token
})
beforeEach(() => control('fail', { next: 0, status: 500 }))
afterAll(() => host.app.close())

async function control<Answer = Record<string, unknown>>(path: string, body: unknown) {
  const answer = await fetch(`${host.origin}/sandbox/control/twitch/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status, await answer.clone().text()).toBe(200)
  return (await answer.json()) as Answer
}

const said = async () =>
  (await (await fetch(`${host.origin}/sandbox/control/twitch/chat-messages`)).json()) as {
    twitchChannelId: string
    senderId: string
    message: string
    sentAt: string
  }[]

type Method = 'GET' | 'POST' | 'DELETE'
type Path = Parameters<typeof helixFaults>[0]
async function helix<Body = { data: Record<string, unknown>[] }>(
  path: Path,
  options: { method?: Method; query?: string; token?: string; body?: unknown } = {},
) {
  const { method = 'GET', query = '', token = appToken, body } = options
  const answer = await fetch(`${host.origin}/sandbox/twitch/helix${path}${query}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'client-id': 'sandbox-twitch',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const parsed = (text === '' ? undefined : JSON.parse(text)) as Body
  if (answer.status < 300 && parsed !== undefined && hasHelixDescription) {
    expect(helixFaults(path, method.toLowerCase(), answer.status, parsed)).toEqual([])
  }
  return { status: answer.status, body: parsed, headers: answer.headers }
}

interface BotTokens {
  accessToken: string
  refreshToken: string
  clientId: string
  userId: string
  login: string
  scopes: string[]
}
const bot = (more: Record<string, unknown> = {}) =>
  control<BotTokens>('bot-token', { login: 'redbot', ...more })

describe('streams', () => {
  it('lists the channels that are live among those asked for', async () => {
    await control('live', { twitchChannelId: '77', isLive: true, streamId: 'first' })
    await control('live', { twitchChannelId: '78', isLive: false })
    const query = '?user_id=77&user_id=78&user_id=990100001&first=100'
    const { body } = await helix<GetStreamsResponse>('/streams', { query })
    const shown = body satisfies GetStreamsResponse
    expect(shown.data.map(({ user_id, id, type }) => [user_id, id, type])).toEqual([
      ['77', 'first', 'live'],
      ['990100001', '4990100001', 'live'],
    ])
    expect(body.pagination).toEqual({})
  })

  it('gives a broadcast a new number unless one is given, and keeps it while it lasts', async () => {
    const live = (more: object = {}) =>
      control<{ streamId: string }>('live', { twitchChannelId: '79', isLive: true, ...more })
    const one = await live()
    expect(await live()).toEqual(one)
    await control('live', { twitchChannelId: '79', isLive: false })
    const two = await live()
    expect(two.streamId).not.toBe(one.streamId)
    expect((await live({ streamId: 'mine' })).streamId).toBe('mine')
  })

  it('pages with first and after', async () => {
    const ids = Array.from({ length: 25 }, (_, index) => String(5_000 + index))
    for (const id of ids) await control('live', { twitchChannelId: id, isLive: true })
    const asked = ids.map((id) => `user_id=${id}`).join('&')
    const one = await helix<GetStreamsResponse>('/streams', { query: `?${asked}` })
    expect(one.body.data).toHaveLength(20)
    const after = one.body.pagination?.cursor
    const two = await helix<GetStreamsResponse>('/streams', { query: `?${asked}&after=${after}` })
    expect(two.body.data.map(({ user_id }) => user_id)).toEqual(ids.slice(20))
  })

  it.each([
    ['more than 100 ids', `?${Array.from({ length: 101 }, (_, n) => `user_id=${n}`).join('&')}`],
    ['a page of 0', '?first=0'],
    ['a page of 101', '?first=101'],
    ['a broken cursor', '?after=%00'],
  ])('refuses %s', async (_what, query) => {
    const { status, body } = await helix<object>('/streams', { query })
    expect(status).toBe(400)
    expect(body).toEqual({ error: 'Bad Request', status: 400, message: expect.any(String) })
  })
})

describe('users', () => {
  it('are found by id and login, and the token owner without either', async () => {
    const { accessToken, userId } = await bot({ scopes: ['user:read:email'] })
    const own = await helix<GetUsersResponse>('/users', { token: accessToken })
    expect(own.body.data).toMatchObject([{ id: userId, email: 'redbot@example.com' }])
    const query = '?login=pixelotter&id=990000001&login=Newcomer'
    const some = await helix<GetUsersResponse>('/users', { query })
    expect(some.body.data.map(({ login }) => login)).toEqual([
      'pixelotter',
      'pixelotter',
      'newcomer',
    ])
    expect((await helix('/users')).status).toBe(400)
  })
})

describe('chatters', () => {
  const ask = (token: string, moderatorId: string, more = '') =>
    helix<GetChattersResponse>('/chat/chatters', {
      query: `?broadcaster_id=80&moderator_id=${moderatorId}${more}`,
      token,
    })

  it('are those that were put there, page by page', async () => {
    await control('chatters', { twitchChannelId: '80', logins: ['ana', 'Ben', 'cem'] })
    const { accessToken, userId } = await bot()
    const one = await ask(accessToken, userId, '&first=2')
    expect(one.body).toMatchObject({
      total: 3,
      data: [{ user_login: 'ana' }, { user_name: 'Ben' }],
    })
    const two = await ask(accessToken, userId, `&first=2&after=${one.body.pagination?.cursor}`)
    expect(two.body).toMatchObject({ data: [{ user_login: 'cem' }], pagination: {} })
  })

  it('are shown to moderators with the scope, about themselves', async () => {
    const { accessToken, userId } = await bot()
    expect((await ask(accessToken, '1')).status).toBe(401)
    const unable = await bot({ scopes: ['user:write:chat'] })
    expect((await ask(unable.accessToken, unable.userId)).body).toMatchObject({
      message: 'Missing scope: moderator:read:chatters',
    })
    expect((await ask(appToken, userId)).status).toBe(401)
  })
})

describe('chat messages', () => {
  const say = (token: string, body: object) =>
    helix<{ data: { is_sent: boolean; drop_reason: { code: string } | null }[] }>(
      '/chat/messages',
      { method: 'POST', token, body },
    )

  it('are kept for the control call, and said once in thirty seconds', async () => {
    const { accessToken, userId } = await bot()
    const line = { broadcaster_id: '81', sender_id: userId, message: 'Hello chat' }
    expect((await say(accessToken, line)).body.data[0]).toMatchObject({
      is_sent: true,
      drop_reason: null,
    })
    expect((await say(accessToken, line)).body.data[0]).toMatchObject({
      is_sent: false,
      drop_reason: { code: 'msg_duplicate' },
    })
    host.advance(31)
    expect((await say(accessToken, line)).body.data[0]?.is_sent).toBe(true)
    expect((await said()).filter(({ twitchChannelId }) => twitchChannelId === '81')).toEqual([
      {
        twitchChannelId: '81',
        senderId: userId,
        message: 'Hello chat',
        sentAt: expect.stringMatching(/Z$/),
      },
      expect.anything(),
    ])
  })

  it.each([
    ['nothing', { message: ' ' }, 400],
    ['too much', { message: 'x'.repeat(501) }, 422],
    ['as somebody else', { sender_id: '1' }, 401],
    ['nowhere', { broadcaster_id: undefined }, 400],
  ])('refuse to say %s', async (_what, wrong, status) => {
    const { accessToken, userId } = await bot()
    const line = { broadcaster_id: '82', sender_id: userId, message: 'Hello' }
    expect((await say(accessToken, { ...line, ...wrong })).status).toBe(status)
  })
})

describe('tokens', () => {
  it('are refused in three ways', async () => {
    const url = `${host.origin}/sandbox/twitch/helix/streams`
    const ask = async (headers: Record<string, string>) => {
      const answer = await fetch(url, { headers })
      return ((await answer.json()) as { message: string }).message
    }
    expect(await ask({ 'client-id': 'sandbox-twitch' })).toBe('OAuth token is missing')
    const wrong = { authorization: 'Bearer wrong', 'client-id': 'sandbox-twitch' }
    expect(await ask(wrong)).toBe('Invalid OAuth token')
    const other = { authorization: `Bearer ${appToken}`, 'client-id': 'other' }
    expect(await ask(other)).toBe('Client ID and OAuth token do not match')
  })

  it('end when their holder disconnects, and begin anew with the next consent', async () => {
    const before = await bot({ login: 'leaver' })
    await control('revoke', { login: 'leaver' })
    const own = (token: string) => helix('/users', { token })
    expect((await own(before.accessToken)).status).toBe(401)
    expect((await own((await bot({ login: 'leaver' })).accessToken)).status).toBe(200)
    expect((await own((await bot({ login: 'stayer' })).accessToken)).status).toBe(200)
  })

  it('outlive a restart of the stand-in', async () => {
    const { accessToken } = await bot({ login: 'patient' })
    const again = await sandboxHost()
    const answer = await fetch(`${again.origin}/sandbox/twitch/id/oauth2/validate`, {
      headers: { authorization: `OAuth ${accessToken}` },
    })
    expect(await answer.json()).toMatchObject({ login: 'patient' })
    await again.app.close()
  })

  it('cannot be made up', async () => {
    const { accessToken } = await bot()
    const changed = accessToken.replace(/^../, '7c')
    expect((await helix('/users', { token: changed })).status).toBe(401)
    expect((await helix('/users', { token: 'a'.repeat(400) })).status).toBe(401)
  })
})

describe('failures on demand', () => {
  it('come as often as asked for, then stop', async () => {
    await control('fail', { next: 2, status: 503 })
    const statuses = []
    for (let n = 0; n < 3; n += 1) statuses.push((await helix('/streams')).status)
    expect(statuses).toEqual([503, 503, 200])
  })

  it('can be a limit, and no answer at all', async () => {
    await control('fail', { next: 1, status: 429 })
    const limited = await helix('/streams')
    expect(limited.status).toBe(429)
    expect(limited.headers.get('ratelimit-remaining')).toBe('0')
    await control('fail', { next: 1, status: 0 })
    const url = `${host.origin}/sandbox/twitch/helix/streams`
    await expect(fetch(url, { signal: AbortSignal.timeout(300) })).rejects.toThrow()
    expect((await helix('/streams')).status).toBe(200)
  })

  it('count points like Twitch', async () => {
    const { headers } = await helix('/streams')
    expect(headers.get('ratelimit-limit')).toBe('800')
    expect(Number(headers.get('ratelimit-remaining'))).toBeLessThan(800)
    expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(1e9)
  })
})

describe('control calls', () => {
  it.each([
    ['live', { twitchChannelId: 5, isLive: true }],
    ['live', { twitchChannelId: '5', isLive: 'yes' }],
    ['live', { twitchChannelId: '5', isLive: true, streamId: 7 }],
    ['chatters', { twitchChannelId: '5', logins: 'ana' }],
    ['chatters', { twitchChannelId: '5', logins: ['a b'] }],
    ['fail', { next: -1, status: 500 }],
    ['fail', { next: 1, status: 200 }],
    ['bot-token', { login: '' }],
    ['bot-token', { login: 'redbot', scopes: 'all' }],
    ['revoke', {}],
  ])('%s refuses %j', async (path, body) => {
    const answer = await host.app.inject({
      method: 'POST',
      url: `/sandbox/control/twitch/${path}`,
      payload: body,
    })
    expect(answer.statusCode).toBe(400)
  })

  it('are for this machine only', async () => {
    host.isLoopback = false
    const answer = await host.app.inject('/sandbox/control/twitch/chat-messages')
    host.isLoopback = true
    expect(answer.statusCode).toBe(403)
  })
})
