// Every statement of the server is prepared on a migrated PostgreSQL, and what the program says
// about its rows and values is compared with what the server says.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Statement } from '../src/adapters/db/database.ts'
import { checkStatements, type Findings } from './statements/check-statements.ts'
import { Describer } from './statements/described.ts'
import { hasPostgres, postgresTestDatabase } from './test-database.ts'

const recorded = vi.hoisted((): Statement[] => [])
vi.mock('../src/adapters/db/database.ts', async (original) => {
  const database = await original<typeof import('../src/adapters/db/database.ts')>()
  return {
    ...database,
    statement(name: string, text: string) {
      const made = database.statement(name, text)
      recorded.push(made)
      return made
    },
  }
})

/** Files in which statements are made while the program runs, so that nobody knows them before. */
const madeWhileRunning: Readonly<Record<string, string>> = {
  'src/adapters/db/migrate.ts': 'the migrations themselves',
  'src/adapters/db/catalog.ts': 'one for each sequence of the catalog',
  'src/adapters/db/dump.ts': 'a cursor for each table of the catalog',
  'src/adapters/db/restore.ts': 'some for each table of the catalog',
  'src/features/books/invariants.ts': 'the name of a snapshot cannot be a value',
  'src/cli/restore-drill.ts': 'a count for each table of the catalog',
}

/** What is found and right all the same. */
const excused = [
  {
    found: /^src\/adapters\/db\/dump\.ts dump_fetch: no column line is answered$/,
    reason: 'a cursor is described when it is open, and this one is opened while the program runs',
  },
  {
    found:
      /^src\/features\/books\/ranges\.ts (keys_of_)?invariant_\w+: \$\d is integer, and string/,
    reason: 'keys of every type travel as text, and were read from the same column',
  },
]

/** From so many values on numbers are not readable. */
const numberedMax = 6

const server = fileURLToPath(new URL('..', import.meta.url))
const planted = 'test/statements/planted-statements.ts'
const sources = readdirSync(join(server, 'src'), { recursive: true, encoding: 'utf8' })
  .map((path) => join('src', path))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))

async function findings(): Promise<Findings> {
  const files = [...sources, planted].map((path) => join(server, path))
  // Modules make their statements when they are loaded.
  for (const file of files) {
    if (/\bstatement\(|Query</.test(readFileSync(file, 'utf8'))) await import(file)
  }
  const statements = [...recorded]
  const { url, drop } = await postgresTestDatabase()
  const describer = await Describer.open(url)
  try {
    return await checkStatements(server, files, statements, describer)
  } finally {
    await describer.close()
    await drop()
  }
}

const isPlanted = (found: string) => found.includes('planted')
const isExcused = (found: string) => excused.some((excuse) => excuse.found.test(found))

describe.skipIf(!hasPostgres)('statements', () => {
  let found: Findings
  beforeAll(async () => {
    found = await findings()
  }, 240_000)

  it('answer the rows and take the values that the program says', () => {
    expect(found.checked).toBeGreaterThan(400)
    const faults = found.faults.filter((fault) => !isPlanted(fault))
    expect(faults.filter((fault) => !isExcused(fault))).toEqual([])
    expect(excused.filter((excuse) => !faults.some((fault) => excuse.found.test(fault)))).toEqual(
      [],
    )
  })

  it('are known before the program runs', () => {
    const files = found.unknown.map((where) => where.replace(/:\d+$/, ''))
    const unknown = [...new Set(files)].filter((file) => !isPlanted(file))
    expect(unknown.toSorted()).toEqual(Object.keys(madeWhileRunning).toSorted())
  })

  it('are run somewhere', () => {
    // Those of tests are never run by the program.
    const ofProgram = found.neverRun.filter((name) => !name.startsWith('test_'))
    expect(ofProgram.filter((name) => !isPlanted(name))).toEqual([])
  })

  it('have each a name of its own, under which a connection prepares one text', () => {
    expect(found.namedTwice).toEqual([])
  })

  it(`have names for their values where there are more than ${numberedMax}`, () => {
    const numbered = recorded.filter(
      ({ text, parameters = [] }) =>
        parameters.length === 0 && text.includes(`$${numberedMax + 1}`),
    )
    expect(numbered.map(({ name }) => name)).toEqual([])
  })

  it('with planted faults are found, and sound ones are not', () => {
    const faults = found.faults
      .filter(isPlanted)
      .map((fault) => fault.replace(/^\S+ planted_/, ''))
      .toSorted()
    expect(faults).toEqual(
      [
        'misspelt: no column usrename is answered',
        'misspelt: the column username is not declared',
        'missing: no column username is answered',
        'superfluous: the column username is not declared',
        'wrong_type: the column id is integer, and declared as string',
        'wrong_type: the column at is timestamp with time zone, and declared as string',
        'big_number: the column sum is numeric, and declared as number',
        'nullable: the column email may be null',
        'too_many: 2 values are given, and 1 are taken',
        'wrong_value: $1 is text, and Date is given',
        'named: there is no :roll in the statement',
        'named: :role is not given',
        'broken: column "nothing" does not exist',
        'one: the column id is integer, and declared as Date',
        'inferred: the column id is text, and declared as number',
        'handed_on: the column id is integer, and declared as string',
        'spread: 3 values are given, and 2 are taken',
        'query_row: the column id is integer, and declared as string',
        'query_values: $1 is text, and Date is given',
        'query_count: 2 values are given, and 1 are taken',
        'query_named: there is no :roll in the statement',
        'query_named: :role is not given',
      ].toSorted(),
    )
    expect(found.unknown.filter(isPlanted)).toHaveLength(1)
    expect(found.neverRun.filter(isPlanted)).toEqual(['planted_never_run'])
  })
})
