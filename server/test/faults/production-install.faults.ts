// What an operator ships: the built program with the packages it runs on and no others, in a folder
// that knows nothing of the repository.

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { freePort } from '../product-process.ts'
import { runCommand, usePrograms } from '../programs.ts'
import { Browser } from '../sign-in.ts'
import { tell } from './fault-table.ts'
import { keeperPassword, loadSettings } from './keyed-load.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const programs = usePrograms('shipped')
const shipped = programs.folder
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

const there = { cwd: shipped, repository: shipped }

/** What needs native code or files: pictures, passwords, the engine, the sandbox, the page. */
async function useEverything(url: string): Promise<void> {
  const page = await fetch(url)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('<div id="root">')
  const staff = new Browser(url)
  await staff.json('/api/auth/local', { username: 'keeper', password: keeperPassword })
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.append('image', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'a.png')
  const upload = await staff.open('/api/upload/image', { method: 'POST', body: form })
  expect(upload.status).toBe(200)
  const viewer = new Browser(url)
  await viewer.signIn('ana')
  const [held] = await viewer.json<{ packTypeId: number }[]>('/api/user/packs')
  await viewer.json('/api/packs/open', { packTypeId: held!.packTypeId, quantity: 1 })
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

    // A dump holds no keys, so the database that takes it needs those of these settings.
    const settings = loadSettings({}, await freePort(), join(shipped, 'data'))
    const product = await programs.start(settings, there)
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
      const { code, errors } = await runCommand(words, settings, there)
      expect([words, code, errors]).toEqual([words, 0, ''])
    }
    const restored = { ...settings, DATA_DIR: join(shipped, 'restored') }
    for (const words of [['restore', dump], ['verify-economy']]) {
      expect((await runCommand(words, restored, there)).code).toBe(0)
    }
    tell({
      fault: 'The built program is shipped without the packages that build and test it',
      promise: 'It starts with node alone: page, pictures, passwords, draws and commands work',
      seen: `${packages.length} folders of packages, ${megabytes} MB with the program itself`,
    })
  })
})
