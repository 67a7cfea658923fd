// The areas of the mutation test: the files changed, and the tests that should notice.

import { readdirSync } from 'node:fs'

const rules = (...names) => names.map((name) => `server/src/rules/${name}.ts`)
const ruleTests = ['server/src/rules/**/*.test.ts']
const fair = (...names) => names.map((name) => `fair/src/${name}.ts`)
const fairTests = ['fair/src/*.test.ts']

/** The files of a feature and the tests beside them, with `more` from elsewhere. */
function feature(name, ...more) {
  const folder = `server/src/features/${name}`
  const files = readdirSync(folder).map((file) => `${folder}/${file}`)
  const isTest = (file) => file.endsWith('.test.ts')
  return {
    mutate: files.filter((file) => !isTest(file)),
    tests: [...files.filter(isTest), ...more],
  }
}

const http = (...names) => names.map((name) => `server/src/adapters/http/${name}.ts`)
const signIns = (...names) => names.map((name) => `server/src/features/account/${name}.ts`)

/**
 * Who somebody is and what they may do, as far as it needs no database. Its tests call the changed
 * code directly: those of the whole product would all run again for each change.
 */
const account = {
  mutate: [
    ...rules('roles', 'second-factor', 'wallet'),
    ...signIns('session-cache', 'session-lifetime'),
    ...http('caller-address', 'limiter', 'security-headers', 'sessions-cookie'),
    'server/src/adapters/one-time-codes/one-time-codes.ts',
  ],
  tests: [
    ...rules('roles.test', 'second-factor.test', 'wallet.test'),
    ...signIns('session-cache.test', 'session-lifetime.test'),
    ...http(
      'caller-address.test',
      'limiter.test',
      'request-guards.test',
      'security-headers.test',
      'sessions-cookie.test',
    ),
    'server/src/adapters/one-time-codes/*.test.ts',
  ],
}

/** What is given or told once only, also to whoever has left and comes back. */
const leaving = 'server/src/features/account/leaving.test.ts'

/**
 * `mutate` are the files to change, `tests` the test files to run. Areas of rules take minutes. The
 * tests of a feature start an embedded database, so its area takes hours.
 */
export const areas = {
  economy: {
    mutate: [...rules('opening', 'pack-economy', 'simulation', 'claim-steps'), ...fair('draw')],
    tests: [...ruleTests, ...fairTests],
  },
  fairness: {
    mutate: [...rules('observed-chances'), ...fair('draw', 'entries', 'notes', 'replay', 'tree')],
    tests: [...ruleTests, ...fairTests],
  },
  grants: {
    mutate: [...rules('bulk-file'), 'contract/src/csv.ts'],
    tests: [...ruleTests, 'contract/src/csv.test.ts'],
  },
  watch: { mutate: rules('watch-time'), tests: ruleTests },
  account,
  'account-calls': feature('account'),
  'fairness-calls': feature(
    'fairness',
    'server/src/features/books/broken-log.test.ts',
    'server/src/features/packs/fair-draws.test.ts',
  ),
  'grants-calls': feature('grants'),
  'watch-calls': feature(
    'watch',
    'server/src/features/twitch-bot/messages.test.ts',
    'server/test/changed-meanwhile.test.ts',
  ),
  'packs-calls': feature('packs', 'server/src/features/catalogue/prize-codes.test.ts'),
  'claims-calls': feature('claims'),
  'ledger-calls': feature(
    'ledger',
    'server/src/features/claims/shipments.test.ts',
    'server/test/ranking-races.test.ts',
    'server/test/shipment-races.test.ts',
  ),
  'catalogue-calls': feature('catalogue'),
  'people-calls': feature('people', 'server/test/strict-roles.test.ts'),
  'outbox-calls': feature('outbox', leaving, 'server/test/outbox.test.ts'),
  'discord-bot-calls': feature('discord-bot', leaving, 'server/test/discord-posts.test.ts'),
}
