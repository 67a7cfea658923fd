// What a newcomer of a sandbox with demo content is given.

import { type Queryable, statement } from '../adapters/db/database.ts'
import { changeHolding } from '../features/ledger/ledger-tables.ts'
import { type DemoPackKey, demoPackTypes } from './catalogue.ts'
import { newcomerPacks } from './viewers.ts'

const packIdsByArt = statement(
  'demo_pack_ids_by_art',
  'SELECT id, image_url FROM pack_types WHERE image_url = ANY($1::text[]) AND archived_at IS NULL',
)

/** The demo's pack types that are there, by their art: staff may have given them other names. */
export async function demoPackIds(tx: Queryable): Promise<ReadonlyMap<DemoPackKey, number>> {
  const art = demoPackTypes.map(({ imageUrl }) => imageUrl)
  const rows = await tx.run<{ id: number; image_url: string | null }>(packIdsByArt, [art])
  return new Map(
    demoPackTypes.flatMap(({ key, imageUrl }) => {
      const row = rows.find(({ image_url }) => image_url === imageUrl)
      return row === undefined ? [] : [[key, row.id] as const]
    }),
  )
}

/**
 * Gives a newcomer of the sandbox packs to open, each kind with its notice; does nothing when the
 * demo packs are not there.
 */
export async function welcomeNewcomer(tx: Queryable, userId: number, now: Date): Promise<void> {
  const ids = await demoPackIds(tx)
  for (const { key } of demoPackTypes) {
    const delta = newcomerPacks[key] ?? 0
    const packTypeId = ids.get(key)
    if (delta < 1 || packTypeId === undefined) continue
    await changeHolding(tx, {
      userId,
      packTypeId,
      delta,
      type: 'admin_grant',
      description: 'Welcome to the demo',
      sourceType: 'demo',
      sourceId: 'packs',
      now,
    })
  }
}
