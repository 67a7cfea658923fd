// What a poll and an opening cost one process, and two on one port: processor time of the server
// and of PostgreSQL, which says more on a busy machine than times by the clock.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median, requestText, runLoad } from './load.ts'
import { writeResults } from './results.ts'
import { benchEncryptionKey, prepareScene, type Scene, usersCount } from './scene.ts'

const firstPort = 3904
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5)
/** Before it has seen so many calls a process is still compiling. */
const warmingSeconds = 8
const root = fileURLToPath(new URL('..', import.meta.url))
const ticksPerSecond = 100

/** Processor time of a process so far, in milliseconds; 0 when it is gone. */
function processorMillis(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
    return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1_000
  } catch {
    return 0
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
        return Number(stat.split(') ')[1]?.split(' ')[1]) === parent
      } catch {
        return false
      }
    })
}

const sum = (pids: readonly number[]) => pids.reduce((all, pid) => all + processorMillis(pid), 0)

async function backends(scene: Scene): Promise<number[]> {
  const rows = await scene.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = '${scene.database}' AND pid <> pg_backend_pid()`,
  )
  return rows.map(({ pid }) => pid)
}

interface Started {
  readonly port: number
  readonly server: ChildProcess
}

async function start(port: number, processes: number, databaseUrl: string): Promise<Started> {
  const server = spawn(process.execPath, [join(root, 'server/dist/main.js')], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(folder, 'data'),
      ENCRYPTION_KEY: benchEncryptionKey,
      LOG_LEVEL: 'error',
      PORT: String(port),
      PROCESSES: String(processes),
      RATE_LIMITS: 'off',
      SANDBOX: 'on',
      SEED_DEMO: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for (let text = ''; !text.includes('is ready'); ) {
    const [chunk] = (await once(server.stdout, 'data')) as [Buffer]
    text += chunk.toString()
  }
  return { port, server }
}

interface Cost {
  readonly requests: number
  readonly supervisorMillis: number
  readonly serverMillis: number
  readonly databaseMillis: number
}

/** What one request costs, in milliseconds of processor time. */
async function costOf(scene: Scene, started: Started, next: () => string): Promise<Cost> {
  const { port, server } = started
  const load = { port, connections: 16, next }
  const supervisor = [server.pid ?? 0]
  const children = childrenOf(server.pid ?? 0)
  const database = await backends(scene)
  const before = [sum(supervisor), sum(children), sum(database)] as const
  const { requestsPerSecond, others } = await runLoad({ ...load, seconds })
  if (Object.keys(others).length > 0) throw new Error(`Answers: ${JSON.stringify(others)}`)
  const requests = Math.round(requestsPerSecond * seconds)
  const [ofParent, ofChildren, ofDatabase] = [
    sum(supervisor) - before[0],
    sum(children) - before[1],
    sum(database) - before[2],
  ]
  const each = (millis: number) => Number((millis / requests).toFixed(3))
  // One process is its own parent.
  const isAlone = children.length === 0
  return {
    requests,
    supervisorMillis: isAlone ? 0 : each(ofParent),
    serverMillis: each(isAlone ? ofParent : ofChildren),
    databaseMillis: each(ofDatabase),
  }
}

const folder = mkdtempSync(join(tmpdir(), 'redpack-bench-processes-'))
spawnSync(process.execPath, ['tools/build.mjs', 'server'], { cwd: root, stdio: 'inherit' })
const scene = await prepareScene()
const overSocket = `postgres:///${scene.database}?host=/var/run/postgresql&user=postgres`
const body = JSON.stringify({ packTypeId: scene.packTypeId, quantity: 1 })
let calls = 0
const requests = {
  poll: () => {
    calls += 1
    return requestText('GET', '/api/user/packs', scene.cookie(calls % usersCount), undefined)
  },
  opening: () => {
    calls += 1
    return requestText('POST', '/api/packs/open', scene.cookie((calls * 7919) % usersCount), body)
  },
}
const ways = [
  { processes: 1, way: 'loopback', url: scene.url },
  { processes: 2, way: 'loopback', url: scene.url },
  { processes: 1, way: 'Unix socket', url: overSocket },
]
const started: Started[] = []
try {
  for (const [index, { processes, url }] of ways.entries()) {
    started.push(await start(firstPort + index, processes, url))
  }
  const rows: object[] = []
  for (const [kind, next] of Object.entries(requests)) {
    for (const { port } of started) {
      await runLoad({ port, connections: 16, seconds: warmingSeconds, next })
    }
    // In turns, so that what else the machine does meets all of them.
    const costs: Cost[][] = ways.map(() => [])
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, one] of started.entries()) {
        costs[index]?.push(await costOf(scene, one, next))
      }
    }
    for (const [index, { processes, way }] of ways.entries()) {
      const of = (name: keyof Cost) => median((costs[index] ?? []).map((cost) => cost[name]))
      const row = {
        kind,
        processes,
        way,
        requests: of('requests'),
        supervisorMillis: of('supervisorMillis'),
        serverMillis: of('serverMillis'),
        databaseMillis: of('databaseMillis'),
      }
      console.log(JSON.stringify(row))
      rows.push(row)
    }
  }
  await writeResults('processes', { seconds, rounds, rows })
} finally {
  for (const { server } of started) {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
  await scene.drop()
  rmSync(folder, { recursive: true, force: true })
}
