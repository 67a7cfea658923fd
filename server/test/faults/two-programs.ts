// Two programs over one PostgreSQL database and people who are signed in on both.

import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { WebSocket } from 'ws'
import { freePort, type ProductProcess } from '../product-process.ts'
import type { Programs } from '../programs.ts'
import { loadSettings } from './keyed-load.ts'

export interface TwoPrograms {
  /** What both were started with, apart from port and folder. */
  readonly settings: Record<string, string>
  readonly programs: readonly [ProductProcess, ProductProcess]
  /** Looks into the database of both. */
  readonly sql: pg.Client
  close(): Promise<void>
}

/** Starts both and waits until they are ready. */
export async function startTwo(
  programs: Programs,
  more: Record<string, string> = {},
): Promise<TwoPrograms> {
  const { url } = await programs.database()
  const ports = [await freePort(), await freePort()] as const
  const settingsOf = (port: number) => ({
    ...loadSettings({ DATABASE_URL: url }, port, join(programs.folder, String(port))),
    ...{ RATE_LIMITS: 'on', SEED_DEMO: 'off' },
    // As behind one proxy: browsers know one address, whoever answers.
    PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
    ...more,
  })
  const settings = settingsOf(ports[0])
  const both = [programs.launch(settings), programs.launch(settingsOf(ports[1]))] as const
  await Promise.all(both.map((each) => each.ready()))
  const sql = new pg.Client({ connectionString: url })
  await sql.connect()
  return {
    settings,
    programs: both,
    sql,
    async close() {
      await programs.kill()
      await sql.end()
    },
  }
}

export interface SignedInPerson {
  readonly id: number
  readonly name: string
  readonly cookie: string
  /** The hash under which the database knows the session. */
  readonly sessionHash: string
}

let people = 0

/** A new user with a session of ten hours. */
export async function signedIn(
  { sql }: Pick<TwoPrograms, 'sql'>,
  role: 'user' | 'admin' = 'user',
): Promise<SignedInPerson> {
  people += 1
  const name = `viewer${people}`
  const added = await sql.query<{ id: number }>(
    'INSERT INTO users (twitch_id, username, display_name, role) VALUES ($1, $2, $2, $3) RETURNING id',
    [`twitch-${name}`, name, role],
  )
  const id = added.rows[0]?.id ?? 0
  const token = randomBytes(32).toString('base64url')
  const sessionHash = createHash('sha256').update(token).digest('hex')
  await sql.query(
    `INSERT INTO sessions (token_hash, user_id, kind, created_at, last_seen_at, expires_at)
     VALUES ($1, $2, $3, now(), now(), now() + interval '10 hours')`,
    [sessionHash, id, role === 'user' ? 'player' : 'staff'],
  )
  return { id, name, cookie: `sid=${token}`, sessionHash }
}

/** Calls a program as this person. */
export function callAs(
  { cookie }: Pick<SignedInPerson, 'cookie'>,
  { url }: Pick<ProductProcess, 'url'>,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Response> {
  return fetch(new URL(path, url), {
    method,
    headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** An open socket of this person; `closed` is the moment it closed at and its code. */
export interface OpenSocket {
  readonly socket: WebSocket
  readonly closed: Promise<{ readonly atMillis: number; readonly code: number }>
}

/** Opens a socket on a program as a page of the product would. */
export async function socketOf(
  { cookie }: Pick<SignedInPerson, 'cookie'>,
  { url }: Pick<ProductProcess, 'url'>,
  origin: string,
): Promise<OpenSocket> {
  const address = `${url.replace('http', 'ws')}/api/realtime`
  const socket = new WebSocket(address, { headers: { cookie, origin } })
  const closed = once(socket, 'close').then(([code]) => ({ atMillis: Date.now(), code }))
  // What ends the socket with an error ends the wait of whoever opens it.
  socket.on('error', () => undefined)
  await Promise.race([
    once(socket, 'open'),
    closed.then(() => {
      throw new Error('The socket was refused')
    }),
  ])
  return { socket, closed }
}
