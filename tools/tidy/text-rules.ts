// What the text of a file must not contain, and how long it may be.

import { unmarkedNarrowing } from './migration-change.ts'

export interface TextRule {
  readonly name: string
  readonly appliesTo: (path: string) => boolean
  /** What is wrong with the file, one entry per place; empty when nothing is. */
  readonly faults: (path: string, text: string) => string[]
}

const code = /\.(ts|tsx|mjs)$/
const written = /\.(ts|tsx|mjs|css|sql)$/
const generated = /^(docs\/(openapi\.json|database\.md)|package-lock\.json)$/
const binary = /\.(png|webp|jpe?g|gif|ico|woff2?|tar|gz)$/
/** The checks hold the very words they look for, as samples. */
const checks = /^tools\/(tidy\/|tidy\.test\.ts$|acceptance\/)/

/** What tests chance itself, or needs names that no other run on the machine has. */
const withRealChance = anyOf(
  /^e2e\//,
  /^server\/test\/(seeded-random|test-database|faults\/.*)\.ts$/,
  /^server\/src\/adapters\/(random|data-folder|events)\//,
)

/** Where time-outs and waits of real programs are what is looked at. */
const withRealTime = anyOf(
  // Real browsers, and real programs that are started, killed, cut off or overloaded.
  /^e2e\//,
  /^server\/test\/faults\//,
  /^server\/test\/(crash|start)\.test\.ts$/,
  // A real PostgreSQL that stops answering or holds a lock, and the builds that tests wait for.
  /^server\/(test\/faults|src\/adapters\/db\/postgres)\.test\.ts$/,
  /^server\/test\/product-process\.ts$/,
)

function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'))
}

const isTest = (path: string) =>
  /\.(test|fixture|spec)\.tsx?$|^(server|web)\/test\/|^e2e\//.test(path)
const isText = (path: string) => !generated.test(path) && !binary.test(path)
const isProduct = (path: string) =>
  /^(contract|fair|server|sandbox|web)\/src\//.test(path) && code.test(path) && !isTest(path)
const isServerProduct = (path: string) => isProduct(path) && !path.startsWith('web/')

/** A rule that forbids a pattern; every line that matches is a fault. */
function forbid(name: string, appliesTo: TextRule['appliesTo'], pattern: RegExp): TextRule {
  return {
    name,
    appliesTo,
    faults: (_path, text) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          pattern.test(line) ? [`line ${index + 1}: ${line.trim()}`] : [],
        ),
  }
}

const linesMax = 500
const columnsMax = 100
const bannedStems = /(^|-)(utils?|helpers?|misc|common|manager)$|^data$/

/** Columns of a line. Sentences and addresses in code cannot be broken; code and comments can. */
function widthOf(line: string): number {
  const isComment = /^\s*(\/\/|\/?\*|--)/.test(line)
  const shown = isComment ? line.replace(/\w+:\/\/\S+/g, '') : line.replace(quoted, '')
  return shown.length
}
const quoted = /'(\\.|[^'\\])*'|"(\\.|[^"\\])*"|`(\\.|[^`\\])*`/g

const fileRules: readonly TextRule[] = [
  {
    name: 'file-length',
    appliesTo: (path) => written.test(path) && !path.endsWith('.sql'),
    faults(_path, text) {
      const lines = text.split('\n').length - 1
      return lines > linesMax ? [`${lines} lines, at most ${linesMax}`] : []
    },
  },
  {
    name: 'line-length',
    // A migration that has run somewhere may not change, not even in its comments.
    appliesTo: (path) => written.test(path) && !path.endsWith('.sql'),
    faults: (_path, text) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          widthOf(line) > columnsMax ? [`line ${index + 1}: ${line.length} columns`] : [],
        ),
  },
  {
    name: 'file-name',
    appliesTo: (path) => isText(path),
    faults: (path) =>
      path
        .split('/')
        .map((name) => name.split('.')[0] ?? '')
        .filter((stem) => bannedStems.test(stem))
        .map((stem) => `"${stem}" says nothing about what is inside`),
  },
  {
    name: 'opening-sentence',
    appliesTo: (path) =>
      /^(contract|fair|server|sandbox|web|tools|bench|simulation|e2e)\//.test(path) &&
      written.test(path) &&
      !/\.(test|spec)\.tsx?$|\.d\.ts$/.test(path),
    faults: (_path, text) =>
      /^(\/\/|--|\/\*) [A-Z`]/.test(text) ? [] : ['does not open by saying what it owns'],
  },
  {
    name: 'migration-name',
    appliesTo: (path) => path.startsWith('server/migrations/'),
    faults: (path) =>
      /^server\/migrations\/\d{4}_[a-z0-9_]+\.sql$/.test(path) ? [] : ['is not NNNN_name.sql'],
  },
  {
    name: 'migration-says-when-it-contracts',
    appliesTo: (path) => path.startsWith('server/migrations/'),
    faults: unmarkedNarrowing,
  },
  {
    name: 'value-has-one-writer',
    // A test may spoil the books on purpose, and a benchmark fills its own; a scene may not.
    appliesTo: (path) =>
      (isProduct(path) || /^tools\/.*\.(ts|mjs)$/.test(path) || path === 'server/test/deps.ts') &&
      !checks.test(path) &&
      !path.startsWith('server/src/features/ledger/'),
    faults: (_path, text) => writtenValue(text),
  },
]

const callRules: readonly TextRule[] = [
  forbid(
    'chance-comes-from-deps',
    (path) => isServerProduct(path),
    /Math\.random|\bgetRandomValues\b/,
  ),
  forbid(
    'chance-of-tests-is-seeded',
    (path) => isTest(path) && !checks.test(path) && !withRealChance.test(path),
    /Math\.random\(|\brandom(Bytes|UUID|Int)\(|\bsystemRandom\b/,
  ),
  forbid(
    'time-of-tests-stands-still',
    // Timers that are made up without the date let in the machine's.
    (path) => isTest(path) && !checks.test(path) && !withRealTime.test(path),
    /\b(Date|performance)\.now\(|\bnew Date\(\)|\buseRealTimers\(|toFake: \[(?!.*'Date')/,
  ),
  forbid(
    'time-comes-from-deps',
    (path) => isProduct(path) && /^server\/src\/(features|rules|demo)\//.test(path),
    /\bnew Date\(\)|\bDate\.now\(/,
  ),
  forbid(
    'no-raw-html',
    (path) => path.startsWith('web/') && code.test(path),
    /dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write\(/,
  ),
  forbid(
    'refreshing-has-one-place',
    // What a call changes stands in its endpoint, what a query shows in the query.
    (path) => isProduct(path) && path.startsWith('web/') && path !== 'web/src/app/refresher.ts',
    /\b(invalidate|refetch|reset)Queries\b/,
  ),
  forbid(
    'queries-of-endpoints-name-topics',
    (path) =>
      isProduct(path) && path.startsWith('web/') && path !== 'web/src/lib/endpoint-query.ts',
    /queryKey: \[.*\.path\b/,
  ),
  forbid(
    'no-silenced-types',
    // Planted faults are there to be refused.
    (path) => code.test(path) && !checks.test(path) && path !== 'server/test/planted-types.ts',
    /@ts-(ignore|nocheck|expect-error)/,
  ),
]

const leftoverRules: readonly TextRule[] = [
  forbid(
    'no-leftovers',
    (path) => isText(path) && !checks.test(path),
    /\b(TODO|FIXME|XXX|HACK)\b|^\s*debugger\b/,
  ),
  forbid(
    'no-specification-codes',
    // Migrations that have run may not change, not even in their comments.
    (path) =>
      (written.test(path) || /\.(html|mts|py)$/.test(path)) &&
      !checks.test(path) &&
      !path.startsWith('server/migrations/'),
    /\b[PADQ]-\d{3}\b|\b00[01]: \d/,
  ),
  forbid(
    'every-test-runs',
    (path) => isTest(path) && !checks.test(path),
    /\b(it|test|describe)(\.\w+)*\.(only|skip|todo|fixme)\(|\b(fit|xit|fdescribe|xdescribe)\(/,
  ),
  forbid(
    'no-machine-paths',
    (path) => isText(path) && !checks.test(path),
    /(^|[\s'"`(=:])\/(work|tmp|root|home\/\w+|Users\/\w+|var\/folders|private\/tmp)\//,
  ),
  forbid(
    'no-registry-hosts',
    (path) => (isText(path) || path === 'package-lock.json') && !checks.test(path),
    /"resolved": "\w+:\/\/|^\s*(@\S+:)?registry\s*=/,
  ),
]

export const textRules: readonly TextRule[] = [...fileRules, ...callRules, ...leftoverRules]

/** Every fault of one file, each with the rule it breaks. */
export function faultsOf(path: string, text: string): string[] {
  return textRules
    .filter((rule) => rule.appliesTo(path))
    .flatMap((rule) => rule.faults(path, text).map((fault) => `${path} ${rule.name}: ${fault}`))
}

/** Files that hold no text, or text that a program wrote. */
export function isReadable(path: string): boolean {
  return !binary.test(path)
}

/** History and holdings belong to the ledger as whole tables. */
const tables = ['red_coin_transactions', 'pack_transactions', 'stock_events', 'user_packs']
/** Of these tables only what counts value belongs to it. */
const columns = {
  users: ['red_coin_balance', 'total_red_coin_won'],
  prizes: ['inventory_quantity'],
  store_pack_listings: ['quantity_available'],
} as const

const ofTables = new RegExp(
  `\\b(INSERT\\s+INTO|UPDATE(\\s+ONLY)?|DELETE\\s+FROM|TRUNCATE|MERGE\\s+INTO|COPY)\\s+"?(${tables.join('|')})\\b`,
  'gi',
)
const ofColumns = Object.entries(columns).map(([table, names]) => {
  const name = `(${names.join('|')})`
  return new RegExp(
    `\\bINSERT\\s+INTO\\s+"?${table}"?(\\s+AS\\s+\\w+)?\\s*\\([^)]*\\b${name}\\b` +
      // Up to the end of the assignments; a condition may read what it likes.
      `|\\bUPDATE\\s+(ONLY\\s+)?"?${table}"?(\\s+(AS\\s+)?\\w+)?\\s+SET\\b` +
      `(?:(?!\\b(FROM|WHERE|RETURNING|UPDATE|INSERT)\\b)[^\`;])*?(?<!\\.)\\b${name}\\s*=`,
    'gi',
  )
})

/** Each statement in a text that writes value, with its line. */
export function writtenValue(text: string): string[] {
  return [ofTables, ...ofColumns].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 0: found }) => {
      const line = text.slice(0, index).split('\n').length
      return `line ${line}: ${found.replace(/\s+/g, ' ').slice(0, 80)}`
    }),
  )
}
