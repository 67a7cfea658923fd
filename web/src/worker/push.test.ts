// What the worker shows of a push, and where a click leads.

import { describe, expect, it, vi } from 'vitest'
import { openPlace, renewPush, showPush } from './push.ts'

const origin = 'https://packs.example'

describe('a push', () => {
  const shown = { showNotification: vi.fn(async () => undefined) }

  it('is shown under its tag, so that the same one again takes its place', async () => {
    const said = { title: 'You won: Hoodie', body: 'Tell us', path: '/my-prizes', tag: 'outbox-7' }
    await showPush(JSON.stringify(said), shown)
    expect(shown.showNotification).toHaveBeenLastCalledWith(
      'You won: Hoodie',
      expect.objectContaining({ body: 'Tell us', tag: 'outbox-7', data: { path: '/my-prizes' } }),
    )
  })

  it.each([undefined, '', 'no json', '[]', '{"title":7}'])(
    '%j still shows something',
    async (text) => {
      await showPush(text, shown)
      expect(shown.showNotification).toHaveBeenLastCalledWith(
        'There is news for you',
        expect.objectContaining({ data: { path: '/' } }),
      )
    },
  )
})

describe('a click', () => {
  const page = (path: string, isWatched = true) => ({
    url: origin + path,
    focus: vi.fn(async () => undefined),
    navigate: vi.fn(async (_url: string) => {
      if (!isWatched) throw new TypeError('not watched')
    }),
  })
  const pages = (...open: ReturnType<typeof page>[]) => ({
    matchAll: async () => open,
    openWindow: vi.fn(async (_url: string) => undefined),
  })

  it('goes to the tab that is there, else leads another one of ours, else opens one', async () => {
    const [there, other] = [page('/my-prizes'), page('/store')]
    const both = pages(other, there)
    await openPlace('/my-prizes', both, origin)
    expect([there.focus, other.focus].map(({ mock }) => mock.calls.length)).toEqual([1, 0])
    await openPlace('/history', both, origin)
    expect(other.navigate).toHaveBeenCalledWith(`${origin}/history`)
    const none = pages()
    await openPlace('/history', none, origin)
    expect(none.openWindow).toHaveBeenCalledWith(`${origin}/history`)
    expect(both.openWindow).not.toHaveBeenCalled()
  })

  it('opens a page where the tab cannot be led, and never leads to another site', async () => {
    const unwatched = pages(page('/store', false))
    await openPlace('//elsewhere.example/a', unwatched, origin)
    expect(unwatched.openWindow).toHaveBeenCalledWith(`${origin}/`)
    const none = pages()
    await openPlace({ path: 7 }, none, origin)
    expect(none.openWindow).toHaveBeenCalledWith(`${origin}/`)
  })
})

describe('a subscription that the browser replaces', () => {
  const device = (endpoint: string) => ({ toJSON: () => ({ endpoint, keys: { auth: 'a' } }) })
  const source = { subscribe: vi.fn(async (_options: object) => device('https://push/own')) }
  const asked = vi.fn(async (_path: string, _init?: RequestInit) =>
    Response.json({ publicKey: 'key' }),
  )
  const told = () => JSON.parse(String(asked.mock.lastCall?.[1]?.body))

  it('is told to the server, and made where there is none', async () => {
    await renewPush(device('https://push/new'), source, asked)
    expect(source.subscribe).not.toHaveBeenCalled()
    expect(asked.mock.lastCall?.[0]).toBe('/api/user/notifications/push')
    expect(told()).toEqual({ endpoint: 'https://push/new', keys: { auth: 'a' } })
    await renewPush(null, source, asked)
    const options = { userVisibleOnly: true, applicationServerKey: 'key' }
    expect(source.subscribe).toHaveBeenCalledWith(options)
    expect(told()).toMatchObject({ endpoint: 'https://push/own' })
  })

  it('is left alone where nothing can be pushed any more', async () => {
    asked.mockResolvedValueOnce(Response.json({ publicKey: null }))
    const before = asked.mock.calls.length
    await renewPush(null, source, asked)
    expect(asked.mock.calls.length).toBe(before + 1)
  })
})
