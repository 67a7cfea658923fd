// The arrows that hold everywhere: no cycles, no barrels, no package that is there by luck.

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
    'Two files that need each other are one file, or need a third.',
    {},
    { circular: true },
  ),
  never(
    'no-barrels',
    'A file that only collects others hides who depends on what.',
    {},
    {
      path: '(^|/)index\\.tsx?$',
      pathNot: ['node_modules/', '^contract/src/index\\.ts$', '^sandbox/src/index\\.ts$'],
    },
  ),
  never(
    'packages-are-listed',
    'A package that only another workspace lists is there by luck.',
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
    'Benchmarks and the simulation run the server with the packages of the server.',
    { path: '^(bench|simulation)/' },
    {
      dependencyTypes: ['npm-no-pkg', 'npm-unknown'],
      pathNot: listedBy('server'),
    },
  ),
  never(
    'product-needs-no-tools',
    'What is installed for development alone is missing in production.',
    { path: '^(contract|fair|server|sandbox|web)/src/', pathNot: tests },
    { dependencyTypes: ['npm-dev'], ...value },
  ),
  never(
    'product-never-tests',
    'Nothing that ships may need what checks it.',
    { path: '^(contract|fair|server|sandbox|web)/src/', pathNot: tests },
    { path: [tests, '^(tools|bench|simulation)/'] },
  ),
  never(
    'simulation-is-an-end',
    'The simulation watches the product; what knows of it would behave for it.',
    { pathNot: '^simulation/' },
    { path: '^simulation/' },
  ),
  never('imports-resolve', 'An import must lead somewhere.', {}, { couldNotResolve: true }),
]
