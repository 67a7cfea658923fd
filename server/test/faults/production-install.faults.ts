// What an operator ships: the built program with the packages it runs on and no others, in a folder
// that knows nothing of the repository.

import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { freePort, type ProductProcess, startProgram } from '../product-process.ts'
import { Browser } from '../sign-in.ts'
import { tell } from './fault-table.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const shipped = mkdtempSync(join(tmpdir(), 'redpack-shipped-'))
const password = 'correct horse battery'
/** The very list of the Dockerfile. */
const files = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  ...['contract', 'fair', 'sandbox', 'web', 'server'].map(
    (workspace) => `${workspace}/package.json`,
  ),
  'server/dist',
  'server/migrations',
  'server/assets',
  'web/dist',
]
/** Builders, checkers and the browser's packages, none of which the program needs. */
const unwanted = ['react', 'vite', 'esbuild', 'tsx', 'typescript', 'vitest', 'tailwindcss', 'jsdom']
const megabytesMax = 200
let product: ProductProcess | undefined

afterAll(async () => {
  product?.child.kill('SIGKILL')
  await product?.exit
  rmSync(shipped, { recursive: true, force: true })
})

const install = ['ci', '--omit=dev', '--workspace=server', '--ignore-scripts', '--prefer-offline']

/** Answers why the registry could not be asked, or nothing when everything is installed. */
function installPackages(): string | undefined {
  const words = [...install, '--no-audit', '--no-fund', '--fetch-retries=1']
  const { status, stderr } = spawnSync('npm', words, { cwd: shipped, encoding: 'utf8' })
  if (status === 0) return undefined
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/.test(stderr)) {
    return 'the package registry cannot be reached'
  }
  throw new Error(`npm ci failed: ${stderr}`)
}

function megabytesOf(folder: string): number {
  const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
  return Math.round(bytes / 1024 / 1024)
}

const run = (words: string[], settings: Record<string, string>) =>
  startProgram('cli', settings, { words, cwd: shipped, repository: shipped })

async function ask(who: Browser, path: string, body?: object): Promise<unknown> {
  const response = await who.open(path, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json' },
  })
  expect([path, response.status]).toEqual([path, 200])
  return response.json()
}

/** What needs native code or files: pictures, passwords, the engine, the sandbox, the page. */
async function useEverything(url: string): Promise<void> {
  const page = await fetch(url)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('<div id="root">')
  const staff = new Browser(url)
  await ask(staff, '/api/auth/local', { username: 'keeper', password })
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.append('image', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'a.png')
  const upload = await staff.open('/api/upload/image', { method: 'POST', body: form })
  expect(upload.status).toBe(200)
  const viewer = new Browser(url)
  await viewer.signIn('ana')
  const [held] = (await ask(viewer, '/api/user/packs')) as { packTypeId: number }[]
  await ask(viewer, '/api/packs/open', { packTypeId: held!.packTypeId, quantity: 1 })
}

describe('the built program with nothing but its own packages', () => {
  it('starts, serves, stops, backs up and checks the books', async ({ skip }) => {
    execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'ignore' })
    for (const file of files) {
      cpSync(join(root, file), join(shipped, file), { recursive: true })
      expect(existsSync(dirname(join(shipped, file)))).toBe(true)
    }
    const why = installPackages()
    skip(why !== undefined, why)
    const packages = readdirSync(join(shipped, 'node_modules'))
    expect(packages.filter((name) => unwanted.includes(name))).toEqual([])
    const megabytes = megabytesOf(shipped)
    expect(megabytes).toBeLessThan(megabytesMax)

    const settings = {
      PORT: String(await freePort()),
      DATA_DIR: join(shipped, 'data'),
      RATE_LIMITS: 'off',
      // A dump holds no keys, so the database that takes it needs the same.
      ENCRYPTION_KEY: '7c'.repeat(32),
      LOG_SIGNING_KEY: '1a'.repeat(32),
      LOCAL_ADMIN_USERNAME: 'keeper',
      LOCAL_ADMIN_PASSWORD: password,
    }
    product = startProgram('main', settings, { cwd: shipped, repository: shipped })
    await product.ready()
    await useEverything(product.url)
    product.child.kill('SIGTERM')
    expect(await product.exit).toBe(0)
    const dump = join(shipped, 'dump')
    const commands = [
      ...[
        ['verify-economy', '--timing'],
        ['backup', dump],
        ['restore', '--force', dump],
      ],
      ...[['restore-drill', dump], ['renew-log'], ['reseal'], ['remove-second-factor']],
    ]
    // Each command that the guide has somebody type; here are none of npm.
    const [, readme] = readFileSync(join(root, 'README.md'), 'utf8').split('## In production')
    expect(readme).not.toContain('npm run')
    const guide = `${readFileSync(join(root, 'docs/operating.md'), 'utf8')}${readme}`
    const named = [...guide.matchAll(/server\/dist\/cli\.js ([a-z-]+)/g)].map(([, name]) => name)
    expect(new Set(named)).toEqual(new Set(commands.map(([name]) => name)))
    for (const words of commands) {
      const command = run(words, settings)
      expect([words, await command.exit, command.errors()]).toEqual([words, 0, ''])
    }
    const restored = { ...settings, DATA_DIR: join(shipped, 'restored') }
    expect(await run(['restore', dump], restored).exit).toBe(0)
    expect(await run(['verify-economy'], restored).exit).toBe(0)
    tell({
      fault: 'The built program is shipped without the packages that build and test it',
      promise: 'It starts with node alone: page, pictures, passwords, draws and commands work',
      seen: `${packages.length} folders of packages, ${megabytes} MB with the program itself`,
    })
  })
})
