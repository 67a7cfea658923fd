// The account of requirements is only worth something when it cannot be fooled.

import { describe, expect, it } from 'vitest'
import { accountLines, takeAccount } from './account.ts'
import { failuresOf, readOptions, runAcceptance } from './command.ts'
import { readExcuses, readRequirements } from './requirement-rows.ts'
import { scanTitles } from './test-titles.ts'

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

const ids = (source: string, file = 'a.test.ts') =>
  scanTitles(file, source).claims.map(({ id }) => id)

describe('scanTitles', () => {
  it('reads one ID, a list of IDs and several brackets', () => {
    expect(ids(`it('does this [P-001]', () => {})`)).toEqual(['P-001'])
    expect(ids(`test("that [P-001, A-002]", () => {})`)).toEqual(['P-001', 'A-002'])
    expect(ids('it(`more [P-001] [D-003] $' + '{x} [P-009]`, () => {})')).toEqual([
      'P-001',
      'D-003',
      'P-009',
    ])
  })

  it('says where a title stands', () => {
    expect(scanTitles('a.test.ts', `\n\nit('x [P-001]', f)`).claims[0]?.where).toBe('a.test.ts:3')
  })

  it('reads the rows of a table, also when it stands in a constant', () => {
    expect(ids(`it.each([['[P-001]', 1]])('%s', f)`)).toEqual(['P-001'])
    expect(ids(`const rows = [{ title: 'x [D-001]' }]; it.each(rows)('$title', f)`)).toEqual([
      'D-001',
    ])
    expect(ids(`it.each([[1]])('refuses %s [P-002]', f)`)).toEqual(['P-002'])
  })

  it('reads titles inside groups and of conditional tests, and components', () => {
    expect(ids(`describe('group', () => { it('x [P-001]', f) })`)).toEqual(['P-001'])
    expect(ids(`describe.skipIf(no)('g', () => { it.runIf(yes)('x [P-001]', f) })`)).toEqual([
      'P-001',
    ])
    expect(ids(`it('x [P-001]', () => render(<App />))`, 'a.test.tsx')).toEqual(['P-001'])
  })

  it('counts no comment, no other text, no group title and no test that never runs', () => {
    expect(ids(`// it('x [P-001]')\nconst text = '[P-002]'; it('y', () => '[P-003]')`)).toEqual([])
    expect(ids(`describe('group [P-001]', () => { it('x', f) })`)).toEqual([])
    expect(
      ids(`it.skip('x [P-001]', f); it.todo('y [P-002]'); test.fixme('z [P-003]', f)`),
    ).toEqual([])
    expect(ids(`describe.skip('g', () => { it('x [P-001]', f) })`)).toEqual([])
    expect(ids(`test.describe.skip('g', () => { test('x [P-001]', f) })`)).toEqual([])
  })

  it('refuses ranges and other lists that can be misread', () => {
    for (const text of ['P-001..P-004', 'P-001-P-004', 'P-001,P-002', 'P-1', 'P-001 to P-003']) {
      const scan = scanTitles('a.test.ts', `it('x [${text}]', f)`)
      expect(scan.malformed).toEqual([`a.test.ts:1 [${text}] is no list of IDs`])
      expect(scan.claims).toEqual([])
    }
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
    expect(() => readRequirements(`${list}| P-001 | Again. |`)).toThrow('P-001 stands twice')
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

const claim = (id: string) => ({ id, where: 'a.test.ts:1' })
const excuse = (id: string) => ({ id, reason: 'r', checkedHow: 'c' })

describe('takeAccount', () => {
  const rows = readRequirements(list)

  it('counts proven, excused and missing rows per part', () => {
    const { parts, mistakes } = takeAccount(
      rows,
      [excuse('P-002')],
      [claim('P-001'), claim('P-001'), claim('D-002')],
    )
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
    const { mistakes } = takeAccount(
      rows,
      [excuse('P-001'), excuse('P-900')],
      [claim('P-001'), claim('P-901')],
    )
    expect(mistakes).toEqual([
      'a.test.ts:1 names P-901, which is no row of the list',
      'P-900 is excused, but is no row of the list',
      'P-001 is excused, but a.test.ts:1 proves it',
    ])
  })
})

describe('the command', () => {
  const { parts } = takeAccount(readRequirements(list), [], [claim('P-003')])

  it('fails for required parts that are not complete, and for parts that do not exist', () => {
    expect(failuresOf(readOptions(['--require', 'P2']), parts, [])).toEqual([])
    expect(failuresOf(readOptions([]), parts, [])).toEqual([])
    expect(failuresOf(readOptions(['--require', 'P1, P2,P9', '--part', 'X']), parts, [])).toEqual([
      'There is no part X',
      'There is no part P9',
      'Part P1 is required and not complete',
    ])
    expect(failuresOf(readOptions([]), parts, ['a mistake'])).toEqual(['a mistake'])
  })

  it('accounts for every row of this repository', async () => {
    const lines: string[] = []
    expect(await runAcceptance([], (line) => lines.push(line))).toBe(0)
    const counts = lines.at(-1)?.match(/\d+/g)?.map(Number) ?? []
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1119)
  })
})
