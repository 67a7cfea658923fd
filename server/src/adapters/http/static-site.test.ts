import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testConfig } from '../../../test/deps.ts'
import { seededRandom } from '../../../test/seeded-random.ts'
import { movableClock } from '../clock/clock.ts'
import type { Deps } from '../deps.ts'
import { answerUnknownPaths, createHttpServer } from './server.ts'
import { serveSite } from './static-site.ts'

const root = mkdtempSync(join(tmpdir(), 'redpack-site-'))
const folder = join(root, 'dist')
let app: FastifyInstance
let palette = async () => '{}'
/** Paths that were counted as looked for in vain. */
let counted: string[] = []

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'), { recursive: true })
  const script = 'console.log("hello")'
  writeFileSync(join(folder, 'assets/index-abc.js'), script)
  writeFileSync(join(folder, 'assets/index-abc.js.gz'), gzipSync(script))
  writeFileSync(join(folder, 'shell-worker.js'), 'listen()')
  writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(
    join(folder, 'index.html'),
    '<title>Redpack</title><meta name="brand-name" content="Redpack" />' +
      '<meta name="shop-url" content="x" /><meta name="palette" content="" />' +
      '<script type="application/json">{}</script><script>start()</script>' +
      '<style>h1{color:red}</style><h1 class="a">Redpack</h1>',
  )
  writeFileSync(join(folder, '.env'), 'SECRET=1')
  writeFileSync(join(root, 'secret.txt'), 'secret')
  const config = testConfig({ BRAND_NAME: 'Ruby & "Co"', SHOP_URL: 'https://shop.test/a?b=1&c=$&' })
  const deps = {
    config,
    clock: movableClock(),
    random: seededRandom(),
    log: pino({ level: 'silent' }),
  } as unknown as Deps
  app = await createHttpServer(deps)
  answerUnknownPaths(app, { takeUnknownPath: async ({ url }) => void counted.push(url) })
  await serveSite(app, config, folder, () => palette())
  const things = { config: { access: 'public' as const } }
  app.get('/things/:name', things, (_request, reply) => reply.callNotFound())
  await app.ready()
})

afterAll(async () => {
  await app.close()
  rmSync(root, { recursive: true, force: true })
})

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url, headers })

describe('the site', () => {
  it('answers every address of a screen with its page, never kept without asking', async () => {
    for (const url of ['/', '/dashboard', '/Dashboard/', '/admin?tab=users']) {
      const answer = await get(url)
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.headers['cache-control']).toBe('no-cache')
      expect(answer.headers['content-security-policy']).toContain("script-src 'self'")
    }
  })

  it('lets the worker of the shell fetch from this site alone, and never keeps it', async () => {
    const answer = await get('/shell-worker.js')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('javascript')
    expect(answer.headers['cache-control']).toBe('no-cache')
    const policy = "default-src 'none'; connect-src 'self'"
    expect(answer.headers['content-security-policy']).toBe(policy)
    // A build of the same size and file time must not look like the same build.
    expect([answer.headers.etag, answer.headers['last-modified']]).toEqual([undefined, undefined])
  })

  it('may open a socket under the name that the browser used', async () => {
    const policyAt = async (host: string) =>
      (await app.inject({ url: '/', headers: { host } })).headers['content-security-policy']
    for (const host of ['localhost:3000', '127.0.0.1:3000', 'localhost:8080', '192.0.2.7:3000']) {
      expect(await policyAt(host)).toContain(`connect-src 'self' ws://${host};`)
    }
  })

  it('carries the brand and the shop of the settings, harmless whatever they hold', async () => {
    const { body } = await get('/')
    expect(body).toContain('<title>Ruby &amp; &quot;Co&quot;</title>')
    expect(body).toContain('<meta name="brand-name" content="Ruby &amp; &quot;Co&quot;"')
    expect(body).toContain('content="https://shop.test/a?b=1&amp;c=$&amp;"')
    expect(body).toContain('<h1 class="a">Ruby &amp; &quot;Co&quot;</h1>')
  })

  it('names what stands in the page by its hash, also when the browser has the page', async () => {
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    const first = await get('/')
    const again = await get('/', { 'if-none-match': String(first.headers.etag) })
    for (const { headers } of [first, again]) {
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain(`; script-src 'self' ${hash('start()')};`)
      expect(policy).toContain(`; style-src 'self' ${hash('h1{color:red}')};`)
    }
  })

  it('answers 304 when the browser has the page, and compresses it otherwise', async () => {
    const first = await get('/', { 'accept-encoding': 'gzip, br' })
    expect(first.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(first.rawPayload).toString()).toContain('<title>')
    const again = await get('/', { 'if-none-match': String(first.headers.etag) })
    expect(again.statusCode).toBe(304)
    expect(again.body).toBe('')
  })

  it('lets hashed files be kept for ever and others for an hour', async () => {
    const script = await get('/assets/index-abc.js')
    expect(script.statusCode).toBe(200)
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(script.headers['content-type']).toContain('javascript')
    expect(script.headers['x-content-type-options']).toBe('nosniff')
    const icon = await get('/favicon.svg')
    expect(icon.headers['cache-control']).toBe('public, max-age=3600')
    expect(icon.headers['content-type']).toContain('image/svg+xml')
  })

  it('sends the compressed twin of a file to who takes it', async () => {
    const answer = await get('/assets/index-abc.js', { 'accept-encoding': 'gzip' })
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(answer.headers['content-type']).toContain('javascript')
  })

  it.each([
    '/no-such-page',
    '/admin/users',
    '/dashboard/x',
    '//',
    '/api/nothing',
    '/api',
    '/sandbox/nothing',
    '/assets/index-old.js',
    '/assets/index-abc.js.gz',
    '/favicon.ico',
    '/index.html',
    '/.env',
    '/.git/config',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2f..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/..%5csecret.txt',
    '/%00',
  ])('answers 404 in JSON for %s', async (url) => {
    const answer = await get(url)
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({ code: 'not_found', message: 'Not found' })
  })

  it('shows its 404 screen to a navigation that leads nowhere, and JSON to a program', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const nowhere = ['/log', '/health', '/some.page', '/file.html', '/assets/index-old.js']
    for (const url of [...nowhere, '/no-such-page', '/admin/users', '/%00', '/things/none.png']) {
      const shown = await get(url, browser)
      expect([url, shown.statusCode]).toEqual([url, 404])
      expect(shown.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(shown.headers.vary).toContain('accept,')
      expect(shown.body).toContain('<title>')
      const again = await get(url, { ...browser, 'if-none-match': String(shown.headers.etag) })
      expect(again.statusCode).toBe(404)
      expect((await get(url, { accept: '*/*' })).json().code).toBe('not_found')
    }
    for (const url of ['/%', `/${'a'.repeat(9_000)}`]) {
      const shown = await get(url, browser)
      expect([shown.statusCode, shown.headers['content-type']]).toEqual([
        400,
        'text/html; charset=utf-8',
      ])
      expect((await get(url)).json()).toMatchObject({ code: 'invalid_input' })
    }
    for (const url of ['/api', '/api/nothing', '/api/%']) {
      expect((await get(url, browser)).json().code).toBe('not_found')
    }
  })

  it('counts each call that looks for what is not there, once', async () => {
    counted = []
    for (const url of ['/.env', '/api/nothing', '/dashboard', '/assets/index-abc.js'])
      await get(url)
    await app.inject({ method: 'POST', url: '/login.php' })
    expect(counted).toEqual(['/.env', '/api/nothing', '/login.php'])
  })

  it('answers 404 to any other method', async () => {
    expect((await app.inject({ method: 'POST', url: '/dashboard' })).statusCode).toBe(404)
  })

  it('carries the saved palette in its head, and the last one while the database is away', async () => {
    expect((await get('/')).body).toContain('<meta name="palette" content="{}" />')
    palette = async () => '{"--page-surface":"#123456"}'
    const page = await get('/')
    const meta =
      '<meta name="palette" content="{&quot;--page-surface&quot;:&quot;#123456&quot;}" />'
    expect(page.body).toContain(meta)
    palette = () => Promise.reject(new Error('away'))
    expect((await get('/')).body).toBe(page.body)
    palette = async () => '{}'
    const back = await get('/', { 'if-none-match': String(page.headers.etag) })
    expect([back.statusCode, back.body.includes('#123456')]).toEqual([200, false])
  })
})
