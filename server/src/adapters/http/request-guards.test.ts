// Under which name and from where a request is taken, as the guards decide it with nothing of the
// product behind them; beside each guard a test asks the whole product.

import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import type { DomainError } from '../../shared/domain-error.ts'
import {
  addressFor,
  guardCrossSite,
  guardHosts,
  isCrossSite,
  isOwnOrigin,
  originFor,
} from './security-headers.ts'
import { operatorsOf } from './server.ts'

const closed = { sandbox: false, isSandboxOpen: false, allowedHosts: [] }
const unset = { ...closed, publicUrl: 'http://127.0.0.1:3000', isPublicUrlSet: false }
const set = { ...closed, publicUrl: 'https://packs.test', isPublicUrlSet: true }
type Settings = Omit<typeof unset, 'allowedHosts'> & { allowedHosts: string[] }

type Headers = Record<string, string>
const request = (headers: Headers, remoteAddress?: string) =>
  ({ headers, socket: { remoteAddress } }) as never as FastifyRequest

const apps: FastifyInstance[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

/** A server of a few routes that says which refusal somebody got, or `served`. */
async function served(guard: (app: FastifyInstance, config: Settings) => void, config: Settings) {
  const app = Fastify()
  apps.push(app)
  app.setErrorHandler((error: DomainError, _request, reply) =>
    reply.code(400).send(`${error.code}: ${error.message}`),
  )
  guard(app, config)
  for (const url of ['/', '/health/ready', '/healthy']) {
    app.route({ method: ['GET', 'HEAD', 'OPTIONS', 'POST'], url, handler: async () => 'served' })
  }
  app.post('/signed', { config: { access: 'signature' } }, async () => 'served')
  app.post('/anywhere', { config: { fromAnySite: true } }, async () => 'served')
  return async (method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST', url: string, headers: Headers) => {
    const answer = await app.inject({ method, url, headers })
    return method === 'HEAD' ? String(answer.statusCode) : answer.body
  }
}

describe('the guard of names', () => {
  const refused = 'wrong_host: This server does not answer to that name'
  const config = { ...set, allowedHosts: ['redpack'] }

  it.each([
    ...['packs.test', 'PACKS.test', 'packs.test.', 'packs.test:1', 'packs.test.:65535'],
    ...['redpack', 'localhost', 'LOCALHOST:3000', '127.0.0.1', '[::1]', '[::1]:3000'],
    ...['192.0.2.7', '[2001:db8::7]:80', '[2001:DB8::7]'],
  ])('serves %s', async (host) => {
    expect(await (await served(guardHosts, config))('GET', '/', { host })).toBe('served')
  })

  it.each([
    ...['evil.example', 'packs.test.evil.example', 'evil.packs.test', 'xpacks.test', 'packs-test'],
    ...['localhost.evil.example', '127.0.0.1.evil.example', 'evil.example:3000', 'a b'],
    ...['127.0.0.1.nip.example', 'evillocalhost'],
    ...['packs.test:', 'packs.test:123456', 'packs.test:80x', 'packs.test:x', 'packs.test..'],
    ...[
      'a packs.test',
      'packs.test b',
      'evil@localhost',
      'localhost@evil.example',
      '[::1].evil.example',
      '[::1',
      '::1]',
    ],
    ...['[evil.example]', '[]', '192.0.2', 'x[::1]'],
  ])('refuses %j', async (host) => {
    expect(await (await served(guardHosts, config))('GET', '/', { host })).toBe(refused)
  })

  it('lets supervisors ask after health under any name, and nothing that is called alike', async () => {
    const ask = await served(guardHosts, config)
    const headers = { host: 'pod-7.example' }
    expect(await ask('GET', '/health/ready', headers)).toBe('served')
    expect(await ask('GET', '/health/ready?a=1', headers)).toBe('served')
    expect(await ask('GET', '/healthy', headers)).toBe(refused)
    expect(await ask('GET', '/nowhere', headers)).toBe(refused)
  })
})

describe('the origin as the browser knows it', () => {
  const originAt = (host: string, config: Settings = unset) => originFor(request({ host }), config)

  it('is the name that the browser used, where it can be nobody else’s', () => {
    expect(originAt('localhost:3000')).toBe('http://localhost:3000')
    expect(originAt('LOCALHOST:80')).toBe('http://localhost')
    expect(originAt('[::1]:8080')).toBe('http://[::1]:8080')
    expect(originAt('192.0.2.7')).toBe('http://192.0.2.7')
    expect(originAt('[2001:db8::7]')).toBe('http://[2001:db8::7]')
  })

  it.each(['redpack', 'evil.example', 'localhost:99999', 'localhost.evil.example', 'a b', ''])(
    'is the one of the settings where the browser says %j',
    (host) => expect(originAt(host)).toBe(unset.publicUrl),
  )

  it('is the one of PUBLIC_URL wherever that is set', () => {
    expect(originAt('localhost:3000', set)).toBe(set.publicUrl)
  })

  it('takes its place in addresses of the product and in no others', () => {
    const at = (address: string) => addressFor(request({ host: 'localhost:3000' }), unset, address)
    expect(at('http://127.0.0.1:3000/a/b?c=1')).toBe('http://localhost:3000/a/b?c=1')
    expect(at('http://127.0.0.1:30001/a')).toBe('http://127.0.0.1:30001/a')
    expect(at('https://id.twitch.tv/a')).toBe('https://id.twitch.tv/a')
  })
})

describe('an origin', () => {
  const isOwn = (origin: string, config: Settings, host = 'packs.test') =>
    isOwnOrigin(request({ host }), config, origin)

  it.each([
    ...['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'],
    'http://192.0.2.7:8080',
  ])('%s is ours where nothing is set', (origin) => {
    expect(isOwn(origin, unset, '192.0.2.7:8080')).toBe(true)
  })

  it.each([
    ...['http://localhost:3001', 'https://localhost:3000', 'http://localhost:3000/', 'localhost'],
    ...['http://evil.example:3000', 'http://localhost:3000@evil.example', 'null', ''],
    ...['http://LOCALHOST:3000', 'http://localhost', 'http://192.0.2.8:3000'],
  ])('%j is not', (origin) => {
    expect(isOwn(origin, unset)).toBe(false)
  })

  it('of PUBLIC_URL is ours alone where it is set', () => {
    expect(isOwn('https://packs.test', set)).toBe(true)
    for (const origin of ['https://localhost', 'http://packs.test', 'https://packs.test:1']) {
      expect(isOwn(origin, set)).toBe(false)
    }
  })
})

describe('a request of another site', () => {
  const isForeign = (headers: Headers) =>
    isCrossSite(request({ host: '127.0.0.1:3000', ...headers }), unset)

  it('is told by what the browser says of the site, and only without that by the origin', () => {
    const evil = { origin: 'https://evil.example' }
    expect(isForeign({})).toBe(false)
    expect(isForeign({ origin: 'http://127.0.0.1:3000' })).toBe(false)
    expect(isForeign(evil)).toBe(true)
    for (const site of ['same-origin', 'none']) {
      expect(isForeign({ ...evil, 'sec-fetch-site': site })).toBe(false)
    }
    for (const site of ['same-site', 'cross-site', '']) {
      expect(isForeign({ origin: unset.publicUrl, 'sec-fetch-site': site })).toBe(true)
    }
  })

  it('is refused where it changes something and its sender is not proven otherwise', async () => {
    const ask = await served(guardCrossSite, unset)
    const headers = { 'sec-fetch-site': 'cross-site' }
    const refused = 'cross_site: This request must come from the application itself'
    expect(await ask('POST', '/', headers)).toBe(refused)
    expect(await ask('POST', '/nowhere', headers)).toBe(refused)
    expect(await ask('POST', '/', {})).toBe('served')
    expect(await ask('POST', '/signed', headers)).toBe('served')
    expect(await ask('POST', '/anywhere', headers)).toBe('served')
    for (const method of ['GET', 'OPTIONS'] as const) {
      expect(await ask(method, '/', headers)).toBe('served')
    }
    expect(await ask('HEAD', '/', headers)).toBe('200')
  })
})

describe('an operator', () => {
  const metricsToken = 'p4qk7v0jz1m9x8c2b6n5'
  const isOperator = (address: string, headers: Headers, token: string | undefined) =>
    operatorsOf({ metricsToken: token })(request(headers, address))
  const elsewhere = '203.0.113.9'

  it.each([`Bearer ${metricsToken}`, `bearer ${metricsToken}`])('shows "%s"', (authorization) => {
    expect(isOperator(elsewhere, { authorization }, metricsToken)).toBe(true)
    expect(isOperator(elsewhere, { authorization }, undefined)).toBe(false)
  })

  it.each([
    `Bearer ${metricsToken}x`,
    `Bearer ${metricsToken} x`,
    `Bearer ${metricsToken.slice(1)}`,
    `x Bearer ${metricsToken}`,
    `Bearer ${metricsToken.toUpperCase()}`,
    `Basic ${metricsToken}`,
    `Bearer${metricsToken}`,
    'Bearer ',
    metricsToken,
  ])('does not show "%s"', (authorization) => {
    expect(isOperator(elsewhere, { authorization }, metricsToken)).toBe(false)
  })
})
