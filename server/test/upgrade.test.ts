// An installation of the first build is brought to this version by docs/operating.md, "Upgrading".

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServer, freePort, type ProductProcess, startProgram } from './product-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'redpack-upgrade-'))
const dump = join(folder, 'first-build.dump')
const settings = { DATA_DIR: join(folder, 'data'), SANDBOX: 'on', RATE_LIMITS: 'off' }
const running: ProductProcess[] = []

beforeAll(async () => {
  copyFileSync(fileURLToPath(new URL('fixtures/first-build.dump', import.meta.url)), dump)
  await buildServer()
}, 90_000)
afterAll(() => {
  for (const { child } of running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<ProductProcess> {
  const product = startProgram('main', { ...settings, PORT: String(await freePort()) })
  running.push(product)
  return product
}

async function command(...words: string[]): Promise<[number | null, string]> {
  const product = startProgram('cli', settings, { words })
  const code = await product.exit
  return [code, product.output() + product.errors()]
}

it('says that the key is missing, goes on without it when told so, and keeps its books', async () => {
  expect(await command('restore', dump)).toEqual([0, expect.stringMatching(/^Restored \d+ rows/)])
  // The dump holds no key, as no dump does, and the one it was sealed with was not brought along.
  const refused = await start()
  expect(await refused.exit).toBe(1)
  const [line, ...more] = refused.errors().trim().split('\n')
  expect(more).toEqual([])
  expect(line).toMatch(
    /^The key in DATA_DIR\/encryption\.key is not .* node server\/dist\/cli\.js reseal --lost/,
  )
  const lost = line!.split(' ').at(-1)!
  expect(await command('reseal', '--lost', '0'.repeat(16))).toEqual([
    2,
    expect.stringContaining('needs no key'),
  ])
  const [code, said] = await command('reseal', '--lost', lost)
  expect([code, said]).toEqual([0, expect.stringContaining(`The key ${lost} is given up`)])
  expect(said).toContain('stay unreadable')
  // The dump itself is whole, and only its key is missing.
  expect(await command('restore-drill', dump)).toEqual([
    1,
    expect.stringMatching(/The drill FAILED: Nothing was checked\. The key in DATA_DIR/),
  ])
  const product = await start()
  await product.ready()
  expect((await fetch(`${product.url}/health/ready`)).status).toBe(200)
  product.child.kill('SIGTERM')
  expect(await product.exit).toBe(0)
  expect(await command('verify-economy')).toEqual([
    0,
    expect.stringMatching(/^All \d+ invariants hold/),
  ])
}, 170_000)
