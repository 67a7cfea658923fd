// A small tree with a fault for every arrow, and allowed neighbours that do nearly the same.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Plant {
  /** The arrow that must catch the file; undefined when the file is as it should be. */
  readonly rule: string | undefined
  readonly path: string
  readonly text: string
}

const fault = (rule: string | undefined, path: string, ...from: readonly string[]): Plant => ({
  rule,
  path,
  text: `${from.map((one) => `import '${one}'`).join('\n')}\nexport const name = 1\n`,
})
const allowed = (path: string, ...from: readonly string[]) => fault(undefined, path, ...from)
const typeImport = (rule: string | undefined, path: string, from: string): Plant => ({
  rule,
  path,
  text: `import type { name } from '${from}'\nexport type Name = typeof name\n`,
})

const features = 'server/src/features'

export const plants: readonly Plant[] = [
  // Contract
  allowed('contract/src/index.ts', './packs.ts'),
  allowed('contract/src/packs.ts', './limits.ts', 'zod/mini'),
  allowed('contract/src/limits.ts'),
  fault('contract-imports-zod-alone', 'contract/src/fault-node.ts', 'node:crypto'),
  fault('contract-not-through-its-own-door', 'contract/src/fault-door.ts', './index.ts'),

  // Rules
  allowed('server/src/rules/opening.ts', '@redpack/contract/limits', '../shared/domain-error.ts'),
  allowed('server/src/shared/domain-error.ts'),
  typeImport('rules-are-pure', 'server/src/rules/fault-npm.ts', 'pg'),
  fault('rules-are-pure', 'server/src/rules/fault-contract.ts', '@redpack/contract'),
  fault('rules-are-pure', 'server/src/rules/fault-node.ts', 'node:fs'),

  // Shared
  allowed('server/src/shared/pagination.ts', './domain-error.ts'),
  fault('shared-stands-below', 'server/src/shared/fault-rules.ts', '../rules/opening.ts'),

  // A feature as it should be
  allowed('server/src/adapters/db/database.ts'),
  allowed('server/src/adapters/db/postgres.ts', 'pg'),
  allowed('server/src/adapters/db/idempotent.ts'),
  allowed('server/src/adapters/deps.ts', '../rules/opening.ts', '../config/config.ts'),
  allowed('server/src/adapters/http/serve.ts', 'fastify', '@redpack/contract'),
  allowed('server/src/adapters/twitch/helix.ts'),
  allowed('server/src/config/config.ts', 'node:path'),
  allowed(`${features}/packs/tables.ts`, '../../adapters/db/database.ts'),
  allowed(
    `${features}/packs/opening-tables.ts`,
    './tables.ts',
    '../ledger/value-sql.ts',
    '../coins/price-sql.ts',
  ),
  allowed(`${features}/ledger/value-sql.ts`, '@redpack/contract/limits'),
  allowed(`${features}/ledger/ledger-tables.ts`, './value-sql.ts'),
  allowed(`${features}/coins/price-sql.ts`),
  allowed(`${features}/packs/views.ts`, '@redpack/contract', '../../rules/opening.ts'),
  allowed(
    `${features}/packs/open-packs.ts`,
    './opening-tables.ts',
    '../coins/tables.ts',
    '../../rules/opening.ts',
    '@redpack/contract/limits',
    'node:crypto',
  ),
  typeImport(undefined, `${features}/packs/give-packs.ts`, '../../adapters/deps.ts'),
  allowed(
    `${features}/packs/routes.ts`,
    './open-packs.ts',
    './views.ts',
    '@redpack/contract',
    '../../adapters/http/serve.ts',
  ),
  allowed(`${features}/packs/packs.test.ts`, '../../app.ts', 'vitest'),
  allowed(`${features}/coins/tables.ts`),
  allowed(`${features}/coins/earn-coins.ts`),
  allowed(`${features}/coins/routes.ts`),
  allowed(`${features}/account/guards.ts`, 'fastify'),

  // And with its faults, in a feature that did not exist before
  fault('features-meet-at-tables', `${features}/gifts/fault-door.ts`, '../coins/earn-coins.ts'),
  fault('tables-speak-sql', `${features}/gifts/fault-tables.ts`, 'fastify'),
  fault('tables-speak-sql', `${features}/gifts/fault-far-tables.ts`, '../coins/tables.ts'),
  fault('sql-texts-are-texts', `${features}/gifts/fault-sql.ts`, '../../adapters/db/database.ts'),
  fault(
    'value-is-written-by-the-ledger',
    `${features}/gifts/value-tables.ts`,
    '../ledger/value-sql.ts',
  ),
  fault('tables-take-types-of-rules', `${features}/gifts/tables.ts`, '../../rules/opening.ts'),
  fault(
    'tables-take-types-of-the-contract',
    `${features}/gifts/wire-tables.ts`,
    '@redpack/contract',
  ),
  fault('views-read-for-the-wire', `${features}/gifts/views.ts`, './tables.ts'),
  fault('use-cases-register-and-write', `${features}/gifts/fault-view.ts`, './clean-views.ts'),
  fault('use-cases-register-and-write', `${features}/gifts/fault-http.ts`, 'fastify'),
  allowed(
    `${features}/gifts/wrap-gift.ts`,
    './clean-tables.ts',
    '@redpack/contract',
    '../../adapters/http/serve.ts',
  ),
  allowed(`${features}/gifts/clean-views.ts`),
  allowed(`${features}/gifts/clean-tables.ts`),
  fault(
    'use-cases-take-types-of-adapters',
    `${features}/gifts/fault-adapter.ts`,
    '../../adapters/twitch/helix.ts',
  ),
  fault(
    'keys-are-claimed-by-commands',
    `${features}/gifts/claim-key.ts`,
    '../../adapters/db/idempotent.ts',
  ),
  fault('ways-in-call-their-own', `${features}/gifts/routes.ts`, './clean-tables.ts'),
  fault(
    'ways-in-take-types-of-the-rest',
    `${features}/gifts/sent-routes.ts`,
    '../../rules/opening.ts',
  ),

  // Adapters and the ends of the server
  fault(
    'adapters-know-no-feature',
    'server/src/adapters/twitch/fault.ts',
    `../../features/coins/tables.ts`,
  ),
  fault(
    'adapters-know-no-wire-but-http',
    'server/src/adapters/twitch/fault-wire.ts',
    '@redpack/contract',
  ),
  fault(
    'application-registers',
    'server/src/app.ts',
    './features/coins/tables.ts',
    './features/packs/routes.ts',
    './features/gifts/wrap-gift.ts',
    './features/account/guards.ts',
    './demo/seed.ts',
    './process/sandbox-mount.ts',
  ),
  allowed('server/src/process/serve.ts', '../app.ts', '../config/config.ts'),
  fault('features-open-to-the-application', 'server/src/fault.ts', './features/coins/routes.ts'),
  fault('application-is-an-end', 'server/src/fault-app.ts', './app.ts'),
  allowed('server/src/demo/seed.ts', '../features/packs/open-packs.ts'),
  allowed('server/src/process/sandbox-mount.ts', '@redpack/sandbox'),
  fault('sandbox-is-mounted-in-one-place', 'server/src/fault-sandbox.ts', '@redpack/sandbox'),
  fault('fair-imports-hashes-alone', 'fair/src/fault.ts', 'node:crypto'),
  allowed('sandbox/src/index.ts', 'fastify'),
  fault('sandbox-stands-alone', 'sandbox/src/fault.ts', '../../contract/src/limits.ts'),
  fault('server-never-web', 'server/src/fault-web.ts', '../../web/src/lib/format.ts'),

  // Web
  allowed('web/src/lib/format.ts', '@redpack/contract'),
  allowed('web/src/lib/api.ts'),
  allowed('web/src/ui/form/button.tsx', '../../lib/format.ts', 'radix-ui'),
  allowed('web/src/features/packs/queries.ts', '../../lib/api.ts'),
  allowed('web/src/features/packs/opening-panel.tsx', './queries.ts'),
  allowed('web/src/features/coins/balance.tsx', '../packs/queries.ts', '../../ui/form/button.tsx'),
  allowed('web/src/screens/store.tsx', '../features/coins/balance.tsx'),
  allowed('web/src/screens/admin/prizes.tsx'),
  allowed('web/src/screens/admin/panel.tsx', './prizes.tsx'),
  allowed('web/src/app/router.tsx', '../screens/store.tsx', '../screens/admin/panel.tsx'),
  fault(
    'web-never-server',
    'web/src/lib/fault-server.ts',
    '../../../server/src/shared/domain-error.ts',
  ),
  fault('web-has-no-node', 'web/src/lib/fault-node.ts', 'node:path'),
  fault('screens-stand-apart', 'web/src/screens/fault.tsx', './store.tsx'),
  fault('areas-of-screens-stand-apart', 'web/src/screens/admin/fault.tsx', '../store.tsx'),
  fault('web-application-is-an-end', 'web/src/features/packs/fault.tsx', '../../app/router.tsx'),
  fault(
    'web-features-below-screens',
    'web/src/features/packs/fault-up.tsx',
    '../../screens/store.tsx',
  ),
  fault(
    'web-features-meet-at-doors',
    'web/src/features/gifts/fault.tsx',
    '../packs/opening-panel.tsx',
  ),
  allowed('web/src/features/packs/store-queries.ts'),
  allowed('web/src/features/packs/shared/pack-icon.tsx'),
  allowed(
    'web/src/features/gifts/gift.tsx',
    '../packs/shared/pack-icon.tsx',
    '../packs/store-queries.ts',
    '../../compat/panel-reading.ts',
  ),
  allowed('web/src/compat/panel-reading.ts', '../lib/format.ts'),
  fault(
    'web-compat-stands-below-features',
    'web/src/compat/fault.ts',
    '../features/packs/queries.ts',
  ),
  fault('ui-knows-no-product-word', 'web/src/ui/fault-compat.tsx', '../compat/panel-reading.ts'),
  fault('ui-knows-no-product-word', 'web/src/ui/fault.tsx', '../lib/api.ts'),
  fault('web-lib-is-the-floor', 'web/src/lib/fault-ui.ts', '../ui/form/button.tsx'),
  fault('radix-only-behind-the-kit', 'web/src/features/gifts/fault-radix.tsx', 'radix-ui'),

  // Everywhere
  typeImport('no-cycles', 'contract/src/fault-one.ts', './fault-two.ts'),
  // A cycle is told once, at the file where it is met first.
  typeImport(undefined, 'contract/src/fault-two.ts', './fault-one.ts'),
  fault('no-barrels', 'web/src/ui/fault-barrel.ts', './kit/index.ts'),
  allowed('web/src/ui/kit/index.ts'),
  fault('packages-are-listed', 'web/src/lib/fault-package.ts', 'pg'),
  fault('packages-of-tests-are-listed', 'web/src/lib/fault-package.test.ts', 'pg'),
  allowed('bench/measure.ts', 'pg', '../server/src/app.ts'),
  fault('packages-of-benchmarks-are-listed', 'bench/fault.ts', 'radix-ui'),
  fault('simulation-is-an-end', 'bench/fault-simulation.ts', '../simulation/world.ts'),
  allowed('simulation/world.ts', '../server/src/app.ts'),
  fault('product-needs-no-tools', 'server/src/adapters/fault-tool.ts', 'fast-check'),
  fault('product-never-tests', 'server/src/adapters/fault-test.ts', '../../test/deps.ts'),
  allowed('server/test/deps.ts', 'vitest'),
  fault('imports-resolve', 'web/src/lib/fault-nowhere.ts', './nowhere.ts'),
]

const workspaces = {
  contract: {
    exports: { '.': './src/index.ts', './limits': './src/limits.ts' },
    dependencies: { zod: '1' },
  },
  server: {
    dependencies: { '@redpack/contract': '1', fastify: '1', pg: '1' },
    devDependencies: { 'fast-check': '1' },
  },
  sandbox: { exports: { '.': './src/index.ts' }, dependencies: { fastify: '1' } },
  web: { dependencies: { '@redpack/contract': '1', 'radix-ui': '1' } },
}
const packages = ['fast-check', 'fastify', 'pg', 'radix-ui', 'vitest']

/** Writes the tree with its workspaces and just enough of packages for imports to resolve. */
export function plantFaults(root: string): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const json = (path: string, value: object) => write(path, JSON.stringify(value))
  json('package.json', { name: 'planted', devDependencies: { vitest: '1' } })
  for (const [name, listed] of Object.entries(workspaces)) {
    json(`${name}/package.json`, { name: `@redpack/${name}`, ...listed })
    mkdirSync(join(root, 'node_modules/@redpack'), { recursive: true })
    symlinkSync(join(root, name), join(root, 'node_modules/@redpack', name))
  }
  for (const name of packages) {
    json(`node_modules/${name}/package.json`, { name, main: 'index.js' })
    write(`node_modules/${name}/index.js`, 'export const name = 1\n')
  }
  json('node_modules/zod/package.json', { name: 'zod', exports: { './mini': './mini.js' } })
  write('node_modules/zod/mini.js', 'export const name = 1\n')
  for (const { path, text } of plants) write(path, text)
}
