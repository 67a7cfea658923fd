// What the shell worker keeps, answers and leaves alone, with a network that the test plays.

import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createShellWorker, pageMsMax, type Shell } from './shell-worker.ts'

const origin = 'https://packs.example'
const shellOf = (build: string): Shell => ({
  version: build,
  entry: `/assets/index-${build}.js`,
  files: [`/assets/index-${build}.js`, '/art/brand-mark.svg'],
})
const pageOf = (build: string, words = '') =>
  `<script src="/assets/index-${build}.js"></script>${words}`

let kept: Map<string, Map<string, Response>>
let network: (address: string) => Response | Promise<Response>
let waits: { readonly ms: number; readonly end: () => void }[]
let background: Promise<unknown>[]

const addressOf = (request: RequestInfo | URL) => {
  return new URL(request instanceof Request ? request.url : String(request), origin).pathname
}
const fetched = vi.fn(async (request: RequestInfo | URL) => network(addressOf(request)))

const caches = {
  open: async (name: string) => {
    const files = kept.get(name) ?? new Map<string, Response>()
    kept.set(name, files)
    return {
      match: async (request: RequestInfo) => files.get(addressOf(request))?.clone(),
      put: async (request: RequestInfo, answer: Response) => {
        files.set(addressOf(request), answer)
      },
      addAll: async (addresses: string[]) => {
        for (const address of addresses) {
          const answer = await fetched(address)
          if (!answer.ok) throw new TypeError(`No ${address}`)
          files.set(address, answer)
        }
      },
    } as unknown as Cache
  },
  keys: async () => [...kept.keys()],
  delete: async (name: string) => kept.delete(name),
}

const workerOf = (build: string) =>
  createShellWorker({
    shell: shellOf(build),
    origin,
    caches,
    fetch: fetched as typeof fetch,
    wait: (ms) => new Promise((resolve) => waits.push({ ms, end: resolve })),
    finish: (work) => background.push(work),
  })

const offline = () => {
  network = () => Promise.reject(new TypeError('offline'))
}

/** Node makes no requests of this mode by itself. */
function navigation(path: string): Request {
  const request = new Request(origin + path)
  Object.defineProperty(request, 'mode', { value: 'navigate' })
  return request
}

const file = (path: string, init?: RequestInit) => new Request(origin + path, init)

async function textOf(answer: Promise<Response> | undefined): Promise<string> {
  if (!answer) throw new Error('The worker leaves this to the browser')
  return (await answer).text()
}

function serve(build: string, words = ''): void {
  network = (address) =>
    new Response(/\.(js|svg)$/.test(address) ? `file ${address}` : pageOf(build, words))
}

beforeEach(() => {
  kept = new Map()
  waits = []
  background = []
  fetched.mockClear()
  serve('one')
})

describe('a page', () => {
  it('comes from the network while there is one', async () => {
    const worker = workerOf('one')
    await worker.install()
    serve('one', 'newer')
    expect(await textOf(worker.answer(navigation('/store')))).toBe(pageOf('one', 'newer'))
  })

  it('is the kept one without a network, for every screen', async () => {
    const worker = workerOf('one')
    await worker.install()
    offline()
    expect(await textOf(worker.answer(navigation('/store')))).toBe(pageOf('one'))
    expect(await textOf(worker.answer(navigation('/admin?tab=jobs')))).toBe(pageOf('one'))
  })

  it('is the kept one when the network takes longer than three seconds', async () => {
    const worker = workerOf('one')
    await worker.install()
    network = () => new Promise(() => {})
    const answer = worker.answer(navigation('/store'))
    await vi.waitFor(() => expect(waits.map(({ ms }) => ms)).toEqual([pageMsMax]))
    expect(pageMsMax).toBe(3_000)
    waits[0]?.end()
    expect(await textOf(answer)).toBe(pageOf('one'))
  })

  it('is asked for once', async () => {
    const worker = workerOf('one')
    await worker.install()
    fetched.mockClear()
    await worker.answer(navigation('/store'))
    await Promise.all(background)
    expect(fetched).toHaveBeenCalledOnce()
  })

  it('is shown as the server sent it when that is an error', async () => {
    const worker = workerOf('one')
    await worker.install()
    network = () => new Response('Bad gateway', { status: 502 })
    expect((await worker.answer(navigation('/store')))?.status).toBe(502)
  })

  it('brings its saved theme along for times without a network', async () => {
    const worker = workerOf('one')
    await worker.install()
    serve('one', 'purple')
    await worker.answer(navigation('/store'))
    await Promise.all(background)
    offline()
    expect(await textOf(worker.answer(navigation('/')))).toBe(pageOf('one', 'purple'))
  })
})

describe('an upgrade', () => {
  it('leaves nothing of the build before', async () => {
    await workerOf('one').install()
    kept.set('of somebody else', new Map())
    serve('two')
    const next = workerOf('two')
    await next.install()
    await next.activate()
    expect([...kept.keys()]).toEqual(['of somebody else', 'redpack-shell-two'])
    offline()
    expect(await textOf(next.answer(navigation('/')))).toBe(pageOf('two'))
    await expect(next.answer(file('/assets/index-one.js'))).rejects.toThrow('offline')
  })

  it('shows the new page at once and never mixes it with the files of the old', async () => {
    const old = workerOf('one')
    await old.install()
    serve('two')
    expect(await textOf(old.answer(navigation('/store')))).toBe(pageOf('two'))
    await Promise.all(background)
    offline()
    expect(await textOf(old.answer(navigation('/store')))).toBe(pageOf('one'))
  })

  it('waits until the server has the same build', async () => {
    await expect(workerOf('two').install()).rejects.toThrow('The server has another build')
  })
})

describe('files', () => {
  it('with a hash in their name are fetched once', async () => {
    const worker = workerOf('one')
    await textOf(worker.answer(file('/assets/store-1.js')))
    await Promise.all(background)
    offline()
    expect(await textOf(worker.answer(file('/assets/store-1.js')))).toBe('file /assets/store-1.js')
    expect(fetched).toHaveBeenCalledOnce()
  })

  it('that are not there are asked for again', async () => {
    const worker = workerOf('one')
    network = () => new Response('', { status: 404 })
    expect((await worker.answer(file('/assets/store-1.js')))?.status).toBe(404)
    serve('one')
    expect(await textOf(worker.answer(file('/assets/store-1.js')))).toBe('file /assets/store-1.js')
  })

  it('that are pictures come anew while there is a network', async () => {
    const worker = workerOf('one')
    await textOf(worker.answer(file('/art/pack.svg')))
    network = () => new Response('redrawn')
    expect(await textOf(worker.answer(file('/art/pack.svg')))).toBe('redrawn')
    await Promise.all(background)
    offline()
    expect(await textOf(worker.answer(file('/art/pack.svg')))).toBe('redrawn')
  })
})

it('leaves calls, other pages, other methods and other sites to the browser', () => {
  const worker = workerOf('one')
  for (const request of [
    file('/api/user/packs'),
    file('/uploads/1'),
    file('/favicon.svg'),
    file('/assets/a.js', { method: 'POST' }),
    navigation('/api/auth/twitch'),
    navigation('/sandbox/twitch/authorize'),
    navigation('/verify-proof.html'),
    new Request('https://elsewhere.example/assets/a.js'),
  ]) {
    expect(worker.answer(request), request.url).toBeUndefined()
  }
  expect(fetched).not.toHaveBeenCalled()
})
