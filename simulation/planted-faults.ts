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

/**
 * Name, file and a seed that finds it, then what is taken away and put in its
 * place; each stands there once. The last two are there for what is said of them.
 */
const patches = `
a purchase forgets stock: server/src/features/packs/purchase-packs.ts 1
-  await takeStock(tx, listing, quantity, purchaseId, now)
+
an opening pays twice when its answer is lost: server/src/features/packs/routes.ts 1
-{ ...body, idempotencyKey }
+{ ...body, idempotencyKey: idempotencyKey && undefined }
a claim is approved twice: server/src/rules/claim-steps.ts 1
-if (from === 'completed') {
+if (from === 'completed' && to !== 'completed') {
-return from === to ?
+return from === to && to !== 'completed' ?
a removal makes a balance negative for a moment: server/src/features/ledger/bulk-tables.ts 1
-greatest(w.amount, -u.red_coin_balance)
+w.amount
a reward is paid again after leaving: server/src/features/watch/earlier-rewards.ts 1
-if (twitchId === null) return false
+if (twitchId !== "") return false
a reversed batch is reversed again: server/src/features/grants/reverse-batch.ts 1
-if (await isReversed(tx, batchId))
+if (batchId === '')
a log entry stands out of order: server/src/features/fairness/log-tables.ts 7
-   ORDER BY h.id\`
+   ORDER BY h.kind DESC, h.id\`
a seed is shown before its reveal: server/src/features/fairness/chains.ts 1
-const { chainId, index, commitment } = await
+const chain = await
-return { chainId, index, commitment, ended: await endedChains(tx, userId, now) }
+const serverSeed = Buffer.from(seeds.open(chain) ?? []).toString('hex')
+return { ...chain, ended: [...(await endedChains(tx, userId, now)), { ...chain, serverSeed }] }
two processes hold the lease of a job: server/src/adapters/jobs/job-leases.ts 1
-AND \${isDue} AND \${isFree} RETURNING
+AND $1::timestamptz IS NOT NULL RETURNING
a session lives on after a role change: server/src/features/people/change-role.ts 4
-await deleteSessions(tx, userId)
+[] as Awaited<ReturnType<typeof deleteSessions>>
a retry answers with somebody else's stored answer: server/src/adapters/db/stored-key.ts 1
-k.user_id = \${user} AND
+(k.user_id = \${user} OR true) AND
a stock return is lost in a crash: server/src/features/packs/routes.ts 1
-    run: purchasePacks,
+    prepare: async ({ listingId, quantity }) => {
+      const held = await deps.db.run(hold, [listingId, quantity])
+      if (held.length > 0) await deps.db.run(hold, [listingId, -quantity])
+    },
+    run: purchasePacks,
-export function registerStore
+const hold = { name: 'hold', text: 'UPDATE store_pack_listings SET quantity_available = ' +
+  'quantity_available - $2::int WHERE id = $1 AND NOT is_unlimited AND ' +
+  'quantity_available >= $2::int RETURNING id' }
+export function registerStore
side: an answer says another balance than is held: server/src/features/packs/purchase-packs.ts 1
-updatedBalance: balance }
+updatedBalance: balance + 1 }
side: the model forgets what a purchase costs: simulation/viewer.ts 1
-model.coins.add(accountId, -listing.redCoinPrice * quantity)
+model.coins.add(accountId, -quantity)
`
const patchOf = /^([^-+].*): (.*) (\d+)\n((?:[-+].*\n)+)/gm
const changeOf = /^-(.*)\n((?:\+.*\n)+)/gm

/** A copy of the server and the simulation with the fault in it. */
function copyWith(file: string, changes: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'redpack-planted-'))
  const filter = (path: string) => !/\/(dist|data|node_modules)(\/|$)/.test(path.slice(root.length))
  for (const part of ['server', 'simulation']) {
    cpSync(join(root, part), join(folder, part), { recursive: true, filter })
  }
  for (const part of linked) symlinkSync(join(root, part), join(folder, part))
  const path = join(folder, file)
  let text = readFileSync(path, 'utf8')
  for (const [, from = '', to = ''] of changes.matchAll(changeOf)) {
    const parts = text.split(from)
    if (parts.length !== 2) throw new Error(`"${from}" does not stand once in ${file} any more`)
    text = parts.join(to.replace(/^\+/gm, '').trimEnd())
  }
  writeFileSync(path, text)
  return folder
}

/** Plants all of them, or those whose name has the word. True when all were found. */
export function plantAll(word: string, isShrunk: boolean, say: (line: string) => void): boolean {
  const chosen = [...patches.matchAll(patchOf)].filter(([, name]) => name?.includes(word))
  let found = 0
  for (const [, name, file = '', seed = '', changes = ''] of chosen) {
    const folder = copyWith(file, changes)
    const startMillis = realMillis()
    const words = [...size, '--seed', seed, ...(isShrunk ? ['--shrink'] : [])]
    const script = ['--import', 'tsx', 'simulation/main.ts', ...words]
    const { stdout } = spawnSync(process.execPath, script, { cwd: folder, encoding: 'utf8' })
    rmSync(folder, { recursive: true, force: true })
    const seconds = ((realMillis() - startMillis) / 1000).toFixed(1)
    const lines = stdout
      .split('\n')
      .filter((line) => /disagree with|^(Which|Found|Small)/.test(line))
    if (lines.length > 0) found += 1
    say(`${name}: ${lines.length > 0 ? 'found' : 'not found'} in ${seconds} s`)
    for (const line of lines) say(`  ${line}`)
  }
  say(`${found} of ${chosen.length} planted faults found`)
  return found === chosen.length
}
