// Names under which the product is served: its own, this machine's and bare addresses, no others.

import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { anotherProcess } from '../../../test/deps.ts'
import { useListeningServer } from '../../../test/listening-server.ts'
import { Browser } from '../../../test/sign-in.ts'

const w = useListeningServer({ SEED_DEMO: 'off' })
const withSettings = async (environment: Record<string, string>) =>
  (await anotherProcess(w.t, { SEED_DEMO: 'off', ...environment })).app

it('more than one Host header is refused, whichever of them is ours', async () => {
  const { port } = new URL(w.origin)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nhost: evil.example\r\n\r\n')
  const [chunk] = await once(socket, 'data')
  socket.destroy()
  expect(String(chunk)).toContain('HTTP/1.1 400')
  expect(String(chunk)).toContain('The request has more than one Host header')
})

it('a sandbox that is not open refuses who is forwarded from elsewhere', async () => {
  const statusFrom = async (SANDBOX: string, from: string) => {
    const app = await withSettings({ SANDBOX })
    const headers = { 'x-forwarded-for': from }
    return (await app.inject({ url: '/api/redcoin/leaderboard', headers })).statusCode
  }
  expect(await statusFrom('on', '203.0.113.9')).toBe(403)
  expect(await statusFrom('on', '::ffff:127.0.0.1')).toBe(200)
  expect(await statusFrom('open', '203.0.113.9')).toBe(200)
})

type App = Awaited<ReturnType<typeof withSettings>>
const statusOf = async (app: App, host: string, url = '/api/redcoin/leaderboard') =>
  (await app.inject({ url, headers: { host } })).statusCode

describe('a name that is not ours', () => {
  it('is answered 421, however much it looks like one of ours', async () => {
    const app = await withSettings({ PUBLIC_URL: 'https://packs.test' })
    const headers = { host: 'packs.test.evil.example' }
    const answer = await app.inject({ url: '/api/redcoin/leaderboard', headers })
    expect(answer.statusCode).toBe(421)
    expect(answer.json()).toEqual({
      code: 'wrong_host',
      message: 'This server does not answer to that name',
      error: 'This server does not answer to that name',
      requestId: expect.any(String),
    })
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })

  it('reaches nothing: no page, no metrics, no stand-in, no path that does not exist', async () => {
    const app = await withSettings({})
    for (const url of ['/', '/metrics', '/api/nothing', '/sandbox/control/clock', '/uploads/a']) {
      expect([url, await statusOf(app, 'evil.example', url)]).toEqual([url, 421])
    }
    const forwarded = { host: 'evil.example', 'x-forwarded-host': 'localhost' }
    const answer = await app.inject({ url: '/api/redcoin/leaderboard', headers: forwarded })
    expect(answer.statusCode).toBe(421)
  })
})

describe('without PUBLIC_URL', () => {
  it.each(['localhost', '127.0.0.1'])('signing in works at %s', async (name) => {
    const origin = `http://${name}:${new URL(w.origin).port}`
    const browser = new Browser(origin)
    const authorize = await browser.redirectOf('/api/auth/twitch')
    expect(new URL(authorize).origin).toBe(origin)
    // A page there could not send its form to another origin than its own.
    const callback = await browser.consent(authorize, 'Ana')
    expect(callback.startsWith(`${origin}/api/auth/twitch/callback?`)).toBe(true)
    expect(await browser.redirectOf(callback)).toBe('/dashboard')
    const me = await browser.open('/api/auth/me')
    expect(((await me.json()) as { username: string }).username).toBe('ana')
    const write = (from: string) =>
      browser.open('/api/auth/logout', { method: 'POST', headers: { origin: from } })
    expect((await write(`http://${name}:1`)).status).toBe(403)
    expect((await write('http://evil.example')).status).toBe(403)
    expect((await write(origin)).status).toBe(200)
  })

  it('a Discord account is linked where its owner is', async () => {
    const origin = `http://localhost:${new URL(w.origin).port}`
    const browser = new Browser(origin)
    await browser.signIn('Ana')
    const authorize = await browser.redirectOf('/api/auth/discord')
    expect(new URL(authorize).origin).toBe(origin)
    const callback = await browser.consent(authorize, 'Ana')
    expect(await browser.redirectOf(callback)).toBe('/profile?discord=connected')
  })

  it('the consent page leads nowhere else', async () => {
    const { port } = new URL(w.origin)
    const browser = new Browser(w.origin)
    const good = new URL(await browser.redirectOf('/api/auth/twitch'))
    for (const redirect of [
      'http://evil.example/api/auth/twitch/callback',
      `http://localhost.evil.example:${port}/api/auth/twitch/callback`,
      `http://localhost:${port}@evil.example/api/auth/twitch/callback`,
      `http://evil@localhost:${port}/api/auth/twitch/callback`,
      `http://localhost:${port}/elsewhere/api/auth/twitch/callback`,
      `https://localhost:${port}/api/auth/twitch/callback`,
      'http://localhost:1/api/auth/twitch/callback',
      `http://localhost:${port}/api/auth/twitch/callback?more=1`,
    ]) {
      good.searchParams.set('redirect_uri', redirect)
      const answer = await browser.open(good.href)
      expect([redirect, answer.status]).toEqual([redirect, 400])
    }
  })
})
