// The areas whose tests are put to the test: what is changed, and which tests should notice.

const rules = (...names) => names.map((name) => `server/src/rules/${name}.ts`)
const ruleTests = ['server/src/rules/**/*.test.ts']

/** The files of a feature, and the tests beside them. */
const feature = (name) => ({
  mutate: [`server/src/features/${name}/*.ts`, `!server/src/features/${name}/*.test.ts`],
  tests: [`server/src/features/${name}/*.test.ts`],
})

/** Who somebody is and what they may do, as far as no database is needed to say it. */
const auth = {
  mutate: [
    ...rules('one-line-name', 'roles', 'second-factor', 'wallet', 'wallet-proof'),
    ...['session-cache', 'session-lifetime', 'tokens'].map(
      (name) => `server/src/features/auth/${name}.ts`,
    ),
    ...['caller-address', 'cross-site', 'hosts', 'limiter', 'operators', 'sessions-cookie'].map(
      (name) => `server/src/adapters/http/${name}.ts`,
    ),
    'server/src/adapters/one-time-codes/one-time-codes.ts',
  ],
  tests: [
    ...ruleTests,
    'server/src/features/auth/session-*.test.ts',
    'server/src/features/auth/tokens.test.ts',
    'server/src/adapters/http/*.test.ts',
    'server/src/adapters/one-time-codes/*.test.ts',
  ],
}

/**
 * `mutate` are the files that are changed, `tests` the test files that are run for it. Areas of
 * rules take minutes. The tests of a feature start an embedded database, so that an area of one
 * takes hours.
 */
export const areas = {
  economy: {
    mutate: rules(
      ...['draw', 'odds', 'opening', 'pack-economy', 'simulation', 'stock-forecast', 'claim-steps'],
    ),
    tests: ruleTests,
  },
  fairness: {
    mutate: rules(
      ...['log-entry', 'log-tiles', 'merkle-proof', 'merkle-tree', 'observed-chances'],
      'signed-note',
    ),
    tests: ruleTests,
  },
  grants: { mutate: rules('bulk-file', 'bulk-verdict', 'csv'), tests: ruleTests },
  watch: { mutate: rules('presence', 'watch-rewards', 'watch-time'), tests: ruleTests },
  auth,
  'auth-calls': feature('auth'),
  'fairness-calls': feature('fairness'),
  'grants-calls': feature('grants'),
  'watch-calls': feature('watch'),
}
