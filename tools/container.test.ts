// The files of deploy/ that no engine of this machine runs: parsed, compared with what they refer
// to, checked by the installed tools, and the proxy tried out.

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { stopMillis } from '../server/src/process/stop-on-signals.ts'
import { nginx } from '../server/test/faults/proxies.ts'
import { freePort } from '../server/test/product-process.ts'
import { contextFilter, readCopy, readStages } from './container/dockerfile.ts'
import { repositoryFiles, repositoryRoot } from './tidy/repository-files.ts'

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8')
const [build, final, ...more] = readStages(read('Dockerfile'))
const isSeen = contextFilter(read('.dockerignore'))
const files = repositoryFiles()

describe('the Dockerfile', () => {
  it('has a stage that builds and one that runs, on the Node that the tests use', () => {
    expect(more).toEqual([])
    expect(build!.name).toBe('build')
    // What production runs on, newer than the oldest that is promised.
    const image = 'node:24-bookworm-slim'
    expect([build!.image, final!.image]).toEqual([image, image])
  })

  it('copies only what is there and may be seen', () => {
    const copies = [build!, final!].flatMap(({ steps }) =>
      steps.filter(({ instruction }) => instruction === 'COPY').map(readCopy),
    )
    expect(copies.length).toBeGreaterThan(10)
    for (const { from, sources } of copies) {
      if (from !== undefined) continue
      for (const source of sources) {
        const isThere = files.some((path) => `${path}/`.startsWith(`${source}/`) && isSeen(path))
        expect([source, isThere]).toEqual([source, true])
      }
    }
  })

  it('takes from the first stage what that stage holds', () => {
    const made = ['node_modules', 'server/dist', 'web/dist']
    const brought = build!.steps
      .filter(({ instruction }) => instruction === 'COPY')
      .flatMap((step) => readCopy(step).sources)
    const taken = final!.steps
      .filter(({ instruction }) => instruction === 'COPY')
      .map(readCopy)
      .filter(({ from }) => from === 'build')
      .flatMap(({ sources }) => sources.map((source) => source.replace('/app/', '')))
    const isHeld = (path: string) =>
      made.includes(path) || brought.some((source) => `${path}/`.startsWith(`${source}/`))
    expect(taken.filter((path) => !isHeld(path))).toEqual([])
    expect(taken).toEqual(expect.arrayContaining(made))
  })

  it('runs as somebody without privileges, one process that gets the signals, and checks it', () => {
    const last = (name: string) =>
      final!.steps.filter(({ instruction }) => instruction === name).at(-1)?.words ?? ''
    expect(last('USER')).toBe('node')
    expect(JSON.parse(last('CMD'))).toEqual(expect.arrayContaining(['node', 'server/dist/main.js']))
    expect(last('HEALTHCHECK')).toMatch(/CMD \["node", "health-check\.mjs"\]$/)
  })
})

describe('the context of the build', () => {
  it('leaves out data, secrets, tests and what this machine has installed', () => {
    const kept = [
      '.env',
      '.git/config',
      'server/.env',
      'data/encryption.key',
      'server/data/local-admin-password',
      'deploy/secrets/encryption_key',
      'deploy/settings.env',
      'node_modules/a/index.js',
      'web/node_modules/a/index.js',
      'server/dist/main.js',
      'server/test/deps.ts',
      'npm-debug.log',
      'server/a.log',
    ]
    expect(kept.filter(isSeen)).toEqual([])
    const needed = ['package.json', 'server/src/main.ts', 'deploy/health-check.mjs', 'LICENSE']
    expect(needed.filter((path) => !isSeen(path))).toEqual([])
  })
})

describe('the health check of the container', () => {
  async function checked(answer: RequestListener): Promise<number | null> {
    const server = createServer(answer).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { spawn } = await import('node:child_process')
    const check = spawn(process.execPath, [join(repositoryRoot, 'deploy/health-check.mjs')], {
      env: { PORT: String(port) },
      stdio: 'ignore',
    })
    const [code] = (await once(check, 'exit')) as [number | null]
    server.close()
    return code
  }

  it('says yes to a process that lives and no to any other', async () => {
    const paths: (string | undefined)[] = []
    expect(await checked(({ url }, response) => response.end(paths.push(url) && 'ok'))).toBe(0)
    expect(paths).toEqual(['/health/live'])
    expect(await checked((_request, response) => response.writeHead(503).end())).toBe(1)
    expect(await checked((_request, response) => response.destroy())).toBe(1)
  })
})

/** How long a stop may take at most, with several processes under one. */
const stopSeconds = (drainSeconds: number) => stopMillis(drainSeconds * 1_000) / 1_000 + 1.5

interface Service {
  readonly secrets?: readonly string[]
  readonly volumes?: readonly string[]
  readonly networks?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: object
  readonly build?: string
  readonly restart?: string
  readonly mem_limit?: string
  readonly security_opt?: readonly string[]
  readonly stop_grace_period?: string
  readonly environment?: Readonly<Record<string, string | number>>
  readonly read_only?: boolean
  readonly ports?: readonly string[]
}

describe('compose.yml', () => {
  const compose = parse(read('compose.yml'), { merge: true }) as {
    services: Record<string, Service>
    networks: Record<string, { internal?: boolean } | null>
    volumes: Record<string, unknown>
    secrets: Record<string, { file: string }>
  }
  const services = Object.entries(compose.services)

  it('names nothing that it does not define', () => {
    for (const [name, service] of services) {
      const sources = (service.volumes ?? []).map((volume) => volume.split(':')[0] ?? '')
      const own = sources.filter((source) => source.startsWith('.'))
      expect(own.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([])
      const unknown = [
        ...sources.filter((source) => !source.startsWith('.') && !(source in compose.volumes)),
        ...(service.secrets ?? []).filter((secret) => !(secret in compose.secrets)),
        ...(service.networks ?? []).filter((network) => !(network in compose.networks)),
        ...Object.keys(service.depends_on ?? {}).filter((other) => !(other in compose.services)),
      ]
      expect([name, unknown]).toEqual([name, []])
    }
  })

  it('waits only for services that say how they are', () => {
    for (const [, { depends_on = {} }] of services) {
      for (const [other, { condition }] of Object.entries(depends_on)) {
        const { healthcheck, build } = compose.services[other]!
        expect(condition).toBe('service_healthy')
        // The image of the product has its own.
        expect(healthcheck ?? build).toBeDefined()
      }
    }
  })

  it('restarts and limits each service, and opens only the proxy', () => {
    for (const [name, service] of services) {
      expect([name, service.restart, service.mem_limit, service.security_opt]).toEqual([
        name,
        'unless-stopped',
        expect.any(String),
        ['no-new-privileges:true'],
      ])
      expect(service.ports !== undefined).toBe(name === 'proxy')
    }
    const product = services.filter(([, { build }]) => build !== undefined)
    expect(product.map(([name]) => name)).toEqual(['redpack-1', 'redpack-2'])
    for (const [, service] of product) {
      expect(service.read_only).toBe(true)
      const stop = stopSeconds(Number(service.environment?.['DRAIN_SECONDS']))
      expect(Number.parseInt(service.stop_grace_period ?? '', 10)).toBeGreaterThan(stop)
    }
    expect(compose.networks['back']?.internal).toBe(true)
  })

  it('has its secrets where neither git nor a build sees them', () => {
    const ignored = read('.gitignore').split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['deploy/secrets/', 'deploy/settings.env']))
    for (const { file } of Object.values(compose.secrets)) {
      expect(file).toMatch(/^deploy\/secrets\//)
      expect(isSeen(file)).toBe(false)
    }
  })
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
const units = ['deploy/redpack.service', 'deploy/redpack@.service', 'deploy/redpack-drill.service']
/** Of 10; what a service needs at least in this measure is about 1. */
const exposureMax = 1.5

it.each(units.slice(0, 2))('%s waits for the end of a stop', (unit) => {
  const wait = Number(/^TimeoutStopSec=(\d+)$/m.exec(read(unit))?.[1])
  // As its comment says, from where on the wait has to follow the drain.
  expect(wait).toBeGreaterThan(stopSeconds(10))
})

it('Caddy believes as many answers as HAProxy', () => {
  const caddy = read('deploy/Caddyfile')
  const [, every, fall, rise] = /inter (\S+) fall (\d) rise (\d)/.exec(read('deploy/haproxy.cfg'))!
  expect(caddy.match(/health_(interval|fails|passes) \S+/g)).toEqual([
    `health_interval ${every}`,
    `health_fails ${fall}`,
    `health_passes ${rise}`,
  ])
})

it('Caddy asks the other process for an asset that one does not have', () => {
  const [, ask] = read('deploy/Caddyfile').split('reverse_proxy /assets/* ')
  const [first, others] = ask!.split(
    /@missing status 404\s+handle_response @missing \{\s+reverse_proxy /,
  )
  const processes = (text: string) => /^.*(?= \{)/.exec(text)![0].split(' ')
  expect(processes(others!)).toEqual(processes(first!).reverse())
  for (const block of [first, others]) expect(block).toContain('lb_policy first')
})

it('a PORT left in settings.env does not win over the port that names a unit', () => {
  // EnvironmentFile= wins over Environment=, and env over both.
  const line = /^ExecStart=(.*)$/m.exec(read('deploy/redpack@.service'))![1]!
  const [program, ...words] = line.replaceAll('%i', '3001').split(' ')
  const until = words.indexOf('/usr/bin/node')
  const { stdout } = spawnSync(program!, words.slice(0, until), {
    encoding: 'utf8',
    env: { PORT: '3000', DATA_DIR: '/data' },
  })
  expect(stdout).toBe('PORT=3001\nDATA_DIR=/var/lib/redpack-3001\n')
})

describe.skipIf(!hasSystemd)(`the units${hasSystemd ? '' : ', no systemd'}`, () => {
  const analyze = (words: string[]) =>
    spawnSync('systemd-analyze', words, { cwd: repositoryRoot, encoding: 'utf8' })

  it.each(units)('%s can be read by systemd', (unit) => {
    const { status, stderr, stdout } = analyze(['verify', unit])
    // The program itself is only there where it is installed.
    const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('redpack'))
    const faults = lines.filter((line) => !line.includes('is not executable'))
    expect([status === 0 || lines.length > 0, faults]).toEqual([true, []])
  })

  it.each(units)('%s leaves little open', (unit) => {
    const { stdout } = analyze(['security', '--offline=true', unit])
    const exposure = /exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]
    expect(Number(exposure)).toBeLessThanOrEqual(exposureMax)
  })
})

describe.skipIf(!nginx.isInstalled)(`the proxy${nginx.isInstalled ? '' : ', no nginx'}`, () => {
  it('sends again what reads or has a key, and of the rest what no process took', async () => {
    let taken = 0
    let dying = 0
    const processes = [0, 1].map(() =>
      // The first to take a call may die of it.
      createServer((_request, response) => {
        taken += 1
        if (taken <= dying) response.destroy()
        else response.end()
      }),
    )
    const [first, second] = [await freePort(), await freePort()]
    const port = await freePort()
    const proxy = await nginx.start({ proxy: port, processes: [first, second] })
    await once(processes[0]!.listen(first, '127.0.0.1'), 'listening')
    const call = async (method: string, headers = {}) => {
      taken = 0
      const { status } = await fetch(`http://127.0.0.1:${port}`, { method, headers })
      return [method, status, taken]
    }
    for (const method of ['PUT', 'DELETE']) expect(await call(method)).toEqual([method, 200, 1])
    await once(processes[1]!.listen(second, '127.0.0.1'), 'listening')
    dying = 1
    expect(await call('GET')).toEqual(['GET', 200, 2])
    expect(await call('PUT', { 'idempotency-key': 'a' })).toEqual(['PUT', 200, 2])
    for (const method of ['PUT', 'DELETE', 'POST']) {
      expect(await call(method)).toEqual([method, 502, 1])
    }
    await proxy.stop()
    for (const each of processes) each.close().closeAllConnections()
  })
})
