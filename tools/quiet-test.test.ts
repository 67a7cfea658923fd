// A warning after the end of its test fails the next test, or the file.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

const late = "it('is quiet', () => {}); afterAll(() => console.warn('too late'))"

it.each([
  ['next test', `describe('first', () => { ${late} }); it('is next', () => {})`, 'is next'],
  ['file', late, 'late.test.ts'],
])('a late warning fails the %s', async (_what, source, failed) => {
  const folder = mkdtempSync(join(root, 'node_modules/.cache/late-'))
  writeFileSync(join(folder, 'late.test.ts'), source)
  const setup = join(root, 'tools/quiet-test.setup.ts')
  const config = {
    test: { include: ['*.test.ts'], exclude: [], globals: true, setupFiles: [setup] },
  }
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(config)}`)
  const told = await new Promise<string>((resolve) => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    execFile(process.execPath, [vitest, 'run'], { cwd: folder }, (_error, out, err) =>
      resolve(out + err),
    )
  })
  rmSync(folder, { recursive: true, force: true })
  expect(told).toContain('The test wrote a warning:\ntoo late')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what colours the text
  expect(told.replace(/\x1b\[[\d;]*m/g, '')).toMatch(new RegExp(`FAIL .*${failed}\\s`))
})
