// The Twitch stand-in as a client library meets it that nobody here has written, and its webhooks
// as a receiver meets them.

import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { testBegin, testNow } from '../../tools/test-clock.ts'
import type { SandboxControls } from './controls.ts'
import { hasHelixDescription, helixFaults } from './helix-fidelity.fixture.ts'
import { readForms } from './requests.ts'
import { serveHelix } from './twitch-helix.ts'
import { type TwitchState, twitchState } from './twitch-state.ts'
import { issueUserTokens, serveTwitchTokens } from './twitch-tokens.ts'
import { sandboxViewers } from './viewers.ts'

const controls: SandboxControls = {
  publicUrl: 'http://localhost',
  twitchClient: { clientId: 'sandbox-twitch', clientSecret: 'twitch-secret' },
  discordClient: { clientId: '', clientSecret: '' },
  discordBotToken: '',
  viewers: [{ id: '42', login: 'redbot', displayName: 'RedBot', avatar: '/art/a.svg' }],
  liveChannelIds: ['990100001'],
  clock: { now: () => testBegin, advance: () => undefined },
  dice: { load: () => undefined, reset: () => undefined },
  runDueJobs: async () => undefined,
  isLoopback: () => true,
  isOwnOrigin: () => true,
}

let app: FastifyInstance
let state: TwitchState
let port = 0
beforeAll(async () => {
  app = Fastify()
  readForms(app)
  state = twitchState(controls, sandboxViewers(controls.viewers))
  // Where the library looks for a stand-in, and where the product does.
  await serveHelix(app, state, { base: '/mock', events: '/eventsub/subscriptions' })
  serveTwitchTokens(app, controls, state)
  for (const call of ['token', 'validate']) {
    app.all(`/auth/${call}`, (request, reply) => {
      const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : ''
      return reply.redirect(`/twitch/id/oauth2/${call}${query}`, 307)
    })
  }
  await app.listen({ port: 0, host: 'localhost' })
  port = (app.server.address() as AddressInfo).port
})
afterAll(() => app.close())

describe('@twurple', () => {
  const library = async () => {
    // Read when the library is loaded.
    vi.stubEnv('TWURPLE_MOCK_API_PORT', String(port))
    const [{ AppTokenAuthProvider, RefreshingAuthProvider, StaticAuthProvider }, { ApiClient }] =
      await Promise.all([import('@twurple/auth'), import('@twurple/api')])
    const app = new AppTokenAuthProvider('sandbox-twitch', 'twitch-secret')
    return {
      RefreshingAuthProvider,
      StaticAuthProvider,
      ApiClient,
      api: new ApiClient({ authProvider: app }),
    }
  }
  const bot = (scopes: string[]) =>
    issueUserTokens(state, {
      viewer: controls.viewers[0],
      clientId: 'sandbox-twitch',
      scopes,
      isBot: true,
    })

  it('reads streams and users as the app', async () => {
    const { api } = await library()
    const live = await api.streams.getStreamByUserId('990100001')
    expect(live?.id).toBe('4990100001')
    expect(live?.startDate.getTime()).toBeLessThanOrEqual(testNow())
    expect(await api.streams.getStreamByUserId('1')).toBeNull()
    expect((await api.users.getUserByName('redbot'))?.displayName).toBe('RedBot')
  })

  it('reads chatters and speaks as the bot', async () => {
    const { StaticAuthProvider, ApiClient } = await library()
    const scopes = ['moderator:read:chatters', 'user:write:chat']
    const { access_token: token } = bot(scopes)
    const authProvider = new StaticAuthProvider('sandbox-twitch', token, scopes)
    const api = new ApiClient({ authProvider })
    state.channels.chatters.set('990100001', ['ana', 'ben'])
    const { data, total } = await api.asUser('42', (user) => user.chat.getChatters('990100001'))
    expect([total, data.map(({ userName }) => userName)]).toEqual([2, ['ana', 'ben']])
    const sent = await api.asUser('42', (user) =>
      user.chat.sendChatMessage('990100001', 'Hello from elsewhere'),
    )
    expect(sent).toMatchObject({ isSent: true })
    expect(state.channels.messages.at(-1)).toMatchObject({ message: 'Hello from elsewhere' })
  })

  it('refreshes a token that is refused', async () => {
    const { RefreshingAuthProvider, ApiClient } = await library()
    const { refresh_token: refreshToken } = bot(['moderator:read:chatters'])
    const authProvider = new RefreshingAuthProvider({
      clientId: 'sandbox-twitch',
      clientSecret: 'twitch-secret',
    })
    await authProvider.addUserForToken({
      accessToken: 'gone',
      refreshToken,
      expiresIn: 0,
      obtainmentTimestamp: 0,
      scope: ['moderator:read:chatters'],
    })
    const api = new ApiClient({ authProvider })
    expect((await api.users.getAuthenticatedUser('42')).name).toBe('redbot')
  })

  it('manages subscriptions', async () => {
    const { api } = await library()
    const made = await api.eventSub.subscribeToStreamOnlineEvents('990100001', {
      method: 'webhook',
      callback: 'http://127.0.0.1:9/hook',
      secret: 'a-secret-of-enough-length',
    })
    expect(made.status).toBe('webhook_callback_verification_pending')
    expect((await api.eventSub.getSubscriptions()).data.map(({ id }) => id)).toContain(made.id)
    await api.eventSub.deleteSubscription(made.id)
    expect((await api.eventSub.getSubscriptions()).data.map(({ id }) => id)).not.toContain(made.id)
  })
})

describe('webhooks', () => {
  interface Received {
    readonly headers: IncomingMessage['headers']
    readonly raw: string
    readonly body: Record<string, never>
  }
  let receiver: Server
  let hook = ''
  const received: Received[] = []
  let answers: number[] = []
  let isHonest = true
  const secret = 'a-secret-of-enough-length'

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let raw = ''
      request.on('data', (chunk: Buffer) => {
        raw += chunk.toString()
      })
      request.on('end', () => {
        const body = JSON.parse(raw) as Received['body'] & { challenge?: string }
        received.push({ headers: request.headers, raw, body })
        if (body.challenge !== undefined) {
          response.writeHead(200).end(isHonest ? body.challenge : 'wrong')
          return
        }
        response.writeHead(answers.shift() ?? 204).end()
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  })
  beforeEach(() => {
    received.length = 0
    answers = []
    isHonest = true
    state.events.all.clear()
  })
  afterAll(() => receiver.close())

  const appHeaders = () => {
    const grant = { viewer: undefined, clientId: 'sandbox-twitch', scopes: [] }
    return {
      authorization: `Bearer ${state.accessTokens.issue(grant, 60)}`,
      'client-id': 'sandbox-twitch',
    }
  }
  const subscribe = (more: Record<string, unknown> = {}) =>
    app.inject({
      method: 'POST',
      url: '/eventsub/subscriptions',
      headers: appHeaders(),
      payload: {
        type: 'stream.online',
        version: '1',
        condition: { broadcaster_user_id: '5' },
        transport: { method: 'webhook', callback: hook, secret },
        ...more,
      },
    })
  const statuses = () => [...state.events.all.values()].map(({ status }) => status)

  it('begin with a challenge, and every message is signed over its raw body', async () => {
    const answer = await subscribe()
    expect(answer.statusCode).toBe(202)
    if (hasHelixDescription) {
      expect(helixFaults('/eventsub/subscriptions', 'post', 202, answer.json())).toEqual([])
    }
    await expect.poll(statuses).toEqual(['enabled'])
    await state.events.notify('stream.online', 'broadcaster_user_id', '5', { id: 's1' })
    await state.events.notify('stream.online', 'broadcaster_user_id', '6', { id: 's2' })
    expect(received.map(({ headers }) => headers['twitch-eventsub-message-type'])).toEqual([
      'webhook_callback_verification',
      'notification',
    ])
    for (const { headers, raw } of received) {
      const id = headers['twitch-eventsub-message-id']
      const timestamp = headers['twitch-eventsub-message-timestamp']
      const signed = createHmac('sha256', secret).update(`${id}${timestamp}${raw}`).digest('hex')
      expect(headers['twitch-eventsub-message-signature']).toBe(`sha256=${signed}`)
      expect(timestamp).toMatch(/\.\d{9}Z$/)
    }
  })

  it('are tried again under the same id, and given up with a revocation', async () => {
    await subscribe()
    await expect.poll(statuses).toEqual(['enabled'])
    answers = [500, 204]
    await state.events.notify('stream.online', 'broadcaster_user_id', '5', { id: 's1' })
    const tries = received.slice(1).map(({ headers }) => headers)
    expect(tries.map((headers) => headers['twitch-eventsub-message-retry'])).toEqual(['0', '1'])
    expect(new Set(tries.map((headers) => headers['twitch-eventsub-message-id'])).size).toBe(1)
    answers = [500, 500, 500]
    await state.events.notify('stream.online', 'broadcaster_user_id', '5', { id: 's2' })
    expect(statuses()).toEqual(['notification_failures_exceeded'])
    expect(received.at(-1)?.headers['twitch-eventsub-message-type']).toBe('revocation')
  })

  it('do not come to an address that fails the challenge', async () => {
    isHonest = false
    await subscribe()
    await expect.poll(statuses).toEqual(['webhook_callback_verification_failed'])
  })

  it.each([
    ['a second one of the same kind', {}, 409],
    [
      'an address without encryption',
      { transport: { method: 'webhook', callback: 'http://far.example/', secret } },
      400,
    ],
    [
      'a secret too short',
      { transport: { method: 'webhook', callback: 'https://a.example/', secret: 'short' } },
      400,
    ],
    ['a type nobody knows', { type: 'stream.paused' }, 400],
    ['no channel', { condition: {} }, 400],
  ])('are refused for %s', async (_what, more, status) => {
    await subscribe()
    expect((await subscribe(more)).statusCode).toBe(status)
  })
})
