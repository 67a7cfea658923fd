// Faults of a line or two that the simulation has to find. Each is planted in a copy of the
// sources, and seeds are played on it until one finds it: a net that misses these catches nothing.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { realMillis } from './chance.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const linked = ['node_modules', 'contract', 'fair', 'sandbox', 'package.json', 'tsconfig.base.json']
const size = '--days 5 --viewers 20 --faults harsh --minutes 5'.split(' ')

interface Planted {
  readonly name: string
  /** One that finds it. */
  readonly seed: number
  readonly file: string
  /** What is replaced by what; each stands there once. */
  readonly changes: readonly (readonly [from: string, to: string])[]
}

const plantedFaults: readonly Planted[] = [
  {
    ...{ name: 'a purchase forgets stock', seed: 1, file: 'features/packs/purchase-packs.ts' },
    changes: [['  await takeStock(tx, listing, quantity, purchaseId, now)\n', '']],
  },
  {
    ...{ name: 'an opening pays twice when its answer is lost', seed: 1 },
    file: 'features/packs/opening-routes.ts',
    changes: [
      ['{ ...body, idempotencyKey }', '{ ...body, idempotencyKey: idempotencyKey && undefined }'],
    ],
  },
  {
    ...{ name: 'a claim is approved twice', seed: 1, file: 'rules/claim-steps.ts' },
    changes: [
      ["if (from === 'completed') {", "if (from === 'completed' && to !== 'completed') {"],
      ['return from === to ?', "return from === to && to !== 'completed' ?"],
    ],
  },
  {
    ...{ name: 'a removal makes a balance negative for a moment', seed: 1 },
    file: 'features/ledger/bulk-tables.ts',
    changes: [['greatest(w.amount, -u.red_coin_balance)', 'w.amount']],
  },
  {
    ...{ name: 'a reward is paid again after leaving', seed: 1 },
    file: 'features/watch/paid-before.ts',
    changes: [['if (twitchId === null) return false', 'if (twitchId !== "") return false']],
  },
  {
    ...{ name: 'a reversed batch is reversed again', seed: 1 },
    file: 'features/grants/reverse-batch.ts',
    changes: [['if (await isReversed(tx, batchId))', "if (batchId === '')"]],
  },
  {
    ...{
      name: 'a log entry stands out of order',
      seed: 1,
      file: 'features/fairness/log-tables.ts',
    },
    changes: [['   ORDER BY h.id`,', '   ORDER BY h.kind DESC, h.id`,']],
  },
  {
    ...{ name: 'a seed is shown before its reveal', seed: 1, file: 'features/fairness/chains.ts' },
    changes: [
      ['const { chainId, index, commitment } = await', 'const chain = await'],
      [
        'return { chainId, index, commitment, ended: await endedChains(tx, userId, now) }',
        `const serverSeed = Buffer.from(seeds.open(chain) ?? []).toString('hex')
         const ended = await endedChains(tx, userId, now)
         return { ...chain, ended: [...ended, { ...chain, serverSeed }] }`,
      ],
    ],
  },
  {
    ...{ name: 'two processes hold the lease of a job', seed: 1 },
    file: 'adapters/jobs/job-leases.ts',
    changes: [
      [`AND \${isDue} AND \${isFree} RETURNING`, 'AND $1::timestamptz IS NOT NULL RETURNING'],
    ],
  },
  {
    ...{ name: 'a session lives on after a role change', seed: 2 },
    file: 'features/people/change-role.ts',
    changes: [
      ['await deleteSessions(tx, userId)', '[] as Awaited<ReturnType<typeof deleteSessions>>'],
    ],
  },
  {
    ...{ name: "a retry answers with somebody else's stored answer", seed: 1 },
    file: 'adapters/db/stored-key.ts',
    changes: [[`k.user_id = \${user} AND`, `(k.user_id = \${user} OR true) AND`]],
  },
  {
    ...{
      name: 'a stock return is lost in a crash',
      seed: 1,
      file: 'features/packs/store-routes.ts',
    },
    changes: [
      [
        '    run: purchasePacks,',
        `    prepare: async ({ listingId, quantity }) => {
           const held = await deps.db.run(hold, [listingId, quantity])
           if (held.length > 0) await deps.db.run(hold, [listingId, -quantity])
         },
         run: purchasePacks,`,
      ],
      [
        'export function registerStore',
        `const hold = { name: 'hold', text: \`UPDATE store_pack_listings SET quantity_available =
           quantity_available - $2::int WHERE id = $1 AND NOT is_unlimited AND
           quantity_available >= $2::int RETURNING id\` }
         export function registerStore`,
      ],
    ],
  },
]

/** A copy of the server and the simulation with the fault in it. */
function copyWith({ name, file, changes }: Planted): string {
  const folder = mkdtempSync(join(tmpdir(), 'redpack-planted-'))
  const filter = (path: string) => !/\/(dist|data|node_modules)(\/|$)/.test(path.slice(root.length))
  for (const part of ['server', 'simulation']) {
    cpSync(join(root, part), join(folder, part), { recursive: true, filter })
  }
  for (const part of linked) symlinkSync(join(root, part), join(folder, part))
  const path = join(folder, 'server/src', file)
  let text = readFileSync(path, 'utf8')
  for (const [from, to] of changes) {
    const parts = text.split(from)
    if (parts.length !== 2) throw new Error(`"${name}" does not fit ${file} any more`)
    text = parts.join(to)
  }
  writeFileSync(path, text)
  return folder
}

/** Plants all of them, or those whose name has the word. True when all were found. */
export function plantAll(word: string, isShrunk: boolean, say: (line: string) => void): boolean {
  const chosen = plantedFaults.filter(({ name }) => name.includes(word))
  let found = 0
  for (const planted of chosen) {
    const { name, seed } = planted
    const folder = copyWith(planted)
    const startMillis = realMillis()
    const words = [...size, '--seed', String(seed), ...(isShrunk ? ['--shrink'] : [])]
    const script = ['--import', 'tsx', 'simulation/main.ts', ...words]
    const { stdout } = spawnSync(process.execPath, script, { cwd: folder, encoding: 'utf8' })
    rmSync(folder, { recursive: true, force: true })
    const seconds = ((realMillis() - startMillis) / 1000).toFixed(1)
    const lines = stdout.split('\n').filter((line) => /disagree with|^(Found|Small)/.test(line))
    if (lines.length > 0) found += 1
    say(`${name}: ${lines.length > 0 ? 'found' : 'not found'} in ${seconds} s`)
    for (const line of lines) say(`  ${line}`)
  }
  say(`${found} of ${chosen.length} planted faults found`)
  return found === chosen.length
}
