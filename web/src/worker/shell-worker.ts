// The rules of the worker that keeps the application on the device, so that it opens without a
// network. It keeps the page and files of one build and of no other, and never an answer of a call.

import { isScreenAddress } from '@redpack/contract'

/** What a build consists of, as `tools/shell-worker.mjs` writes it into the worker. */
export interface Shell {
  /** Differs whenever anything of the build does. */
  readonly version: string
  /** Address of the first script; a page that does not name it is of another build. */
  readonly entry: string
  /** Addresses of what every screen needs, besides the page. */
  readonly files: readonly string[]
}

/** What the worker is made of; tests bring their own. */
export interface ShellWorkerParts {
  readonly shell: Shell
  readonly origin: string
  readonly caches: Pick<CacheStorage, 'open' | 'keys' | 'delete'>
  readonly fetch: typeof fetch
  readonly wait: (ms: number) => Promise<void>
  /** Lets the browser keep the worker alive until this is done. */
  readonly finish: (work: Promise<unknown>) => void
}

export interface ShellWorker {
  /** Fetches the build; rejects, to be tried again later, when the server has another one. */
  install(): Promise<void>
  /** Throws the files of all other builds away. */
  activate(): Promise<void>
  /**
   * Answers requests for screens and files; undefined for all others, which the browser makes
   * itself. Rejects as a fetch does when there is neither network nor copy.
   */
  answer(request: Request): Promise<Response> | undefined
}

const cachePrefix = 'redpack-shell-'
const pageAddress = '/'
/** How long the network may take for a page before the kept one is shown, in milliseconds. */
export const pageMsMax = 3_000

export function createShellWorker(parts: ShellWorkerParts): ShellWorker {
  const { shell, caches, fetch } = parts
  const cacheName = `${cachePrefix}${shell.version}`
  const open = () => caches.open(cacheName)
  const isOfBuild = async (page: Response) =>
    page.ok && !page.redirected && (await page.text()).includes(shell.entry)

  /** The saved theme stands in the page, so a newer page of the same build takes its place. */
  async function keepPage(page: Response): Promise<boolean> {
    const copy = page.clone()
    if (!(await isOfBuild(page))) return false
    await (await open()).put(pageAddress, copy)
    return true
  }

  async function pageFor(request: Request): Promise<Response> {
    const network = fetch(request)
    parts.finish(network.then((page) => keepPage(page.clone())).catch(() => undefined))
    const kept = await (await open()).match(pageAddress)
    if (!kept) return network
    return Promise.race([network.catch(() => kept), parts.wait(pageMsMax).then(() => kept)])
  }

  /** Names of these change with their content. */
  async function hashedFile(request: Request): Promise<Response> {
    const cache = await open()
    const kept = await cache.match(request)
    if (kept) return kept
    const answer = await fetch(request)
    if (answer.ok) parts.finish(cache.put(request, answer.clone()))
    return answer
  }

  /** Names of these stay, so the network is asked first. */
  async function picture(request: Request): Promise<Response> {
    const cache = await open()
    try {
      const answer = await fetch(request)
      if (answer.ok) parts.finish(cache.put(request, answer.clone()))
      return answer
    } catch (error) {
      const kept = await cache.match(request)
      if (kept) return kept
      throw error
    }
  }

  return {
    async install() {
      const page = await fetch(pageAddress, { cache: 'no-cache' })
      if (!(await keepPage(page))) throw new Error('The server has another build')
      await (await open()).addAll(shell.files)
    },
    async activate() {
      const others = (await caches.keys()).filter(
        (name) => name.startsWith(cachePrefix) && name !== cacheName,
      )
      await Promise.all(others.map((name) => caches.delete(name)))
    },
    answer(request) {
      const { origin, pathname } = new URL(request.url)
      if (request.method !== 'GET' || origin !== parts.origin) return undefined
      if (request.mode === 'navigate') {
        return isScreenAddress(pathname) ? pageFor(request) : undefined
      }
      if (pathname.startsWith('/assets/')) return hashedFile(request)
      return pathname.startsWith('/art/') ? picture(request) : undefined
    },
  }
}
