// Proxies of this machine, nginx and HAProxy, run with the very files of deploy/ and with other
// addresses in them.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isAccepting } from '../local-server.ts'

const deployFolder = fileURLToPath(new URL('../../../deploy', import.meta.url))

/** Ports of the proxy and of the two processes behind it. */
export interface ProxyPorts {
  readonly proxy: number
  readonly processes: readonly [number, number]
}

export interface RunningProxy {
  /** Everything it said on standard error. */
  readonly errors: () => string
  stop(): Promise<void>
}

interface Kind {
  readonly name: string
  readonly program: string
  readonly isInstalled: boolean
  start(ports: ProxyPorts): Promise<RunningProxy>
}

const isInstalled = (program: string) => spawnSync(program, ['-v']).status === 0

/** The file of deploy/ with the certificate left out and the addresses of this test put in. */
function deployed(file: string, { proxy, processes }: ProxyPorts, changes: [RegExp, string][]) {
  const all: [RegExp, string][] = [
    [/127\.0\.0\.1:3001/g, `127.0.0.1:${processes[0]}`],
    [/127\.0\.0\.1:3002/g, `127.0.0.1:${processes[1]}`],
    ...changes.map(([from, to]): [RegExp, string] => [from, to.replace('PORT', String(proxy))]),
  ]
  return all.reduce(
    (text, [from, to]) => {
      if (!from.test(text)) throw new Error(`deploy/${file} has no ${from}`)
      from.lastIndex = 0
      return text.replace(from, to)
    },
    readFileSync(join(deployFolder, file), 'utf8'),
  )
}

export const nginx: Kind = {
  name: 'nginx',
  program: 'nginx',
  isInstalled: isInstalled('nginx'),
  start(ports) {
    const folder = mkdtempSync(join(tmpdir(), 'redpack-nginx-'))
    const site = deployed('nginx.conf', ports, [
      [/listen 443 ssl;/, 'listen 127.0.0.1:PORT;'],
      [/ *ssl_certificate\S* .*\n/g, ''],
      [/server_name .*;/, 'server_name 127.0.0.1;'],
      // The scheme is the test's; the port belongs to the name that browsers use here.
      [/Host \$host;/, 'Host $http_host;'],
    ])
    writeFileSync(join(folder, 'redpack.conf'), site)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const main = [
      ...(userInfo().uid === 0 ? ['user root;'] : []),
      'daemon off; worker_processes 1;',
      `pid ${folder}/pid; error_log stderr warn;`,
      'events { worker_connections 8192; }',
      'http { access_log off;',
      ...temporary.map((name) => `${name}_temp_path ${folder}/${name};`),
      `include ${folder}/redpack.conf; }`,
    ]
    writeFileSync(join(folder, 'nginx.conf'), main.join('\n'))
    const words = ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')]
    return run('nginx', words, ports.proxy, folder)
  },
}

export const haproxy: Kind = {
  name: 'HAProxy',
  program: 'haproxy',
  isInstalled: isInstalled('haproxy'),
  start(ports) {
    const folder = mkdtempSync(join(tmpdir(), 'redpack-haproxy-'))
    const text = deployed('haproxy.cfg', ports, [
      [/bind :443 ssl .*/, 'bind 127.0.0.1:PORT'],
      [/\/dev\/log local0/, 'stderr format raw local0 warning'],
      [/maxconn 20000/, 'maxconn 6000'],
      [/X-Forwarded-Proto https/, 'X-Forwarded-Proto http'],
    ])
    writeFileSync(join(folder, 'haproxy.cfg'), text)
    return run('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], ports.proxy, folder)
  },
}

async function run(
  program: string,
  words: string[],
  port: number,
  folder: string,
): Promise<RunningProxy> {
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  while (!(await isAccepting(port))) {
    if (child.exitCode !== null) throw new Error(`${program} did not start: ${errors}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    errors: () => errors,
    async stop() {
      await end(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const impatience = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await ended
  clearTimeout(impatience)
}
