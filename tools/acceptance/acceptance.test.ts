// The account of requirements is only useful if it cannot be fooled.

import { describe, expect, it } from 'vitest'
import { accountLines, takeAccount } from './account.ts'
import { failuresOf, readShownParts, runAcceptance } from './command.ts'
import { readExcuses, readProofs, readRequirements } from './papers.ts'
import { scanTests } from './test-titles.ts'

const list = `# List
| ID | Requirement |
|---|---|
## P1. First
| P-001 | One \\| two. | API |
| P-002 | Three. | API |
## P2. Second
| P-003 | Four. | UI |
## D. Table users
| D-001 | users.id | data |
## D. Table packs
| D-002 | packs.id | data |
`

const titles = (source: string, file = 'a.test.ts') =>
  scanTests(file, source).map(({ title }) => title)
const running = (source: string) => scanTests('a.test.ts', source).filter(({ runs }) => runs)

describe('scanTests', () => {
  it('reads titles with the groups around them', () => {
    expect(
      titles(`it('a', f)\ndescribe('b', () => { describe('c', () => { it('d', f) }) })`),
    ).toEqual(['a', 'b > c > d'])
    expect(titles(`test.describe('e', () => { test('f', async ({ page }) => {}) })`)).toEqual([
      'e > f',
    ])
    expect(titles(`it('g', () => render(<App />))`, 'a.test.tsx')).toEqual(['g'])
  })

  it('says in which line a test begins', () => {
    expect(scanTests('a.test.ts', `\n\nit('x', f)`)[0]?.line).toBe(3)
  })

  it('leaves what is only known later as it is written', () => {
    expect(titles('for (const n of ns) it(`says $' + '{n} to $' + '{who(n)}`, f)')).toEqual([
      'says $' + '{n} to $' + '{who(n)}',
    ])
    expect(titles('it(name, f)')).toEqual(['$' + '{name}'])
    expect(titles(`it.each([[1]])('refuses %s', f)`)).toEqual(['refuses %s'])
    expect(titles("it('over\\n  two lines', f)")).toEqual(['over two lines'])
  })

  it('reads the texts of a table, also when it stands in a constant', () => {
    const cases = (source: string) => scanTests('a.test.ts', source).map((test) => test.cases)
    expect(cases(`it.each([['a', 1], ['b', 2]])('%s', f)`)).toEqual([['a', 'b']])
    expect(cases(`const rows = [{ name: 'c' }]; it.each(rows)('$name', f)`)).toEqual([['c']])
    expect(cases(`describe.each(['d'])('%s', () => { it.each(['e'])('%s', f) })`)).toEqual([
      ['d', 'e'],
    ])
    expect(cases(`it.skipIf(no('f'))('g', f)`)).toEqual([[]])
  })

  it('knows a test that never runs from one that runs under a condition', () => {
    expect(running(`it.skip('x', f); it.todo('y'); test.fixme('z', f); it.fails('w', f)`)).toEqual(
      [],
    )
    expect(running(`describe.skip('g', () => { it('x', f) })`)).toEqual([])
    expect(running(`test.describe.skip('g', () => { test('x', f) })`)).toEqual([])
    expect(running(`describe.skipIf(no)('g', () => { it.runIf(yes)('x', f) })`)).toHaveLength(1)
  })

  it('takes no comment, no other text and no other call for a test', () => {
    expect(titles(`// it('x', f)\nconst text = "it('y', f)"; pattern.test('z', f)`)).toEqual([])
    expect(
      titles(`test.beforeEach('x', f); test.step('y', f); test(body); it.each(['z'])`),
    ).toEqual([])
  })
})

describe('readRequirements', () => {
  it('reads every row with its part, the tables of the data model as one', () => {
    expect(readRequirements(list)).toEqual([
      { id: 'P-001', part: 'P1', text: 'One \\| two.' },
      { id: 'P-002', part: 'P1', text: 'Three.' },
      { id: 'P-003', part: 'P2', text: 'Four.' },
      { id: 'D-001', part: 'D', text: 'users.id' },
      { id: 'D-002', part: 'D', text: 'packs.id' },
    ])
  })

  it('refuses a row that stands twice or in no part', () => {
    expect(() => readRequirements(`${list}| P-001 | Again. |`)).toThrow('P-001 appears twice')
    expect(() => readRequirements('| P-001 | Lost. |')).toThrow('belongs to no part')
  })
})

describe('readExcuses', () => {
  it('needs a reason and a check, once per row', () => {
    expect(readExcuses('| P-001 | paper | read it |')).toEqual([
      { id: 'P-001', reason: 'paper', checkedHow: 'read it' },
    ])
    expect(() => readExcuses('| P-001 |  | read it |')).toThrow('without a reason')
    expect(() => readExcuses('| P-001 | paper |')).toThrow('without a reason')
    expect(() => readExcuses('| P-001 | a | b |\n| P-001 | a | b |')).toThrow('twice')
  })
})

describe('readProofs', () => {
  it('reads row, file, title and case of each line', () => {
    const text = '## P1. First\n| ID | Test file |\n| P-001 | a.test.ts | b \\| c |\n'
    expect(readProofs(`${text}| P-002 | a.test.ts | %s | d |`)).toEqual([
      { id: 'P-001', file: 'a.test.ts', title: 'b | c', case: undefined, part: 'P1', line: 3 },
      { id: 'P-002', file: 'a.test.ts', title: '%s', case: 'd', part: 'P1', line: 4 },
    ])
  })

  it('refuses a line that lacks something or has too much', () => {
    for (const line of ['| P-001 | a.test.ts |', '| P-001 |  | b |', '| P-001 | a | b | c | d |']) {
      expect(() => readProofs(line)).toThrow('docs/requirements-tests.md:1 is not | ID |')
    }
  })
})

/** The account of the list, with an index of these lines and these sources. */
function account(index: string, sources: Readonly<Record<string, string>>, excuses = '') {
  return takeAccount({
    requirements: readRequirements(list),
    excuses: readExcuses(excuses),
    proofs: readProofs(index),
    tests: Object.entries(sources).flatMap(([file, source]) => scanTests(file, source)),
  })
}

const line = (id: string, title = 'x', more = '') => `| ${id} | a.test.ts | ${title} |${more}\n`
const first = '## P1.  \n'
const sources = { 'a.test.ts': `it('x', f); it.each([['one'], ['two']])('%s', f)` }

describe('takeAccount', () => {
  it('counts proven, excused and missing rows per part', () => {
    const index = `${first}${line('P-001')}${line('P-001', '%s', ' two |')}## D. All\n${line('D-002')}`
    const { parts, mistakes } = account(index, sources, '| P-002 | r | c |')
    expect(mistakes).toEqual([])
    expect(accountLines(parts)).toEqual([
      'P1: 1 proven, 1 excused, 0 missing',
      'P2: 0 proven, 0 excused, 1 missing',
      '  P-003 Four.',
      'D: 1 proven, 0 excused, 1 missing',
      '  D-001 users.id',
      'All: 2 proven, 1 excused, 2 missing',
    ])
  })

  it('refuses IDs that are no rows, and rows both proven and excused', () => {
    const excuses = '| P-001 | r | c |\n| P-900 | r | c |'
    expect(account(`${first}${line('P-001')}${line('P-901')}`, sources, excuses).mistakes).toEqual([
      'P-900 is excused, but is no row of the list',
      'P-001 is excused, but docs/requirements-tests.md:2 names its test',
      'docs/requirements-tests.md:3 names P-901, which is no row of the list',
    ])
  })

  it('keeps the index sorted, each line once and below its heading', () => {
    const { mistakes } = account(
      `${first}${line('P-002')}${line('P-001')}${line('P-002')}${line('P-003')}`,
      sources,
    )
    expect(mistakes).toEqual([
      'docs/requirements-tests.md:3 P-001 belongs further up: sort by ID',
      'docs/requirements-tests.md:4 appears twice: remove one',
      'docs/requirements-tests.md:5 P-003 belongs under the heading P2',
    ])
  })

  it('says what to write when a test is gone, has another title or another place', () => {
    const gone = 'docs/requirements-tests.md:2 P-001: a.test.ts has no test "x"'
    const remedy = "Put the test's current file and title into this line, or name"
    for (const source of ['', `it('y', f)`, `describe('g', () => { it('x', f) })`]) {
      const { mistakes } = account(`${first}${line('P-001')}`, { 'a.test.ts': source })
      expect(mistakes).toEqual([`${gone}. ${remedy} another test that proves the row`])
    }
    const moved = account(`${first}${line('P-001')}`, { 'b.test.ts': `it('x', f)` })
    expect(moved.mistakes).toEqual([
      `${gone} (b.test.ts has one). ${remedy} another test that proves the row`,
    ])
  })

  it('refuses a title that stands twice, a test that is off, and a case that is not there', () => {
    const index = `${first}${line('P-001')}`
    expect(account(index, { 'a.test.ts': `it('x', f)\nit('x', g)` }).mistakes).toEqual([
      'docs/requirements-tests.md:2 P-001: a.test.ts has more than one test "x" (lines 1, 2): ' +
        'rename them',
    ])
    expect(account(index, { 'a.test.ts': `it.skip('x', f)` }).mistakes).toEqual([
      'docs/requirements-tests.md:2 P-001: "x" in a.test.ts is switched off and proves nothing',
    ])
    expect(account(`${first}${line('P-001', '%s', ' three |')}`, sources).mistakes).toEqual([
      'docs/requirements-tests.md:2 P-001: the table of "%s" in a.test.ts has no text "three". ' +
        'Put a text of the row that proves it into the last column',
    ])
  })
})

describe('the command', () => {
  const { parts } = account(
    `## P2. \n${line('P-003')}## D. \n${line('D-001')}${line('D-002')}`,
    sources,
  )

  it('fails for rows without a test, mistakes, and parts that do not exist', () => {
    expect(readShownParts(['--part', 'P2, X'])).toEqual(['P2', 'X'])
    expect(readShownParts([])).toEqual([])
    expect(failuresOf(['P2', 'X'], parts, ['a mistake'])).toEqual([
      'a mistake',
      'There is no part X',
      ...['P-001', 'P-002'].map(
        (id) =>
          `${id} is proven by no test: write a line for it into docs/requirements-tests.md, or ` +
          'the reason why no test can prove it into docs/acceptance-exceptions.md',
      ),
    ])
    expect(failuresOf([], parts.slice(1), [])).toEqual([])
  })

  it('accounts for every row of this repository', async () => {
    const lines: string[] = []
    const code = await runAcceptance([], (printed) => lines.push(printed))
    expect(lines.filter((printed) => printed.startsWith('FAIL'))).toEqual([])
    expect(code).toBe(0)
    const counts = lines.at(-1)?.match(/\d+/g)?.map(Number) ?? []
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1119)
  })
})
