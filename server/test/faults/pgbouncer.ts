// A PgBouncer of a scenario's own, in transaction mode.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAccepting } from '../local-server.ts'
import { freePort } from '../product-process.ts'

/** The installed version, undefined where there is none. */
export const pgbouncerVersion = /PgBouncer (\S+)/.exec(
  spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' }).stdout ?? '',
)?.[1]

export interface PgBouncer {
  readonly url: string
  close(): Promise<void>
}

/**
 * A pooler before the database `redpack` on a port of this machine. It shares six server
 * connections among all clients and hands each transaction to any of them.
 */
export async function startPgBouncer(serverPort: number): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'redpack-pgbouncer-'))
  const port = await freePort()
  const settings = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  writeFileSync(users, '"postgres" ""\n')
  writeFileSync(
    settings,
    `[databases]
redpack = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 6
max_client_conn = 200
server_lifetime = 5
`,
  )
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0
  if (isRoot) handOver([folder, settings, users])
  const child = spawn('pgbouncer', [...(isRoot ? ['-u', 'postgres'] : []), settings], {
    stdio: 'ignore',
  })
  await listening(child, port)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/redpack`,
    async close() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function handOver(paths: readonly string[]): void {
  const uid = Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' }))
  for (const path of paths) {
    chownSync(path, uid, uid)
    chmodSync(path, 0o700)
  }
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (child.exitCode !== null) throw new Error('PgBouncer ended at its start')
    if (await isAccepting(port)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('PgBouncer does not listen')
}
