// A product of three processes on one port, and browsers that meet another one with each call.

import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { expect } from 'vitest'
import { childrenOf, freePort, type ProductProcess } from '../product-process.ts'
import type { PostgresDatabase, Programs } from '../programs.ts'
import { Browser } from '../sign-in.ts'
import { keeperPassword, loadSettings } from './keyed-load.ts'

export const processes = 3

export interface ManyProcesses {
  readonly product: ProductProcess
  readonly settings: Record<string, string>
  readonly database: PostgresDatabase
  /** Process ids of those that serve or are about to. */
  pids(): number[]
}

/** Starts it on a database of its own and waits until all processes serve. */
export async function startMany(
  programs: Programs,
  more: Record<string, string> = {},
): Promise<ManyProcesses> {
  const database = await programs.database()
  const settings = {
    ...loadSettings({ DATABASE_URL: database.url }, await freePort(), programs.folder),
    PROCESSES: String(processes),
    DATABASE_POOL_SIZE: '4',
    LOG_LEVEL: 'info',
    ...more,
  }
  const product = await programs.start(settings)
  return { product, settings, database, pids: () => childrenOf(product.child.pid ?? 0) }
}

/** A browser that opens a new connection for each call, which goes to the next process in turn. */
export class RoamingBrowser extends Browser {
  readonly url: string

  constructor(url: string) {
    super(url)
    this.url = url
  }

  override async open(path: string, init: RequestInit = {}): Promise<Response> {
    const form = init.body instanceof URLSearchParams
    const body = init.body === undefined || init.body === null ? undefined : String(init.body)
    const { cookie } = this
    const request = httpRequest(new URL(path, this.url), {
      agent: false,
      method: init.method ?? 'GET',
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        ...(init.headers as Record<string, string> | undefined),
      },
    })
    request.end(body)
    const [answer] = (await once(request, 'response')) as [import('node:http').IncomingMessage]
    const chunks: Buffer[] = []
    for await (const chunk of answer) chunks.push(chunk as Buffer)
    const headers = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) {
      for (const one of [value ?? []].flat()) headers.append(name, one)
    }
    this.keep(headers)
    const status = answer.statusCode ?? 0
    const isBare = status === 204 || status === 304
    return new Response(isBare ? null : Buffer.concat(chunks), { status, headers })
  }
}

/** The member of staff of the settings, signed in. */
export async function keeperOf(url: string): Promise<RoamingBrowser> {
  const keeper = new RoamingBrowser(url)
  await keeper.json('/api/auth/local', { username: 'keeper', password: keeperPassword })
  return keeper
}

/** A player who signed in by the stand-in of Twitch, each step at another process. */
export async function playerOf(url: string, login: string): Promise<RoamingBrowser> {
  const player = new RoamingBrowser(url)
  expect(await player.signIn(login)).not.toContain('authError')
  expect(await player.json('/api/auth/me')).toMatchObject({ username: login })
  return player
}
