// Each kind of lie that a log can tell, for all who replay one.

import { tableHash, tableText } from './draw.ts'
import type { Entry, LogEntry, LoggedResult } from './entries.ts'
import { portableHashing } from './hashing.ts'
import { commitmentAt, offered, offeredHash, SampleLog, seedHex } from './sample-log.fixture.ts'

export const honestLog = () => new SampleLog().open(1, 20).open(2, 10).open(1, 30).end(1).open(2, 5)

type Writable<T> = { -readonly [K in keyof T]: T[K] }
type Change = (log: SampleLog) => unknown

const opening = (log: SampleLog, at: number) =>
  log.entries.filter(({ type }) => type === 'opening')[at] as Writable<Entry<'opening'>>
const placeOf = (log: SampleLog, type: LogEntry['type']) =>
  log.entries.findIndex((entry) => entry.type === type)

const adds =
  (...entries: LogEntry[]): Change =>
  (log) =>
    log.entries.push(...entries)
const addsBefore =
  (type: LogEntry['type'], entry: LogEntry): Change =>
  (log) =>
    log.entries.splice(placeOf(log, type), 0, entry)
const leavesOut =
  (type: LogEntry['type']): Change =>
  (log) =>
    log.entries.splice(placeOf(log, type), 1)
const repeats =
  (type: LogEntry['type']): Change =>
  (log) => {
    const entry = log.entries[placeOf(log, type)]
    if (entry) log.entries.push(entry)
  }
const withResults =
  (change: (result: LoggedResult) => LoggedResult): Change =>
  (log) => {
    for (const entry of log.entries) {
      if (entry.type === 'opening') Object.assign(entry, { results: entry.results.map(change) })
    }
  }
const stock = (prizeId: number, delta: number, after: number | null): LogEntry => ({
  ...{ type: 'stock', prizeId, delta, after },
})
const hashOf = (table: typeof offered) => tableHash(tableText(table), portableHashing)

const long = { ...offered, packTypeId: 3 }
const longText = tableText(long)
const part = (number: number, parts = 3, hash = hashOf(long)): LogEntry => ({
  ...{ type: 'table', tableHash: hash, part: number, parts },
  text: longText.slice((number - 1) * 99, number === 3 ? undefined : number * 99),
})
/** A table that is too long for one entry. */
export const parts = [part(1), part(2), part(3)]

/** What is wrong, how it is told in an honest log, and what a replay says of it. */
export const lies: readonly (readonly [what: string, tell: Change, words: RegExp])[] = [
  ['another seed', (log) => (opening(log, 0).serverSeed = seedHex(9, 9)), /another seed/],
  [
    'another seed with its commitment',
    (log) => {
      opening(log, 0).serverSeed = seedHex(9, 9)
      const chain = log.entries[placeOf(log, 'chain')] as Writable<Entry<'chain'>>
      chain.commitment = commitmentAt(9, 9)
    },
    /not what its seed/,
  ],
  ['other entropy', (log) => (opening(log, 0).entropy = 'ab'.repeat(32)), /not what its seed/],
  ['other results', (log) => (opening(log, 0).results = opening(log, 2).results), /not what/],
  ['another payment', withResults(([p, s, left, pay]) => [p, s, left, pay + 1]), /another amount/],
  [
    'a table that was ground afterwards, with all hashes made to fit',
    (log) => {
      const [first, ...others] = offered.entries
      const table = { ...offered, entries: first ? [{ ...first, name: 'x' }, ...others] : [] }
      log.entries[placeOf(log, 'table')] = { type: 'table', tableHash: hashOf(table), table }
      for (const at of [0, 1, 2, 3]) opening(log, at).tableHash = hashOf(table)
    },
    /not what its seed/,
  ],
  ['a request left out', leavesOut('opening'), /comes next|another seed|has to follow/],
  ['a skipped index', (log) => (opening(log, 3).index = 2), /where 1 comes next/],
  ['a repeated index', repeats('opening'), /where 2 comes next|not open/],
  ['no chain', leavesOut('chain'), /not open/],
  [
    'a chain twice',
    adds({ type: 'chain', chainId: 2, commitment: commitmentAt(8, 0) }),
    /second time/,
  ],
  [
    'a chain again after its end',
    adds({ type: 'chain', chainId: 1, commitment: commitmentAt(8, 0) }),
    /second time/,
  ],
  [
    'a commitment of another chain',
    adds({ type: 'chain', chainId: 7, commitment: commitmentAt(2, 0) }),
    /committed to before/,
  ],
  [
    'a seed used twice',
    (log) => (opening(log, 1).next = commitmentAt(1, 1)),
    /committed to before|another seed/,
  ],
  ['a draw after the end', (log) => log.end(2).open(2, 1), /not open/],
  [
    'an end at another place',
    adds({ type: 'end', chainId: 2, index: 1, serverSeed: seedHex(2, 1) }),
    /does not stand/,
  ],
  ['an end with another seed', (log) => log.end(2, seedHex(9, 9)), /ends chain 2 with another/],
  ['no table', leavesOut('table'), /not in the log before/],
  ['a table twice', repeats('table'), /second time/],
  [
    'a table under another hash',
    adds({ type: 'table', tableHash: '0'.repeat(64), table: offered }),
    /hash does not name/,
  ],
  [
    'the table of another pack type',
    (log) => {
      const table = { ...offered, packTypeId: 2 }
      log.entries.push({ type: 'table', tableHash: hashOf(table), table })
      log.open(2, 1)
      opening(log, 4).tableHash = hashOf(table)
    },
    /another pack type/,
  ],
  ['a stock that does not follow', adds(stock(2, 1, 9)), /changes the stock/],
  ['a first stock that is not its change', adds(stock(3, 1, 4)), /prize 3 from 0 by 1 to 4/],
  ['an end of a limit that takes another number', adds(stock(2, -1, null)), /from 0 by -1/],
  [
    'sold out while one is left',
    withResults((one) => (one[0] === 2 && one[2] === 0 ? [null, 2, 0, 5] : one)),
    /of which 1 were there/,
  ],
  [
    'a win of what is sold out',
    withResults((one) => (one[1] === 2 ? [2, null, 0, 7] : one)),
    /of which 0 were there/,
  ],
  [
    'a win that does not tell what is left',
    withResults((one) => (one[0] === 2 ? [2, null, null, 7] : one)),
    /does not say what was left/,
  ],
  [
    'a stock of what has none',
    withResults((one) => (one[0] === 1 ? [1, null, 3, 9] : one)),
    /does not say what was left/,
  ],
  [
    'sold out what has no limit',
    withResults((one) => (one[0] === 1 ? [null, 1, null, 5] : one)),
    /not what its seed/,
  ],
  ['a stock that nobody told', leavesOut('stock'), /nobody was told/],
  [
    'a limited prize whose stock has no limit',
    addsBefore('chain', stock(2, -3, null)),
    /nobody was told how many/,
  ],
  [
    'an end in the place of the first opening of a chain',
    addsBefore('opening', { type: 'end', chainId: 1, index: 0, serverSeed: null }),
    /first opening of chain 1 has to follow/,
  ],
  [
    'an opening of another chain in the place of the first',
    (log) => {
      log.entries.push({ type: 'chain', chainId: 9, commitment: commitmentAt(9, 0) })
      log.open(2, 1)
    },
    /first opening of chain 9 has to follow/,
  ],
  [
    'another entry between parts of a table',
    adds(part(1), stock(1, 0, null), part(2), part(3)),
    /part 2 .* has to follow/,
  ],
  ['a part of a table left out', adds(part(1), part(3)), /part 2 .* has to follow/],
  ['a part of a table twice', adds(part(1), part(1), part(2)), /part 2 .* has to follow/],
  [
    'parts that give no table',
    adds(
      ...['{', '}'].map((text, at): LogEntry => {
        const hash = tableHash('{}', portableHashing)
        return { type: 'table', tableHash: hash, part: at + 1, parts: 2, text }
      }),
    ),
    /ends an odds table that is none/,
  ],
  ['no first part of a table', adds(part(2), part(3)), /out of its order/],
  ['another number of parts', adds(part(1), part(2, 4)), /part 2 .* has to follow/],
  ['another table between parts', adds(part(1), part(2, 3, offeredHash)), /has to follow/],
]
