// `npm run mutation -- AREA`: breaks the product in small ways, one at a time, and says which of
// them no test notices. The report stands in .cache/mutation.

import { install, root } from './install.mjs'
import { areas } from './mutation/areas.mjs'

/** An area whose tests notice fewer of the changes than this, in percent, ends with a failure. */
const killedMin = 80

const name = process.argv[2]
if (name === undefined || !Object.hasOwn(areas, name)) {
  console.error(`Name one area: ${Object.keys(areas).join(', ')}`)
  process.exit(1)
}
const { mutate, tests } = areas[name]

process.chdir(root)
install()
const { Stryker } = await import('@stryker-mutator/core')
process.env['MUTATION_TESTS'] = tests.join(',')
await new Stryker({
  mutate,
  testRunner: 'vitest',
  // The repository's own configuration has every workspace; one area needs a few files.
  vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner'],
  coverageAnalysis: 'perTest',
  // An embedded database takes hundreds of megabytes, and on a busy machine survivors time out.
  concurrency: 1,
  // What is worked out while a file loads would need all tests for each change.
  ignoreStatic: true,
  ignorePatterns: ['bench', 'data', 'simulation', 'docs', 'e2e', '**/dist'],
  reporters: ['clear-text', 'html', 'json', 'progress-append-only'],
  clearTextReporter: { logTests: false, reportTests: false },
  htmlReporter: { fileName: `.cache/mutation/${name}.html` },
  jsonReporter: { fileName: `.cache/mutation/${name}.json` },
  tempDirName: '.cache/stryker',
  cleanTempDir: 'always',
  thresholds: { high: 90, low: killedMin, break: killedMin },
}).runMutationTest()
