// Style that is only written down drifts: this test reads the repository and fails where it did.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { addressesOf, allEndpoints, type Method } from '@redpack/contract'
import { describe, expect, it } from 'vitest'
import { createTestDeps } from '../server/test/deps.ts'
import { embeddedTestDatabase } from '../server/test/test-database.ts'
import { recipeSteps, takeStep } from './recipes/steps.ts'
import { arrowNames, cruiseTree } from './tidy/arrows.ts'
import { deadLinks } from './tidy/links.ts'
import { unmarkedNarrowing } from './tidy/migration-change.ts'
import { plantFaults, plants } from './tidy/planted-faults.ts'
import { repositoryFiles, repositoryRoot } from './tidy/repository-files.ts'
import { faultsOf, isReadable, textRules, writtenValue } from './tidy/text-rules.ts'

const files = repositoryFiles()
const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8')
const folders = [
  'contract',
  'fair',
  'server',
  'sandbox',
  'web',
  'e2e',
  'bench',
  'simulation',
  'tools',
]

/** Judges the folder by the rules of the `biome.json` in it; a line for each fault. */
function biome(cwd: string, command: 'check' | 'lint') {
  const script = join(repositoryRoot, 'node_modules/@biomejs/biome/bin/biome')
  const words = [script, command, '--reporter=github']
  return spawnSync(process.execPath, words, { cwd, encoding: 'utf8' })
}

describe('arrows', () => {
  it('hold in every file of the repository', async () => {
    const cruise = await cruiseTree(repositoryRoot, folders)
    // A checker that cannot read the sources sees no fault in them.
    expect(cruise.files.length).toBeGreaterThan(250)
    const sources = files.filter((path) =>
      /^(contract|server|sandbox|web)\/src\/.*\.tsx?$/.test(path),
    )
    expect(sources.filter((path) => !cruise.files.includes(path))).toEqual([])
    expect(cruise.violations).toEqual([])
  }, 180_000)

  it('catch a fault each, and nothing that is allowed', async () => {
    const root = mkdtempSync(join(tmpdir(), 'redpack-arrows-'))
    try {
      plantFaults(root)
      const { violations } = await cruiseTree(root, [
        'contract',
        'fair',
        'server',
        'sandbox',
        'web',
        'bench',
        'simulation',
      ])
      const caught = violations.map(({ rule, from }) => `${rule}: ${from}`)
      const planted = plants.flatMap(({ rule, path }) =>
        rule === undefined ? [] : [`${rule}: ${path}`],
      )
      expect([...new Set(caught)].sort()).toEqual(planted.toSorted())
      const shown = new Set(plants.map(({ rule }) => rule))
      expect(arrowNames.filter((name) => !shown.has(name))).toEqual([])
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  }, 180_000)
})

/** For each rule a file that breaks it and one that does not. */
const samples: Readonly<Record<string, readonly [bad: Sample, good: Sample]>> = {
  'file-length': [
    ['server/src/long.ts', '// Long.\n'.repeat(501)],
    ['server/src/long.test.ts', '// Long.\n'.repeat(500)],
  ],
  'line-length': [
    ['web/src/a.ts', `// A ${'b '.repeat(60)}\n`],
    ['web/src/a.ts', `// A.\nit('${'b '.repeat(60)}',\n`],
  ],
  'file-name': [
    ['web/src/lib/date-utils.ts', '// A.\n'],
    ['server/src/adapters/data-folder/commons.ts', '// A.\n'],
  ],
  'opening-sentence': [
    ['server/src/a.ts', "import 'b'\n"],
    ['server/migrations/0001_a.sql', '-- A.\n'],
  ],
  'migration-name': [
    ['server/migrations/1_a.sql', '-- A.\n'],
    ['server/migrations/0001_a.sql', '-- A.\n'],
  ],
  'migration-says-when-it-contracts': [
    ['server/migrations/0099_a.sql', '-- A.\nALTER TABLE users DROP COLUMN bio;\n'],
    ['server/migrations/0099_a.sql', '-- A.\n-- contract: unread.\nDROP TABLE notes;\n'],
  ],
  'value-has-one-writer': [
    ['server/src/demo/a.ts', '// A.\nconst a = `INSERT INTO stock_events (kind) VALUES (1)`\n'],
    ['server/src/features/ledger/a.ts', '// A.\nconst a = `INSERT INTO stock_events (kind)`\n'],
  ],
  'chance-comes-from-deps': [
    ['server/src/rules/draw.ts', '// A.\nconst roll = Math.random()\n'],
    ['web/src/a.ts', '// A.\nconst sparkle = Math.random()\n'],
  ],
  'chance-of-tests-is-seeded': [
    ['server/src/a.test.ts', '// A.\nconst roll = Math.random()\n'],
    ['server/src/a.test.ts', '// A.\nconst roll = luck()\n'],
  ],
  'time-of-tests-stands-still': [
    ['web/src/a.test.tsx', "// A.\nvi.useFakeTimers({ toFake: ['setTimeout'] })\n"],
    ['web/src/a.test.tsx', "// A.\nvi.useFakeTimers({ toFake: ['Date', 'setTimeout'] })\n"],
  ],
  'time-comes-from-deps': [
    ['server/src/features/a/b.ts', '// A.\nconst now = new Date()\n'],
    ['server/src/features/a/b.ts', '// A.\nconst then = new Date(0)\n'],
  ],
  'no-raw-html': [
    ['web/src/a.tsx', '// A.\n<p dangerouslySetInnerHTML={x} />\n'],
    ['web/src/a.tsx', '// A.\n<p>{x}</p>\n'],
  ],
  'refreshing-has-one-place': [
    ['web/src/features/a/queries.ts', '// A.\nclient.invalidateQueries({ queryKey })\n'],
    ['web/src/app/refresher.ts', '// A.\nclient.invalidateQueries({ predicate })\n'],
  ],
  'queries-of-endpoints-name-topics': [
    [
      'web/src/features/a/queries.ts',
      '// A.\nuseQuery({ queryKey: [packsContract.types.path] })\n',
    ],
    ['web/src/features/a/queries.ts', "// A.\nuseQuery({ queryKey: ['own-seed', id] })\n"],
  ],
  'no-silenced-types': [
    ['web/src/a.ts', '// A.\n// @ts-ignore\n'],
    ['web/src/a.ts', '// A.\n'],
  ],
  'no-leftovers': [
    ['README.md', 'TODO: say more\n'],
    ['README.md', 'Everything is done\n'],
  ],
  'no-specification-codes': [
    ['web/src/a.test.ts', "it('is newest first [P-031]', f)\n"],
    ['server/migrations/0001_a.sql', '-- A list (Q-101).\n'],
  ],
  'every-test-runs': [
    ['server/src/a.test.ts', "it.only('b', c)\n"],
    ['server/src/a.test.ts', "it.skipIf(d)('b', c)\n"],
  ],
  'no-machine-paths': [
    ['docs/a.md', 'See /home/ana/notes\n'],
    ['docs/a.md', 'See https://example.com/home/ana/notes\n'],
  ],
  'no-registry-hosts': [
    ['package-lock.json', '"resolved": "http://10.0.0.1/a.tgz"\n'],
    ['package-lock.json', '"version": "1.0.0"\n'],
  ],
}
type Sample = readonly [path: string, text: string]

describe('text', () => {
  it('follows the rules in every file', () => {
    expect(files.length).toBeGreaterThan(250)
    expect(files.filter(isReadable).flatMap((path) => faultsOf(path, read(path)))).toEqual([])
  })

  it.each(textRules.map(({ name }) => name))('the rule %s catches its sample', (name) => {
    const rule = textRules.find((one) => one.name === name)!
    const [bad, good] = samples[name]!
    expect(rule.appliesTo(bad[0])).toBe(true)
    expect(rule.faults(...bad)).not.toEqual([])
    expect(rule.appliesTo(good[0]) ? rule.faults(...good) : []).toEqual([])
  })
})

describe('style', () => {
  const said = 'console.log(1)'
  const port = "export const port = process.env['PORT']"
  const plantedFiles: Readonly<Record<string, string>> = {
    'server/src/said.ts': said,
    'web/src/said.ts': said,
    'server/src/process/port.ts': port,
    'sandbox/src/port.ts': port,
    'server/src/config/config.ts': port,
    'tools/said.ts': said,
  }

  it('lets Biome catch words on the console and further readers of the environment', () => {
    const root = mkdtempSync(join(tmpdir(), 'redpack-style-'))
    try {
      cpSync(join(repositoryRoot, 'biome.json'), join(root, 'biome.json'))
      for (const [path, text] of Object.entries(plantedFiles)) {
        mkdirSync(dirname(join(root, path)), { recursive: true })
        writeFileSync(join(root, path), `// A.\n${text}\n`)
      }
      const { stdout } = biome(root, 'lint')
      const caught = [...stdout.matchAll(/title=lint\/\w+\/(\w+),file=([^,]+),/g)].map(
        ([, rule, path = '']) => `${rule}: ${relative(root, path)}`,
      )
      expect(caught.toSorted()).toEqual([
        'noConsole: server/src/said.ts',
        'noConsole: web/src/said.ts',
        'noProcessEnv: sandbox/src/port.ts',
        'noProcessEnv: server/src/process/port.ts',
      ])
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })
})

describe('value', () => {
  it.each([
    'INSERT INTO red_coin_transactions (user_id) SELECT 1',
    'insert into\n  pack_transactions (user_id) VALUES (1)',
    'UPDATE user_packs SET quantity = 1',
    'UPDATE "user_packs" SET quantity = 1',
    'DELETE FROM user_packs WHERE user_id = $1',
    'UPDATE users SET updated_at = $1, red_coin_balance = 0 WHERE id = 1',
    'UPDATE users AS u SET total_red_coin_won = 0 FROM x WHERE u.id = x.id',
    'WITH a AS (UPDATE prizes SET\n  inventory_quantity = inventory_quantity - 1)',
    'UPDATE store_pack_listings l SET updated_at = now(), quantity_available = 5',
    'UPDATE users SET bio = coalesce((SELECT bio), $2), red_coin_balance = 1',
    'INSERT INTO users (username,\n  red_coin_balance) VALUES ($1, $2)',
    'INSERT INTO prizes (name, inventory_quantity) VALUES ($1, 0)',
  ])('is written by %j', (sql) => {
    expect(writtenValue(`// A.\nconst a = \`${sql}\`\n`)).toHaveLength(1)
  })

  it.each([
    'SELECT red_coin_balance FROM users WHERE red_coin_balance = 0',
    'UPDATE users SET bio = $2 WHERE id = $1 AND red_coin_balance = 0',
    'UPDATE prizes SET archived_at = $1 FROM stock_events e WHERE inventory_quantity = 0',
    'INSERT INTO users (username) SELECT red_coin_balance FROM users',
    'SELECT 1 FROM user_packs FOR UPDATE',
    'UPDATE users SET bio = 1`\nconst b = `SELECT 1 WHERE red_coin_balance = 2',
  ])('is not written by %j', (sql) => {
    expect(writtenValue(`// A.\nconst a = \`${sql}\`\n`)).toEqual([])
  })
})

describe('pages', () => {
  it('link only to what is there', () => {
    const pages = files.filter((path) => path.endsWith('.md'))
    expect(pages).toContain('README.md')
    const dead = pages.flatMap((page) =>
      deadLinks(page, read(page), files).map((target) => `${page} → ${target}`),
    )
    expect(dead).toEqual([])
  })

  it('are caught when they link to nothing', () => {
    const text = '[a](b.md) ![c](pictures/d.png) [e](../README.md#f) [g](https://h.i) [j](#k)'
    expect(deadLinks('docs/a.md', text, ['README.md', 'docs/b.md'])).toEqual(['pictures/d.png'])
    expect(deadLinks('a.md', '[folder](docs/) [none](doc/)', ['docs/b.md'])).toEqual(['doc/'])
  })

  it('number decisions without a gap, each with its status', () => {
    const decisions = files.filter((path) => /^docs\/decisions\/\d{4}-[a-z0-9-]+\.md$/.test(path))
    expect(decisions.map((path) => Number(path.slice(15, 19)))).toEqual(
      decisions.map((_path, index) => index + 1),
    )
    for (const path of decisions) {
      expect([path, read(path)]).toEqual([path, expect.stringMatching(/^# .+\n\nStatus: \S/)])
    }
  })
})

describe('what is changed in a copy', () => {
  it('has its place still: each step of the recipes', () => {
    const copy = mkdtempSync(join(tmpdir(), 'redpack-steps-'))
    try {
      const steps = recipeSteps(read('CONTRIBUTING.md'))
      for (const { path } of steps.filter(({ at }) => at !== 'new')) {
        cpSync(join(repositoryRoot, path), join(copy, path))
      }
      for (const step of steps) takeStep(copy, step)
      cpSync(join(repositoryRoot, 'biome.json'), join(copy, 'biome.json'))
      const { stdout } = biome(copy, 'check')
      expect(stdout).toBe('')
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  })
})

describe('endpoints', () => {
  /** Addresses of the contract without a route. */
  const unregistered = (app: { hasRoute(route: { method: Method; url: string }): boolean }) =>
    allEndpoints
      .flatMap(addressesOf)
      .filter(
        ({ method, path }) => !app.hasRoute({ method, url: path.replace(/\{(\w+)\}/g, ':$1') }),
      )

  it('are registered', async () => {
    const { app, close } = await createTestDeps(await embeddedTestDatabase())
    try {
      expect(unregistered(app)).toEqual([])
    } finally {
      await close()
    }
  }, 180_000)

  it('without a route are found', () => {
    expect(unregistered({ hasRoute: ({ url }) => url !== '/api/packs/open' })).toEqual([
      { method: 'POST', path: '/api/packs/open' },
    ])
  })
})

describe('migrations', () => {
  const path = 'server/migrations/0099_a.sql'

  it.each([
    'DROP TABLE notes;',
    'ALTER TABLE users RENAME COLUMN bio TO about;',
    'ALTER TABLE users ALTER COLUMN bio SET NOT NULL;',
    'ALTER TABLE users\n  ALTER COLUMN bio TYPE varchar(50);',
    'ALTER TABLE users ADD COLUMN age integer NOT NULL;',
    'ALTER TABLE users ADD COLUMN a integer DEFAULT 1, ADD COLUMN b integer NOT NULL;',
    'ALTER TABLE users ADD CONSTRAINT short CHECK (length(bio) < 9);',
    'CREATE UNIQUE INDEX users_bio ON users (bio);',
    'CREATE TABLE a (b integer);\nALTER TABLE users ADD CHECK (id > 0);',
  ])('that say %j must be marked', (sql) => {
    expect(unmarkedNarrowing(path, `-- A.\n${sql}\n`)).toHaveLength(1)
    expect(unmarkedNarrowing(path, `-- A.\n-- contract: why.\n${sql}\n`)).toEqual([])
    expect(unmarkedNarrowing(path, `-- A.\n-- expand: why.\n${sql}\n`)).toEqual([])
  })

  it.each([
    'ALTER TABLE users ADD COLUMN age integer;',
    'ALTER TABLE users ADD COLUMN age integer NOT NULL DEFAULT 0;',
    'CREATE INDEX users_bio ON users (bio); -- DROP TABLE users',
    'CREATE TABLE a (b integer NOT NULL);\nCREATE UNIQUE INDEX a_b ON a (b);',
    'CREATE TABLE a (b integer);\nALTER TABLE a ADD CHECK (b > 0);',
  ])('that say %j need no mark', (sql) => {
    expect(unmarkedNarrowing(path, `-- A.\n${sql}\n`)).toEqual([])
  })

  it('are numbered without a gap', () => {
    const numbers = files
      .filter((path) => path.startsWith('server/migrations/'))
      .map((path) => Number(path.slice(18, 22)))
    expect(numbers.length).toBeGreaterThan(0)
    expect(numbers).toEqual(numbers.map((_number, index) => index + 1))
  })
})
