// What the client makes of a Twitch that is wrong, slow, broken or strict.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { shortenPatience } from '../../../test/short-patience.ts'
import { TwitchFault } from '../../shared/far-side-faults.ts'
import { movableClock } from '../clock/clock.ts'
import { jsonRoute, type Route, useStubService } from '../outbound/stub-service.fixture.ts'
import { twitchApi } from './twitch-api.ts'

const stub = useStubService()
const broadcast = {
  id: '9',
  user_id: '5',
  type: 'live',
  started_at: '2027-01-01T10:00:00Z',
}

beforeEach(() => {
  stub.routes = {
    '/id/oauth2/token': jsonRoute(200, { access_token: 'app-canary', expires_in: 5_000 }),
    '/helix/streams': jsonRoute(200, { data: [broadcast], pagination: {} }),
  }
})
function client(clock = movableClock()) {
  const settings = { clientId: 'ours', clientSecret: 'secret-canary' }
  const urls = { idUrl: `${stub.origin}/id`, apiUrl: `${stub.origin}/helix` }
  return twitchApi({ ...settings, ...urls }, clock)
}
const asked = (path: string) => stub.seen.filter(({ url }) => url?.startsWith(path)).length
const bot = { clientId: 'ours', userId: '7', accessToken: 'bot-canary' }
const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no fault',
    (error: unknown) => (error instanceof TwitchFault ? error.kind : `other: ${String(error)}`),
  )

describe('an honest Twitch', () => {
  it('is asked for all channels at once, as the app, with one token for many calls', async () => {
    const twitch = client()
    const live = await twitch.liveBroadcasts(['5', '6'])
    await twitch.liveBroadcasts(['5'])
    expect(live).toEqual([
      { channelId: '5', broadcastId: '9', startedAt: new Date('2027-01-01T10:00:00Z') },
    ])
    expect(asked('/id/oauth2/token')).toBe(1)
    const call = stub.seen.find(({ url }) => url?.startsWith('/helix/streams'))
    expect(call?.url).toBe('/helix/streams?user_id=5&user_id=6&first=100')
    expect(call?.headers).toMatchObject({ authorization: 'Bearer app-canary', 'client-id': 'ours' })
  })

  it('counts a rerun as offline, and says nothing about nobody', async () => {
    stub.routes['/helix/streams'] = jsonRoute(200, { data: [{ ...broadcast, type: '' }] })
    expect(await client().liveBroadcasts(['5'])).toEqual([])
    stub.seen = []
    expect(await client().liveBroadcasts([])).toEqual([])
    expect(stub.seen).toEqual([])
  })

  it('tells the pictures that there are, by id', async () => {
    const data = [
      { id: '5', profile_image_url: 'https://pictures.example/5.png' },
      { id: '6', profile_image_url: '' },
    ]
    stub.routes['/helix/users'] = jsonRoute(200, { data })
    const pictures = await client().pictures(['5', '6', '7'])
    expect([...pictures]).toEqual([['5', 'https://pictures.example/5.png']])
    expect(stub.seen.map(({ url }) => url)).toContain('/helix/users?id=5&id=6&id=7')
  })

  it('pages through chatters, also when the last page lacks a cursor object', async () => {
    stub.routes['/helix/chat/chatters'] = (request, response) => {
      const after = new URL(request.url ?? '', stub.origin).searchParams.get('after')
      const page =
        after === null
          ? { data: [{ user_id: '1' }], pagination: { cursor: 'next' }, total: 2 }
          : { data: [{ user_id: '2' }], total: 2 }
      jsonRoute(200, page)(request, response)
    }
    expect(await client().chatters(bot, '5')).toEqual(['1', '2'])
    expect(stub.seen[0]?.url).toBe(
      '/helix/chat/chatters?broadcaster_id=5&moderator_id=7&first=1000',
    )
  })

  it('reads no list of chatters without an end', async () => {
    const page = { data: [{ user_id: '1' }], pagination: { cursor: 'next' } }
    stub.routes['/helix/chat/chatters'] = jsonRoute(200, page)
    expect(await client().chatters(bot, '5')).toHaveLength(100)
    stub.routes['/helix/chat/chatters'] = jsonRoute(200, { ...page, data: [] })
    stub.seen.length = 0
    expect(await client().chatters(bot, '5')).toEqual([])
    expect(stub.seen).toHaveLength(1)
  })

  it.each([
    [
      { is_sent: true, drop_reason: null },
      { isSent: true, dropCode: undefined },
    ],
    [{ is_sent: true }, { isSent: true, dropCode: undefined }],
    [
      { is_sent: false, drop_reason: { code: 'msg_slowmode', message: '' } },
      { isSent: false, dropCode: 'msg_slowmode' },
    ],
  ])('answers a message with %j', async (reply, outcome) => {
    stub.routes['/helix/chat/messages'] = jsonRoute(200, { data: [{ message_id: 'm', ...reply }] })
    expect(await client().sendChat(bot, '5', 'hi')).toEqual(outcome)
  })

  it('gives tokens in every shape of its documentation', async () => {
    const { tokens } = client()
    const facts = { client_id: 'ours', login: 'bot', user_id: '7', expires_in: 0, scopes: null }
    stub.routes['/id/oauth2/validate'] = jsonRoute(200, facts)
    expect(await tokens.validate('t')).toEqual({
      clientId: 'ours',
      login: 'bot',
      userId: '7',
      scopes: [],
      expiresInSeconds: null,
    })
    stub.routes['/id/oauth2/token'] = jsonRoute(200, { access_token: 'new', scope: 'a b' })
    expect(await tokens.refresh('ours', 'old')).toEqual({
      accessToken: 'new',
      refreshToken: 'old',
      expiresInSeconds: null,
    })
    stub.routes['/id/oauth2/validate'] = jsonRoute(401, {
      status: 401,
      message: 'invalid access token',
    })
    expect(await tokens.validate('t')).toBeUndefined()
    stub.routes['/id/oauth2/token'] = jsonRoute(400, {
      status: 400,
      message: 'Invalid refresh token',
    })
    expect(await tokens.refresh('ours', 'old')).toBeUndefined()
  })

  it.each(['invalid client', 'missing client secret'])(
    'does not take %j for a word about the token',
    async (message) => {
      stub.routes['/id/oauth2/token'] = jsonRoute(400, { status: 400, message })
      expect(await kindOf(client().tokens.refresh('ours', 'old'))).toBe('refused')
    },
  )
})

describe('a Twitch in trouble', () => {
  it.each([
    ['fails', jsonRoute(500, {})],
    ['sends no JSON', (_: unknown, to: ServerResponse) => to.end('<html>')],
    ['sends another shape', jsonRoute(200, { data: 'none' })],
    ['sends a time that is none', jsonRoute(200, { data: [{ ...broadcast, started_at: 'now' }] })],
    ['cuts the connection', (request: IncomingMessage) => request.socket.destroy()],
    [
      'cuts its answer',
      (_: unknown, to: ServerResponse) => {
        to.writeHead(200, { 'content-length': '500' }).write('{"data":')
        to.destroy()
      },
    ],
    ['redirects', (_: unknown, to: ServerResponse) => to.writeHead(302, { location: '/x' }).end()],
  ] as [string, Route][])('that %s is unreachable', async (_what, route) => {
    stub.routes['/helix/streams'] = route
    expect(await kindOf(client().liveBroadcasts(['5']))).toBe('unreachable')
  })

  it('that does not stop talking is not listened to', async () => {
    let said = 0
    stub.routes['/helix/streams'] = (_request, response) => {
      const goOn = () => {
        while (!response.destroyed && response.write(' '.repeat(1_000_000))) said += 1
      }
      response.writeHead(200).on('drain', goOn)
      goOn()
    }
    expect(await kindOf(client().liveBroadcasts(['5']))).toBe('unreachable')
    expect(said).toBeLessThan(20)
  })

  it('that hangs is given up on after five seconds', async () => {
    const patience = shortenPatience()
    stub.routes['/helix/streams'] = () => undefined
    expect(await kindOf(client().liveBroadcasts(['5']))).toBe('unreachable')
    expect(patience).toHaveBeenLastCalledWith(5_000)
  })

  it.each([
    [400, 'refused'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [422, 'refused'],
  ])('that answers %d to the bot is %s', async (status, kind) => {
    stub.routes['/helix/chat/messages'] = jsonRoute(status, { status })
    expect(await kindOf(client().sendChat(bot, '5', 'hi'))).toBe(kind)
  })

  it('is left alone for half a minute after five failures, and then tried once', async () => {
    const clock = movableClock()
    const twitch = client(clock)
    stub.routes['/helix/streams'] = jsonRoute(503, {})
    for (let n = 0; n < 5; n += 1) await kindOf(twitch.liveBroadcasts(['5']))
    expect(await kindOf(twitch.liveBroadcasts(['5']))).toBe('unreachable')
    expect(asked('/helix/streams')).toBe(5)
    clock.advance(31)
    await kindOf(twitch.liveBroadcasts(['5']))
    await kindOf(twitch.liveBroadcasts(['5']))
    expect(asked('/helix/streams')).toBe(6)
    clock.advance(31)
    stub.routes['/helix/streams'] = jsonRoute(200, { data: [] })
    expect(await kindOf(twitch.liveBroadcasts(['5']))).toBe('no fault')
    stub.routes['/helix/streams'] = jsonRoute(503, {})
    await kindOf(twitch.liveBroadcasts(['5']))
    await kindOf(twitch.liveBroadcasts(['5']))
    expect(asked('/helix/streams')).toBe(9)
  })

  it('is not asked again before its limit is over, but other tokens are free', async () => {
    const clock = movableClock()
    const twitch = client(clock)
    const reset = String(Math.ceil(clock.now().getTime() / 1000) + 20)
    stub.routes['/helix/streams'] = jsonRoute(429, {}, { 'ratelimit-reset': reset })
    const fault = await twitch.liveBroadcasts(['5']).catch((error: unknown) => error)
    expect(fault).toMatchObject({ kind: 'rate_limited' })
    expect((fault as TwitchFault).retryAfterSeconds).toBeGreaterThan(15)
    expect(await kindOf(twitch.liveBroadcasts(['5']))).toBe('rate_limited')
    expect(asked('/helix/streams')).toBe(1)
    stub.routes['/helix/chat/chatters'] = jsonRoute(200, { data: [], total: 0 })
    expect(await twitch.chatters(bot, '5')).toEqual([])
    clock.advance(21)
    stub.routes['/helix/streams'] = jsonRoute(200, { data: [] })
    expect(await twitch.liveBroadcasts(['5'])).toEqual([])
  })

  it('is waited for a minute at most, whatever it says', async () => {
    stub.routes['/helix/streams'] = jsonRoute(429, {}, { 'ratelimit-reset': '4102444800' })
    const fault = await client()
      .liveBroadcasts(['5'])
      .catch((error: unknown) => error)
    expect(fault).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 60 })
  })

  it('is waited for once the last point is used', async () => {
    const clock = movableClock()
    const twitch = client(clock)
    const reset = String(Math.ceil(clock.now().getTime() / 1000) + 5)
    const headers = { 'ratelimit-remaining': '0', 'ratelimit-reset': reset }
    stub.routes['/helix/streams'] = jsonRoute(200, { data: [] }, headers)
    await twitch.liveBroadcasts(['5'])
    expect(await kindOf(twitch.liveBroadcasts(['5']))).toBe('rate_limited')
    expect(asked('/helix/streams')).toBe(1)
  })

  it('that refuses the app token is asked with a new one, once', async () => {
    const twitch = client()
    stub.routes['/helix/streams'] = jsonRoute(401, { status: 401, message: 'Invalid OAuth token' })
    expect(await kindOf(twitch.liveBroadcasts(['5']))).toBe('unauthorized')
    expect([asked('/id/oauth2/token'), asked('/helix/streams')]).toEqual([2, 2])
  })

  it('never gets more than four calls at once, and one question for a token', async () => {
    let most = 0
    const underWay: (() => void)[] = []
    stub.routes['/helix/streams'] = (request, response) => {
      underWay.push(() => jsonRoute(200, { data: [] })(request, response))
      most = Math.max(most, underWay.length)
      // The fourth waits for a fifth, which does not come.
      if (underWay.length === 4) {
        setTimeout(() => {
          for (const answer of underWay.splice(0)) answer()
        }, 20)
      }
    }
    const twitch = client()
    await Promise.all(Array.from({ length: 20 }, () => twitch.liveBroadcasts(['5'])))
    expect(most).toBe(4)
    expect(asked('/id/oauth2/token')).toBe(1)
  })

  it('leaves no token or secret in what could be logged', async () => {
    const logged: string[] = []
    const note = (error: unknown) => {
      const { message, stack, cause } = error as Error
      logged.push(message, stack ?? '', JSON.stringify(cause), String(cause))
    }
    for (const route of [
      jsonRoute(401, { token: 'bot-canary' }),
      jsonRoute(500, {}),
      jsonRoute(403, {}),
    ]) {
      stub.routes['/helix/chat/messages'] = route
      stub.routes['/id/oauth2/token'] = route
      const twitch = client()
      await twitch.sendChat(bot, '5', 'hi').catch(note)
      await twitch.liveBroadcasts(['5']).catch(note)
      await twitch.tokens.refresh('ours', 'refresh-canary').catch(note)
    }
    expect(logged.length).toBeGreaterThan(10)
    expect(logged.join()).not.toContain('canary')
  })
})

describe('a product without settings', () => {
  it('asks nobody', async () => {
    const urls = { idUrl: `${stub.origin}/id`, apiUrl: `${stub.origin}/helix` }
    const twitch = twitchApi(
      { clientId: undefined, clientSecret: undefined, ...urls },
      movableClock(),
    )
    expect(twitch.isConfigured).toBe(false)
    expect(await kindOf(twitch.liveBroadcasts(['5']))).toBe('refused')
    expect(stub.seen).toEqual([])
  })
})
