// The WebSocket of open pages on a real port: who gets in, what is told to whom, and what ends it.

import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { useTestDeps } from '../../../test/deps.ts'
import { Repeats } from '../../adapters/log/log-deduplication.ts'

const t = useTestDeps({
  SEED_DEMO: 'off',
  PUBLIC_URL: 'http://redpack.test',
  RATE_LIMITS: 'on',
  LOG_LEVEL: 'error',
})
const origin = 'http://redpack.test'
let address = ''

beforeAll(async () => {
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  address = `ws://127.0.0.1:${(t.app.server.address() as AddressInfo).port}/api/realtime`
})
const sockets: WebSocket[] = []
afterAll(() => {
  for (const socket of sockets) socket.terminate()
})

function dial(headers: Record<string, string>): WebSocket {
  const socket = new WebSocket(address, { headers })
  // A refused connection is an answer here, not a fault of the test.
  socket.on('error', () => undefined)
  sockets.push(socket)
  return socket
}

async function open(cookie: string): Promise<{ socket: WebSocket; heard: string[] }> {
  const socket = dial({ cookie, origin })
  const heard: string[] = []
  socket.on('message', (data) => heard.push(...JSON.parse(String(data)).changed))
  await once(socket, 'open')
  return { socket, heard }
}

const refusedWith = async (headers: Record<string, string>): Promise<number> => {
  const socket = dial(headers)
  const [, response] = await once(socket, 'unexpected-response')
  return response.statusCode
}

describe('the realtime socket', () => {
  it('lets nobody in without a session or from another site', async () => {
    const ana = await t.person('ana')
    expect(await refusedWith({ origin })).toBe(401)
    expect(await refusedWith({ cookie: 'sid=nonsense', origin })).toBe(401)
    expect(await refusedWith({ cookie: ana.cookie, origin: 'https://evil.example' })).toBe(403)
    expect(await refusedWith({ cookie: ana.cookie, origin, 'sec-fetch-site': 'cross-site' })).toBe(
      403,
    )
  })

  it('tells private changes to their owner alone and public ones to everyone', async () => {
    const ana = await t.person('ana')
    const bob = await t.person('bob')
    const anas = await open(ana.cookie)
    const bobs = await open(bob.cookie)
    for (let count = 0; count < 500; count += 1) {
      t.deps.events.publish({ type: 'user_changed', userId: ana.id })
      t.deps.events.publish({ type: 'holdings_changed', userId: ana.id })
    }
    t.deps.events.publish({ type: 'leaderboard_changed' })
    t.deps.events.publish({ type: 'catalogue_changed', what: 'listings' })
    // What everybody is told comes last: a second after what everybody was told before.
    for (const { heard } of [anas, bobs]) await expect.poll(() => heard).toContain('listings')
    expect(anas.heard.toSorted()).toEqual(['holdings', 'leaderboard', 'listings', 'user'])
    expect(bobs.heard.toSorted()).toEqual(['leaderboard', 'listings'])
  })

  it('tells a page about its own opening within a second', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { packs: { [gold]: 1 } })
    const { heard } = await open(ana.cookie)
    await ana.open(gold)
    const topics = ['user', 'holdings', 'leaderboard']
    await expect.poll(() => heard).toEqual(expect.arrayContaining(topics))
  })

  it('tells everybody at once that a name was hidden, which is gone by then', async () => {
    const ana = await t.person('ana', { coins: 5 })
    const bob = await t.person('bob')
    const boss = await t.person('boss', { role: 'admin' })
    const { heard } = await open(bob.cookie)
    const hide = { name: null, reason: 'Rude' }
    await boss.send('PUT', `/api/admin/users/${ana.id}/shown-name`, hide)
    await expect.poll(() => heard).toContain('leaderboard')
    const board = (await bob.read('/api/redcoin/leaderboard')) as { displayName: string }[]
    expect(board.map(({ displayName }) => displayName)).toEqual([`Viewer ${ana.id}`])
  })

  it('ends with what is no frame, and writes no error of the server about it', async () => {
    const ana = await t.person('ana')
    const { socket } = await open(ana.cookie)
    const said = vi.spyOn(Repeats.prototype, 'take').mockReturnValue()
    const closed = once(socket, 'close')
    const raw = (socket as unknown as { _socket: Socket })._socket
    raw.write(Buffer.from([0xff, 0xff, 0x00]))
    expect((await closed)[0]).toBe(1002)
    expect(said).not.toHaveBeenCalled()
  })

  it('closes when the session ends, and leaves other sessions open', async () => {
    const ana = await t.person('ana')
    const bob = await t.person('bob')
    const { socket } = await open(ana.cookie)
    const others = await open(bob.cookie)
    const closed = once(socket, 'close')
    await ana.send('POST', '/api/auth/logout')
    const [code] = await closed
    expect(code).toBe(1008)
    expect(others.socket.readyState).toBe(WebSocket.OPEN)
  })

  it('closes for a role that changes, an account that goes, and a session that is over', async () => {
    const boss = await t.person('boss', { role: 'admin' })
    const stays = await open((await t.person('stays')).cookie)
    const endings: [string, () => Promise<unknown>][] = [
      ['promotion', () => boss.send('PUT', `/api/admin/users/${ana.id}/role`, { role: 'admin' })],
      ['demotion', () => boss.send('PUT', `/api/admin/users/${ana.id}/role`, { role: 'user' })],
      ['leaving', () => ana.send('DELETE', '/api/user', { confirm: ana.name })],
      // Another process has ended it, and its event was lost.
      ['lost event', () => t.rows('DELETE FROM sessions WHERE user_id = $1', [ana.id])],
      [
        'expiry',
        () =>
          t.rows('UPDATE sessions SET expires_at = $2 WHERE user_id = $1', [ana.id, t.clock.now()]),
      ],
    ]
    let ana = boss
    for (const [name, end] of endings) {
      ana = await t.person(`ana-${name}`, { role: name === 'demotion' ? 'admin' : 'user' })
      const { socket } = await open(ana.cookie)
      const closed = once(socket, 'close')
      await end()
      // A session that others shorten is read again within half a minute.
      if (name === 'expiry') t.clock.advance(31)
      expect([name, (await closed)[0]]).toEqual([name, 1008])
    }
    expect(stays.socket.readyState).toBe(WebSocket.OPEN)
  })

  it('closes within a second of the end of the time of a session', async () => {
    const ana = await t.person('ana')
    const end = new Date(t.clock.now().getTime() + 20_000)
    await t.rows('UPDATE sessions SET expires_at = $2, last_seen_at = $3 WHERE user_id = $1', [
      ana.id,
      end,
      t.clock.now(),
    ])
    const { socket } = await open(ana.cookie)
    const closed = once(socket, 'close')
    t.clock.advance(20)
    expect((await closed)[0]).toBe(1008)
  })

  it('refuses an eleventh page, too long messages and too many messages', async () => {
    const ana = await t.person('ana')
    const pages = []
    for (let count = 0; count < 10; count += 1) pages.push(await open(ana.cookie))
    const eleventh = dial({ cookie: ana.cookie, origin })
    const [code] = await once(eleventh, 'close')
    expect(code).toBe(1008)
    const [long, chatty] = [pages[0]!.socket, pages[1]!.socket]
    const tooLong = once(long, 'close')
    long.send('x'.repeat(64 * 1024 + 1))
    expect((await tooLong)[0]).toBe(1009)
    const tooMany = once(chatty, 'close')
    for (let count = 0; count <= 100; count += 1) chatty.send('hello')
    expect((await tooMany)[0]).toBe(1008)
  })

  // Last: nothing else is left of the minute.
  it('is asked for no more often than anything else', async () => {
    const ana = await t.person('ana')
    for (let count = 0; count < 300; count += 1) await ana.get('/api/auth/me')
    expect(await refusedWith({ cookie: ana.cookie, origin })).toBe(429)
  })
})
