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
    'Server, browser and offline tools draw and check by the same code, which brings nothing along.',
    { path: fair, pathNot: tests },
    { pathNot: [fair, '(^|/)node_modules/@noble/'] },
  ),
  never(
    'contract-imports-zod-alone',
    'Both sides carry the contract, so it may bring nothing else along.',
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
    'What decides about value knows no clock, chance, SQL, HTTP or package.',
    { path: rules, pathNot: tests },
    { pathNot: [rules, shared, sharedValues, fair] },
  ),
  never(
    'shared-stands-below',
    'What is neither a decision nor a feature is used by all, so it knows none of them.',
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
    'Tables know the database, and what stands above them by its types alone.',
    { path: `${feature}${tables}` },
    { pathNot: [database, chance, rules, fair, shared, sqlTexts, contract, `${own}${tables}`] },
  ),
  never(
    'tables-take-types-of-the-contract',
    'Rows have the fields of requests and answers. Nothing else of the contract is needed there.',
    { path: `${feature}${tables}` },
    { path: contract, pathNot: sharedValues, ...value },
  ),
  never(
    'sql-texts-are-texts',
    'What statements of several features share is words of SQL and runs nothing.',
    { path: sqlTexts },
    { pathNot: [sharedValues, sqlTexts] },
  ),
  never(
    'value-is-written-by-the-ledger',
    'RedCoin, packs and stock move by the ledger; the one statement of an opening is made of its texts.',
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
    'Deciding is not done where rows are written.',
    { path: `${feature}${tables}` },
    { path: rules, ...value },
  ),
  never(
    'views-read-for-the-wire',
    'A view reads any table for a screen, and neither writes nor calls what writes.',
    { path: `${feature}${views}` },
    {
      pathNot: [database, chance, rules, fair, shared, sqlTexts, contract, `${own}${views}`],
    },
  ),
  never(
    'use-cases-register-and-write',
    'A use-case registers its own calls, and needs rules and tables besides; views and the server library are for routes.',
    { path: feature, pathNot: [tests, guards, `/${wayIn}`, `/${tables}`, `/${views}`] },
    {
      pathNot: [
        rules,
        fair,
        shared,
        adapters,
        contract,
        `${own}(?!${wayIn}|${views}|guards\\.ts$)`,
        // What belongs to other features is the matter of the arrow above.
        '^server/src/features/(?!$1/)',
        '^(node:)?(crypto|timers/promises)$',
        // A map with a bound.
        '(^|/)node_modules/lru-cache/',
      ],
    },
  ),
  never(
    'use-cases-take-types-of-adapters',
    'Adapters reach a use-case through the dependencies; database, chance and HTTP have words of their own.',
    { path: feature, pathNot: [tests, guards, `/${wayIn}`, `/${tables}`, `/${views}`] },
    { path: adapters, pathNot: [database, chance, http], ...value },
  ),
  never(
    'keys-are-claimed-by-commands',
    'An idempotency key is claimed in one place; a feature that claims one pastes the pipeline.',
    { path: feature, pathNot: tests },
    { path: `${database}idempotent\\.ts$`, ...value },
  ),
  never(
    'ways-in-call-their-own',
    'Routes hand on to their own use-cases and views, and hold no rule and no SQL.',
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
    'Of rules, adapters and the server library, routes need the names alone.',
    { path: `${feature}${wayIn}` },
    {
      path: [adapters, rules, shared, '(^|/)node_modules/fastify/'],
      pathNot: [http, '^server/src/shared/(domain-error|number-text)\\.ts$'],
      ...value,
    },
  ),
  never(
    'adapters-know-no-feature',
    'An adapter turns the outside into plain words and knows nothing of what they are for.',
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
    'What starts and serves the product leaves its features to the application.',
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
    'The application has calls registered; what reads and writes behind them is private.',
    { path: '^server/src/app\\.ts$' },
    // The one writer of the audit log is handed to the command pipeline.
    {
      path: [`${feature}${tables}`, `${feature}${views}`, sqlTexts],
      pathNot: '^server/src/features/audit/tables\\.ts$',
      ...value,
    },
  ),
  never(
    'application-is-an-end',
    'The application is assembled once and imported by the process that serves it.',
    {
      path: '^(server|tools|bench)/',
      pathNot: [tests, '^server/src/process/serve\\.ts$', '^bench/'],
    },
    { path: '^server/src/(app|main)\\.ts$' },
  ),
  never(
    'sandbox-is-mounted-in-one-place',
    'A product without stand-ins must not carry their code.',
    { path: '^server/', pathNot: [tests, '^server/src/process/sandbox-mount\\.ts$'] },
    { path: '^sandbox/' },
  ),
  never(
    'sandbox-stands-alone',
    'Stand-ins that share code with the product would agree with its mistakes.',
    { path: '^sandbox/src/', pathNot: tests },
    { path: '^(server|web|contract)/' },
  ),
  never(
    'server-never-web',
    'The two meet at the contract.',
    { path: '^(server|sandbox|contract)/' },
    { path: '^web/' },
  ),
]
