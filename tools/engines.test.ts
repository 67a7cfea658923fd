// Every package supports each Node version that the product names.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { minVersion, satisfies } from 'semver'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))

it('every package of the product runs on the oldest Node that is promised', () => {
  const oldest = minVersion(read('package.json').engines.node) ?? ''
  const packages = Object.entries<{ dev?: boolean; engines?: { node?: string } }>(
    read('package-lock.json').packages,
  )
  const refused = packages
    .filter(([path, { dev }]) => path.startsWith('node_modules/') && dev !== true)
    .filter(([, { engines }]) => !satisfies(oldest, engines?.node ?? '*'))
  expect(packages.length).toBeGreaterThan(200)
  expect(refused).toEqual([])
})

it('start and installation refuse what is older than that', () => {
  const oldest = minVersion(read('package.json').engines.node) ?? { major: 0, minor: 0 }
  for (const file of ['server/src/main.ts', 'tools/install.mjs']) {
    const text = readFileSync(join(root, file), 'utf8')
    expect(text, file).toContain(`= [${oldest.major}, ${oldest.minor}]`)
  }
})

it('an older Node says in one line that it is too old, having loaded nothing else', () => {
  const source = readFileSync(join(root, 'server/src/main.ts'), 'utf8')
  const { code } = transformSync(source, { loader: 'ts', format: 'esm' })
  expect(code).not.toMatch(/^(import|export .* from)\b/m)
  const older = "Object.defineProperty(process, 'versions', { value: { node: '18.20.8' } });"
  const words = ['--input-type=module', '--eval', older + code]
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  expect([status, stderr]).toEqual([
    1,
    'Redpack needs Node 20.19 or later, better 24; this is 18.20.8\n',
  ])
})

it('an installation without a network says so, and does not try in another way', () => {
  const folder = mkdtempSync(join(tmpdir(), 'redpack-install-'))
  cpSync(join(root, 'tools/install.mjs'), join(folder, 'tools/install.mjs'))
  const what = { name: 'x', version: '1.0.0', dependencies: { 'redpack-nothing': '1.0.0' } }
  const resolved = 'http://127.0.0.1:9/redpack-nothing/-/redpack-nothing-1.0.0.tgz'
  const packages = { '': what, 'node_modules/redpack-nothing': { version: '1.0.0', resolved } }
  const write = (file: string, content: object) =>
    writeFileSync(join(folder, file), JSON.stringify(content))
  write('package.json', what)
  write('package-lock.json', { ...what, lockfileVersion: 3, requires: true, packages })
  const words = ['--input-type=module', '--eval', "(await import('./tools/install.mjs')).install()"]
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, npm_config_registry: 'http://127.0.0.1:9/' },
  })
  rmSync(folder, { recursive: true, force: true })
  expect([status, stdout, stderr]).toEqual([
    1,
    'Installing packages. This needs a network and takes a minute ...\n',
    'The packages could not be installed: the registry cannot be reached\n',
  ])
})
