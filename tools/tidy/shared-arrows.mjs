// The arrows that apply everywhere: no cycles, no barrels, no unlisted packages.

import { readFileSync } from 'node:fs'
import { never, tests, value } from './arrow-words.mjs'

/** Packages that a workspace lists, as one pattern. */
function listedBy(workspace) {
  const text = readFileSync(new URL(`../../${workspace}/package.json`, import.meta.url), 'utf8')
  const { dependencies = {}, devDependencies = {} } = JSON.parse(text)
  const names = Object.keys({ ...dependencies, ...devDependencies })
  return `(^|/)node_modules/(${names.join('|')})/`
}

export const sharedArrows = [
  never(
    'no-cycles',
    'Two files that need each other should be one file, or share a third.',
    {},
    { circular: true },
  ),
  never(
    'no-barrels',
    'A file that only re-exports others hides who depends on what.',
    {},
    {
      path: '(^|/)index\\.tsx?$',
      pathNot: ['node_modules/', '^contract/src/index\\.ts$', '^sandbox/src/index\\.ts$'],
    },
  ),
  never(
    'packages-are-listed',
    'A package that only another workspace lists is installed by luck.',
    { pathNot: [tests, '^(bench|simulation)/'] },
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  ),
  never(
    'packages-of-tests-are-listed',
    'Tests may also use what the root lists for all of them.',
    { path: tests },
    {
      dependencyTypes: ['npm-no-pkg', 'npm-unknown'],
      pathNot: listedBy('.'),
    },
  ),
  never(
    'packages-of-benchmarks-are-listed',
    "Benchmarks and the simulation run the server with the server's packages.",
    { path: '^(bench|simulation)/' },
    {
      dependencyTypes: ['npm-no-pkg', 'npm-unknown'],
      pathNot: listedBy('server'),
    },
  ),
  never(
    'product-needs-no-tools',
    'Packages for development are missing in production.',
    { path: '^(contract|fair|server|sandbox|web)/src/', pathNot: tests },
    { dependencyTypes: ['npm-dev'], ...value },
  ),
  never(
    'product-never-tests',
    'Shipped code may not need the code that checks it.',
    { path: '^(contract|fair|server|sandbox|web)/src/', pathNot: tests },
    { path: [tests, '^(tools|bench|simulation)/'] },
  ),
  never(
    'simulation-is-an-end',
    'The simulation watches the product; code that knows of it could behave differently for it.',
    { pathNot: '^simulation/' },
    { path: '^simulation/' },
  ),
  never('imports-resolve', 'An import must lead somewhere.', {}, { couldNotResolve: true }),
]
