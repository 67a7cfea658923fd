// What the product says it runs on is what each of its packages runs on.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
