// An installation whose encryption key is lost: it says so, goes on when told, and keeps its books.

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freePort, type ProductProcess } from './product-process.ts'
import { runCommand, usePrograms } from './programs.ts'
import { Browser } from './sign-in.ts'

const programs = usePrograms('lost-key')
const { folder } = programs
const settings = { DATA_DIR: folder, SANDBOX: 'on', DEMO_DAYS: '4', RATE_LIMITS: 'off' }

const start = async () => programs.launch({ ...settings, PORT: String(await freePort()) })

async function command(...words: string[]): Promise<[number | null, string]> {
  const { code, output, errors } = await runCommand(words, settings)
  return [code, output + errors]
}

/** A player signs in, opens a pack, and the product is stopped. */
async function playAndStop(product: ProductProcess): Promise<void> {
  await product.ready()
  const player = new Browser(product.url)
  await player.signIn('lost_and_found')
  const held = await player.json<{ packTypeId: number; quantity: number }[]>('/api/user/packs')
  const packTypeId = held.find(({ quantity }) => quantity > 0)?.packTypeId
  await player.json('/api/packs/open', { packTypeId, quantity: 1 })
  product.child.kill('SIGTERM')
  expect(await product.exit).toBe(0)
}

it('says that the key is missing, goes on without it when told so, and keeps its books', async () => {
  await playAndStop(await start())
  writeFileSync(join(folder, 'encryption.key'), `${'4d'.repeat(32)}\n`)
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
    expect.stringContaining('No key named'),
  ])
  // The dump itself is whole, and only its key is missing.
  const dump = join(folder, 'dumps', readdirSync(join(folder, 'dumps')).sort().at(-1)!)
  expect(await command('restore-drill', dump)).toEqual([
    1,
    expect.stringMatching(/The drill FAILED: Nothing was checked\. The key in DATA_DIR/),
  ])
  const [code, said] = await command('reseal', '--lost', lost)
  expect([code, said]).toEqual([0, expect.stringContaining(`The key ${lost} is given up`)])
  expect(said).toContain('stay unreadable')
  await playAndStop(await start())
  expect(await command('verify-economy')).toEqual([
    0,
    expect.stringMatching(/^All \d+ invariants hold/),
  ])
}, 170_000)
