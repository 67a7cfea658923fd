// `npm run check:container`: runs the steps of the Dockerfile without a container engine. Each
// stage is a minimal Debian in a folder (debootstrap) with this machine's Node. The result runs
// there as the image's user on a read-only file system, is asked by its health check, and is
// stopped by SIGTERM. Needs root, debootstrap, and the registries of Debian and npm.

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import {
  contextFilter,
  readCopy,
  readStages,
  type Stage,
  type Step,
} from './container/dockerfile.ts'
import { repositoryFiles, repositoryRoot } from './tidy/repository-files.ts'

const user = 1000
const port = 3987
const readyMillisMax = 180_000
const keep = process.argv[2]
const folder = mkdtempSync(join(tmpdir(), 'redpack-container-'))
const text = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8')

const run = (program: string, words: string[]) =>
  execFileSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'] })

/** A minimal Debian with Node, as the base image is one; a folder that is named is used again. */
function makeBase(): string {
  const base = keep ?? join(folder, 'base')
  if (!existsSync(join(base, 'bin'))) {
    console.log('Making a minimal Debian ...')
    run('debootstrap', ['--variant=minbase', 'bookworm', base])
  }
  cpSync(process.execPath, join(base, 'usr/bin/node'))
  const modules = join(base, 'usr/lib/node_modules')
  mkdirSync(modules, { recursive: true })
  rmSync(join(modules, 'npm'), { recursive: true, force: true })
  run('cp', ['-a', join(dirname(process.execPath), '../lib/node_modules/npm'), modules])
  const npm = '../lib/node_modules/npm/bin/npm-cli.js'
  run('ln', ['-sf', npm, join(base, 'usr/bin/npm')])
  cpSync('/etc/resolv.conf', join(base, 'etc/resolv.conf'))
  const hasUser = readFileSync(join(base, 'etc/passwd'), 'utf8').includes('\nnode:')
  if (!hasUser) run('chroot', [base, 'useradd', '--uid', String(user), '--create-home', 'node'])
  return base
}

interface Made {
  readonly root: string
  readonly environment: Record<string, string>
  readonly command: readonly string[]
  readonly check: readonly string[]
}

function makeStage(stage: Stage, base: string, others: Map<string, string>): Made {
  const root = join(folder, stage.name ?? 'final')
  run('cp', ['-a', base, root])
  const environment: Record<string, string> = { PATH: '/usr/local/bin:/usr/bin:/bin' }
  const made = { workdir: '/', command: [] as string[], check: [] as string[] }
  for (const step of stage.steps) {
    console.log(`  ${step.instruction} ${step.words.slice(0, 90)}`)
    if (step.instruction === 'WORKDIR') {
      made.workdir = step.words
      mkdirSync(join(root, made.workdir), { recursive: true })
    } else if (step.instruction === 'COPY') {
      copy(step, root, made.workdir, others)
    } else if (step.instruction === 'RUN') {
      runInside(root, made.workdir, step.words)
    } else if (step.instruction === 'ENV') {
      Object.assign(environment, Object.fromEntries(step.words.split(' ').map(pairOf)))
    } else if (step.instruction === 'CMD') {
      made.command = JSON.parse(step.words) as string[]
    } else if (step.instruction === 'HEALTHCHECK') {
      made.check = JSON.parse(step.words.slice(step.words.indexOf('['))) as string[]
    }
  }
  return { root, environment, command: made.command, check: made.check }
}

const pairOf = (pair: string): [string, string] => {
  const at = pair.indexOf('=')
  return [pair.slice(0, at), pair.slice(at + 1)]
}

function copy(step: Step, root: string, workdir: string, others: Map<string, string>): void {
  const { from, sources, target } = readCopy(step)
  const into = join(root, workdir, target)
  const isSeen = contextFilter(text('.dockerignore'))
  for (const source of sources) {
    if (from !== undefined) {
      const path = join(others.get(from) ?? '', source)
      run('mkdir', ['-p', into])
      run('cp', ['-a', ...(isFolder(path) ? [`${path}/.`] : [path]), into])
      continue
    }
    for (const path of repositoryFiles().filter((path) => `${path}/`.startsWith(`${source}/`))) {
      if (!isSeen(path)) continue
      const rest = path === source ? basename(path) : path.slice(source.length + 1)
      cpSync(join(repositoryRoot, path), join(into, rest))
    }
  }
}

const isFolder = (path: string) => spawnSync('test', ['-d', path]).status === 0

/** With the settings of npm and the certificates of this machine, for this one step. */
function runInside(root: string, workdir: string, words: string): void {
  const npmrc = execFileSync('npm', ['config', 'get', 'userconfig'], { encoding: 'utf8' }).trim()
  const certificates = process.env['NODE_EXTRA_CA_CERTS'] ?? ''
  const lent = [
    { from: npmrc, to: join(root, 'root/.npmrc') },
    { from: certificates, to: join(root, certificates) },
  ].filter(({ from }) => existsSync(from))
  for (const { from, to } of lent) cpSync(from, to)
  run('chroot', [root, 'sh', '-c', `cd ${workdir} && HOME=/root && ${words}`])
  for (const { to } of lent) rmSync(to)
}

/** Mounts that no other process sees: the root read-only, with what an engine gives besides. */
function mountedCommand({ root, environment }: Made, command: readonly string[]): string[] {
  const values = Object.entries({ ...environment, PORT: String(port), SEED_DEMO: 'off' })
  const inside = ['env', '-i', ...values.map(([name, value]) => `${name}=${value}`), ...command]
  const quoted = inside.map((word) => `'${word}'`).join(' ')
  const script = [
    `mount --bind ${root} ${root}`,
    `mount --bind ${folder}/data ${root}/data`,
    `mount -t proc proc ${root}/proc`,
    `mount -t tmpfs tmpfs ${root}/tmp`,
    `mount -o remount,bind,ro ${root}`,
    `exec chroot --userspec=${user}:${user} ${root} sh -c "cd /app && exec ${quoted}"`,
  ].join(' && ')
  return ['--mount', '--propagation', 'private', 'sh', '-c', script]
}

async function tryOut(made: Made): Promise<void> {
  mkdirSync(join(folder, 'data'))
  run('chown', [`${user}:${user}`, join(folder, 'data')])
  const sandboxOpen = { ...made.environment, SANDBOX: 'open' }
  const it = { ...made, environment: sandboxOpen }
  const child = spawn('unshare', mountedCommand(it, made.command), {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  try {
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    const startMillis = performance.now()
    while (!output.includes('is ready at')) {
      const isLate = performance.now() - startMillis > readyMillisMax
      if (child.exitCode !== null || isLate) throw new Error(`It did not start: ${output}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    console.log(`  ready after ${Math.round(performance.now() - startMillis)} ms`)
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    console.log(`  user ${/^Uid:\s+(\d+)/m.exec(status)?.[1]}`)
    const page = await fetch(`http://127.0.0.1:${port}/`)
    console.log(`  page ${page.status}`)
    const check = spawnSync('unshare', mountedCommand(it, made.check), { stdio: 'inherit' })
    console.log(`  health check ${check.status}`)
    const writing = spawnSync('unshare', mountedCommand(it, ['touch', '/app/written']))
    console.log(`  writing to the image ${writing.status === 0 ? 'is possible' : 'is refused'}`)
    const stopMillis = performance.now()
    child.kill('SIGTERM')
    const [code] = (await exited) as [number | null]
    console.log(`  stopped with ${code} after ${Math.round(performance.now() - stopMillis)} ms`)
    const isWell = page.status === 200 && check.status === 0 && writing.status !== 0 && code === 0
    if (!isWell) process.exitCode = 1
  } finally {
    child.kill('SIGKILL')
  }
}

try {
  const base = makeBase()
  const others = new Map<string, string>()
  let made: Made | undefined
  for (const stage of readStages(text('Dockerfile'))) {
    console.log(`Stage ${stage.name ?? 'final'}`)
    made = makeStage(stage, base, others)
    if (stage.name !== undefined) others.set(stage.name, made.root)
  }
  if (made === undefined) throw new Error('The Dockerfile has no stage')
  const size = execFileSync('du', ['-sm', join(made.root, 'app')], { encoding: 'utf8' })
  console.log(`Running it: ${size.split('\t')[0]} MB of program and packages`)
  await tryOut(made)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
