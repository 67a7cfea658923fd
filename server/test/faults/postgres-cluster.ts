// PostgreSQL clusters of a scenario's own: started, stopped, killed, frozen, followed, promoted.

import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { childrenOf, freePort } from '../product-process.ts'

const root = '/usr/lib/postgresql'
const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(a) - Number(b)) : []
const programs = join(root, versions.at(-1) ?? '', 'bin')

/** True where Debian's PostgreSQL is installed, so that clusters can be made. */
export const hasClusters = existsSync(join(programs, 'initdb'))

const isRoot = process.getuid?.() === 0
const owner = isRoot ? ownerIds() : undefined

/** PostgreSQL refuses to run as root. */
function ownerIds(): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return hasClusters ? { uid: id('-u'), gid: id('-g') } : { uid: 0, gid: 0 }
}

function run(program: string, ...words: string[]): void {
  const { status, stderr } = spawnSync(join(programs, program), words, {
    ...owner,
    cwd: tmpdir(),
    encoding: 'utf8',
    // A server keeps the streams that it is started with.
    stdio: ['ignore', 'ignore', program === 'pg_ctl' ? 'ignore' : 'pipe'],
  })
  if (status !== 0) throw new Error(`${program} failed: ${stderr ?? ''}`)
}

export interface PostgresCluster {
  readonly port: number
  /** Address of the database `redpack`, or of another one. */
  url(database?: string): string
  start(): void
  /** `fast` ends connections, `immediate` is a crash without a last checkpoint. */
  stop(mode?: 'fast' | 'immediate'): void
  /** SIGKILL to the postmaster and all its children. */
  kill(): void
  /** SIGSTOP: connections stay open and nothing is answered. */
  freeze(): void
  /** SIGCONT. */
  thaw(): void
  /** Makes a standby the primary. */
  promote(): void
  /** Lines for postgresql.conf; those that need a restart take effect at the next start. */
  configure(...lines: string[]): void
  /** One query as the superuser, on the database `redpack` unless named. */
  query<Row extends pg.QueryResultRow>(sql: string, database?: string): Promise<Row[]>
  remove(): void
}

/** A running cluster with the database `redpack`, trusting everybody on this machine. */
export async function startCluster(...settings: string[]): Promise<PostgresCluster> {
  const folder = newFolder()
  run('initdb', '-D', folder, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8')
  const cluster = await clusterIn(folder)
  cluster.configure('shared_buffers = 32MB', 'max_connections = 60', ...settings)
  cluster.start()
  await cluster.query('CREATE DATABASE redpack', 'postgres')
  return cluster
}

/** A running standby of the cluster under this name, streaming from it. */
export async function startStandby(of: PostgresCluster, name: string): Promise<PostgresCluster> {
  const folder = newFolder()
  rmSync(folder, { recursive: true })
  const from = `host=127.0.0.1 port=${of.port} user=postgres application_name=${name}`
  run('pg_basebackup', '-D', folder, '-d', from, '-R', '-c', 'fast', '--no-sync')
  const cluster = await clusterIn(folder)
  cluster.configure(`primary_conninfo = '${from}'`)
  cluster.start()
  return cluster
}

/** Lets every commit of the cluster wait until the standby of this name has it on its disk. */
export async function waitForStandby(primary: PostgresCluster, name: string): Promise<void> {
  await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`)
  await primary.query('SELECT pg_reload_conf()')
  for (;;) {
    const [row] = await primary.query<{ state: string }>(
      'SELECT sync_state AS state FROM pg_stat_replication',
    )
    if (row?.state === 'sync') return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'redpack-pg-'))
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid)
  return folder
}

async function clusterIn(folder: string): Promise<PostgresCluster> {
  const port = await freePort()
  const url = (database = 'redpack') => `postgres://postgres@127.0.0.1:${port}/${database}`
  const control = (...words: string[]) => run('pg_ctl', '-D', folder, ...words)
  const cluster: PostgresCluster = {
    port,
    url,
    start: () => control('-w', '-t', '30', '-l', join(folder, 'log'), 'start'),
    stop: (mode = 'fast') => control('-w', '-m', mode, 'stop'),
    kill: () => signal(folder, 'SIGKILL'),
    freeze: () => signal(folder, 'SIGSTOP'),
    thaw: () => signal(folder, 'SIGCONT'),
    promote: () => control('-w', 'promote'),
    configure: (...lines) =>
      appendFileSync(join(folder, 'postgresql.conf'), `\n${lines.join('\n')}\n`),
    async query<Row extends pg.QueryResultRow>(sql: string, database?: string) {
      const client = new pg.Client({ connectionString: url(database), query_timeout: 10_000 })
      await client.connect()
      try {
        return (await client.query<Row>(sql)).rows
      } finally {
        await client.end()
      }
    },
    remove() {
      if (existsSync(join(folder, 'postmaster.pid'))) signal(folder, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
  cluster.configure(
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
  )
  return cluster
}

/** The postmaster first, so that it starts no children for those that have gone. */
function signal(folder: string, name: NodeJS.Signals): void {
  const postmaster = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  for (const pid of [postmaster, ...childrenOf(postmaster)]) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
