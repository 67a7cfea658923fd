// `npm run mutation -- AREA [N]`: breaks the product in small ways, one at a time, and reports
// which ones no test notices; with N, only in every Nth block of ten lines. The report is in
// .cache/mutation.

import { readFileSync, statSync } from 'node:fs'
import { install, root } from './install.mjs'

/** An area fails if its tests notice fewer of the changes than this, in percent. */
const killedMin = 80

const stretchLines = 10

/** Every Nth block of lines, counted through all files, in Stryker's notation. */
function stretchesOf(files, every) {
  const stretches = files.flatMap((file) => {
    const count = readFileSync(file, 'utf8').split('\n').length
    return Array.from({ length: Math.ceil(count / stretchLines) }, (_, index) => {
      const from = index * stretchLines + 1
      return `${file}:${from}-${Math.min(from + stretchLines - 1, count)}`
    })
  })
  return stretches.filter((_, index) => index % every === 0)
}

process.chdir(root)
const { areas } = await import('./mutation/areas.mjs')
const [name, every = '1'] = process.argv.slice(2)
if (name === undefined || !Object.hasOwn(areas, name)) {
  console.error(`Name one area: ${Object.keys(areas).join(', ')}`)
  process.exit(1)
}
const { mutate, tests } = areas[name]
// A moved file would be left out silently.
for (const file of mutate) statSync(file)

install()
const { Stryker } = await import('@stryker-mutator/core')
process.env['MUTATION_TESTS'] = tests.join(',')
await new Stryker({
  mutate: every === '1' ? mutate : stretchesOf(mutate, Number(every)),
  testRunner: 'vitest',
  // The repository's configuration has every workspace; one area needs only a few files.
  vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner'],
  coverageAnalysis: 'perTest',
  // An embedded database takes hundreds of megabytes, and on a busy machine survivors time out.
  concurrency: 1,
  // Whatever runs beside it must not look like a change that was noticed.
  timeoutMS: 60_000,
  // Values computed while a file loads would need all tests for each change.
  ignoreStatic: true,
  ignorePatterns: ['/bench', '/data', '/simulation', '/docs', '/e2e', '**/dist'],
  reporters: ['clear-text', 'html', 'json', 'progress-append-only'],
  clearTextReporter: { logTests: false, reportTests: false },
  htmlReporter: { fileName: `.cache/mutation/${name}.html` },
  jsonReporter: { fileName: `.cache/mutation/${name}.json` },
  tempDirName: '.cache/stryker',
  cleanTempDir: 'always',
  thresholds: { high: 90, low: killedMin, break: killedMin },
}).runMutationTest()
