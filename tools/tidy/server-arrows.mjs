// The arrows of the contract, the server and the sandbox.

import { never, tests, value } from './arrow-words.mjs'

const wayIn = '[^/]*routes\\.ts$'
const tables = '[^/]*tables\\.ts$'
const views = '[^/]*views\\.ts$'
const sqlTexts = '^server/src/(features/[^/]+|shared)/[^/]*-sql\\.ts$'
const feature = '^server/src/features/([^/]+)/'
const own = '^server/src/features/$1/'
const guards = '^server/src/features/account/(guards|session-cache)\\.ts$'

const fair = '^fair/src/'
const contract = '^contract/src/'
const rules = '^server/src/rules/'
const shared = '^server/src/shared/'
const adapters = '^server/src/adapters/'
const database = '^server/src/adapters/db/'
const chance = '^server/src/adapters/random/'
const http = '^server/src/adapters/http/'
const sharedValues =
  '^contract/src/(limits|error-codes|command-line|csv|names|notification-kinds|shipment-states|delivery-rules)\\.ts$'

export const contractArrows = [
  never(
    'fair-imports-hashes-alone',
    'Server, browser and offline tools draw and check with this code, so it imports only hashes.',
    { path: fair, pathNot: tests },
    { pathNot: [fair, '(^|/)node_modules/@noble/'] },
  ),
  never(
    'contract-imports-zod-alone',
    'Both sides load the contract, so it may load nothing else.',
    { path: '^contract/src/', pathNot: tests },
    { pathNot: ['^contract/src/', '(^|/)node_modules/zod/'] },
  ),
  never(
    'contract-not-through-its-own-door',
    'A module that imports the door depends on all of the contract.',
    { path: '^contract/src/', pathNot: tests },
    { path: '^contract/src/index\\.ts$' },
  ),
]

export const serverArrows = [
  never(
    'rules-are-pure',
    'Code that decides about value uses no clock, chance, SQL, HTTP or package.',
    { path: rules, pathNot: tests },
    { pathNot: [rules, shared, sharedValues, fair] },
  ),
  never(
    'shared-stands-below',
    'Everything uses shared code, so it may use neither decisions nor features.',
    { path: shared, pathNot: tests },
    { pathNot: [shared, sharedValues] },
  ),
  never(
    'features-meet-at-tables',
    "A feature's tables are its only door for other features.",
    { path: feature, pathNot: tests },
    {
      path: '^server/src/features/',
      pathNot: [own, `^server/src/features/[^/]+/${tables}`, sqlTexts],
    },
  ),
  never(
    'tables-speak-sql',
    'Tables use the database, and only types of the layers above.',
    { path: `${feature}${tables}` },
    { pathNot: [database, chance, rules, fair, shared, sqlTexts, contract, `${own}${tables}`] },
  ),
  never(
    'tables-take-types-of-the-contract',
    'Rows have the fields of requests and answers; tables need nothing else of the contract.',
    { path: `${feature}${tables}` },
    { path: contract, pathNot: sharedValues, ...value },
  ),
  never(
    'sql-texts-are-texts',
    'Statements of several features share only pieces of SQL text, which run nothing.',
    { path: sqlTexts },
    { pathNot: [sharedValues, sqlTexts] },
  ),
  never(
    'value-is-written-by-the-ledger',
    'Only the ledger moves RedCoin, packs and stock; the statement of an opening uses its texts.',
    {
      path: '^(server|tools)/',
      pathNot: [
        `^server/src/features/ledger/${tables}`,
        '^server/src/features/packs/opening-tables\\.ts$',
      ],
    },
    { path: '^server/src/features/ledger/value-sql\\.ts$' },
  ),
  never(
    'tables-take-types-of-rules',
    'Code that writes rows does not decide.',
    { path: `${feature}${tables}` },
    { path: rules, ...value },
  ),
  never(
    'views-read-for-the-wire',
    'A view reads any table for a screen, and neither writes nor calls code that writes.',
    { path: `${feature}${views}` },
    {
      pathNot: [database, chance, rules, fair, shared, sqlTexts, contract, `${own}${views}`],
    },
  ),
  never(
    'use-cases-register-and-write',
    'A use-case registers its calls and uses rules and tables; views and Fastify are for routes.',
    { path: feature, pathNot: [tests, guards, `/${wayIn}`, `/${tables}`, `/${views}`] },
    {
      pathNot: [
        rules,
        fair,
        shared,
        adapters,
        contract,
        `${own}(?!${wayIn}|${views}|guards\\.ts$)`,
        // The arrow features-meet-at-tables covers other features.
        '^server/src/features/(?!$1/)',
        '^(node:)?(crypto|timers/promises)$',
        // A map with a size limit.
        '(^|/)node_modules/lru-cache/',
      ],
    },
  ),
  never(
    'use-cases-take-types-of-adapters',
    'A use-case gets adapters as dependencies; only database, chance and HTTP may be imported.',
    { path: feature, pathNot: [tests, guards, `/${wayIn}`, `/${tables}`, `/${views}`] },
    { path: adapters, pathNot: [database, chance, http], ...value },
  ),
  never(
    'keys-are-claimed-by-commands',
    'Idempotency keys are claimed in one place; a feature that claims one duplicates the pipeline.',
    { path: feature, pathNot: tests },
    { path: `${database}idempotent\\.ts$`, ...value },
  ),
  never(
    'ways-in-call-their-own',
    'Routes call their own use-cases and views, and contain no rule and no SQL.',
    { path: `${feature}${wayIn}` },
    {
      pathNot: [
        '^contract/src/',
        adapters,
        rules,
        fair,
        shared,
        `${own}(?!${tables})`,
        '(^|/)node_modules/fastify/',
      ],
    },
  ),
  never(
    'ways-in-take-types-of-the-rest',
    'Routes need only the types of rules, adapters and the server library.',
    { path: `${feature}${wayIn}` },
    {
      path: [adapters, rules, shared, '(^|/)node_modules/fastify/'],
      pathNot: [http, '^server/src/shared/(domain-error|number-text)\\.ts$'],
      ...value,
    },
  ),
  never(
    'adapters-know-no-feature',
    'An adapter translates the outside and knows nothing of its use.',
    { path: adapters, pathNot: tests },
    { path: '^server/src/', pathNot: [adapters, rules, shared, '^server/src/config/'] },
  ),
  never(
    'adapters-know-no-wire-but-http',
    'Only the HTTP adapter speaks the contract.',
    { path: adapters, pathNot: [tests, http] },
    { path: '^contract/src/', pathNot: sharedValues },
  ),
  never(
    'features-open-to-the-application',
    'Only the application imports features; code that starts and serves the product does not.',
    {
      path: '^server/src/',
      pathNot: [
        tests,
        '^server/src/features/',
        adapters,
        '^server/src/(demo/|cli/|(app|jobs)\\.ts$)',
      ],
    },
    { path: '^server/src/features/', ...value },
  ),
  never(
    'application-registers',
    'The application registers calls; the code that reads and writes behind them is private.',
    { path: '^server/src/app\\.ts$' },
    // The command pipeline gets the one writer of the audit log.
    {
      path: [`${feature}${tables}`, `${feature}${views}`, sqlTexts],
      pathNot: '^server/src/features/audit/tables\\.ts$',
      ...value,
    },
  ),
  never(
    'application-is-an-end',
    'The application is assembled once, and only the process that serves it imports it.',
    {
      path: '^(server|tools|bench)/',
      pathNot: [tests, '^server/src/process/serve\\.ts$', '^bench/'],
    },
    { path: '^server/src/(app|main)\\.ts$' },
  ),
  never(
    'sandbox-is-mounted-in-one-place',
    'A product without stand-ins must not contain their code.',
    { path: '^server/', pathNot: [tests, '^server/src/process/sandbox-mount\\.ts$'] },
    { path: '^sandbox/' },
  ),
  never(
    'sandbox-stands-alone',
    'Stand-ins that share code with the product would share its mistakes.',
    { path: '^sandbox/src/', pathNot: tests },
    { path: '^(server|web|contract)/' },
  ),
  never(
    'server-never-web',
    'Server and browser meet at the contract.',
    { path: '^(server|sandbox|contract)/' },
    { path: '^web/' },
  ),
]
