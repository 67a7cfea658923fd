// Serves the built web application: its files, and its page for every address of a screen.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import { isScreenAddress } from '@redpack/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { escapeHtml } from '../../shared/escape-html.ts'
import { originFor, pageHeaders } from './security-headers.ts'

type SiteConfig = Pick<
  Config,
  'publicUrl' | 'isPublicUrlSet' | 'allowedHosts' | 'brandName' | 'shopUrl'
>

const yearSeconds = 31_536_000
const hourSeconds = 3_600

/** Names of hashed files change with their content, so they can be kept for ever. */
const hashedFile = /^assets\//

/**
 * The worker that keeps the application for times without a network. What it fetches is ruled by
 * its own policy, and an old one must not outlive an upgrade.
 */
const shellWorker = 'shell-worker.js'
const shellWorkerHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy': "default-src 'none'; connect-src 'self'",
}

/**
 * The palette of the saved theme as JSON for the page's head, `{}` while the default applies; so
 * the first paint has the right colours.
 */
export type SavedPalette = () => Promise<string>

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers with the page, which says by itself when there is no such screen. */
    showPage?: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
  }
}

interface Page {
  readonly plain: Buffer
  readonly brotli: Buffer
  readonly gzip: Buffer
  readonly etag: string
}

/**
 * Registers the site in `folder`; without a built site every path stays unknown. Only files that
 * were there at the start are served, by their exact names, so no path can lead anywhere else.
 */
export async function serveSite(
  app: FastifyInstance,
  config: SiteConfig,
  folder: string,
  savedPalette: SavedPalette = async () => '{}',
): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) return
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    index: false,
  })
  const files = siteFiles(folder)
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const inline = { scripts: inlineHashes(html, 'script'), styles: inlineHashes(html, 'style') }
  const pageNow = pageKeeper(html, config, savedPalette)
  const showPage = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(pageHeaders(originFor(request, config), inline))
    return sendPage(request, reply, await pageNow())
  }
  app.decorate('showPage', showPage)
  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    config: { access: 'static' },
    handler: async (request, reply) => {
      const path = decodedPath(request)
      if (path === undefined) return reply.callNotFound()
      const file = path.slice(1)
      if (files.has(file)) return sendFile(reply, file)
      return isScreenAddress(path) ? showPage(request, reply) : reply.callNotFound()
    },
  })
}

/** Files below the folder with `/` between names; not the page itself, twins or hidden files. */
function siteFiles(folder: string): ReadonlySet<string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter((name) => name !== 'index.html' && !/\.(br|gz)$|(^|\/)\./.test(name)),
  )
}

function decodedPath(request: FastifyRequest): string | undefined {
  const [path = '/'] = request.url.split('?', 1)
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

function sendFile(reply: FastifyReply, file: string): FastifyReply {
  reply.removeHeader('cache-control')
  if (file === shellWorker) {
    // Size and time of the file may be those of the build before, where builds have a fixed time.
    const always = { cacheControl: false, etag: false, lastModified: false }
    return reply.headers(shellWorkerHeaders).sendFile(file, always)
  }
  const isHashed = hashedFile.test(file)
  return reply.sendFile(file, {
    maxAge: (isHashed ? yearSeconds : hourSeconds) * 1000,
    immutable: isHashed,
  })
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  reply.headers({ 'cache-control': 'no-cache', etag: page.etag, vary: 'accept, accept-encoding' })
  const isKept = request.headers['if-none-match']?.includes(page.etag) === true
  if (isKept && reply.statusCode === 200) return reply.code(304).send()
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  const body = { br: page.brotli, gzip: page.gzip, plain: page.plain }[encoding ?? 'plain']
  return reply.type('text/html; charset=utf-8').send(body)
}

/** Builds the page when it is first asked for and again whenever the palette has changed. */
function pageKeeper(
  html: string,
  config: SiteConfig,
  savedPalette: SavedPalette,
): () => Promise<Page> {
  let kept = { palette: '{}', page: buildPage(html, config, '{}') }
  return async () => {
    // Without the database the page still comes, in the colours it had last.
    const palette = await savedPalette().catch(() => kept.palette)
    if (palette !== kept.palette) kept = { palette, page: buildPage(html, config, palette) }
    return kept.page
  }
}

/** The page with the operator's brand and shop and the saved palette in it. */
function buildPage(html: string, config: SiteConfig, palette: string): Page {
  const brand = escapeHtml(config.brandName)
  const named = setMeta(html, 'brand-name', brand)
  const plain = Buffer.from(
    setMeta(setMeta(named, 'shop-url', escapeHtml(config.shopUrl)), 'palette', escapeHtml(palette))
      .replace(/<title>[^<]*<\/title>/, () => `<title>${brand}</title>`)
      .replace(/(<h1[^>]*>)[^<]*(<\/h1>)/, (_all, open, close) => `${open}${brand}${close}`),
  )
  return {
    plain,
    brotli: brotliCompressSync(plain, {
      params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
    }),
    gzip: gzipSync(plain, { level: 9 }),
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
  }
}

/** The hashes of the page's scripts or styles that have no address and no other type. */
function inlineHashes(html: string, tag: 'script' | 'style'): string[] {
  return [...html.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
}

function setMeta(html: string, name: string, content: string): string {
  const pattern = new RegExp(`(<meta name="${name}" content=")[^"]*`)
  return html.replace(pattern, (_all, before: string) => before + content)
}
