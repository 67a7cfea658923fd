// Further openings in books that were written in bulk, by the product's own use-case.

import { pino } from 'pino'
import { movableClock } from '../server/src/adapters/clock/clock.ts'
import type { Database } from '../server/src/adapters/db/database.ts'
import type { Deps } from '../server/src/adapters/deps.ts'
import { encryptionWith } from '../server/src/adapters/encryption/encryption.ts'
import { localEvents } from '../server/src/adapters/events/events.ts'
import { systemRandom } from '../server/src/adapters/random/random.ts'
import { appendLogEntries } from '../server/src/features/fairness/public-log.ts'
import { Opening } from '../server/src/features/packs/open-packs.ts'
import { booksKey } from './books-scene.ts'

const openings = 10_000
const quantity = 10
const atOnce = 8

/** Opens 10,000 packs, ten at a time, by a thousand of the people, or all when there are fewer. */
export async function openMore(
  db: Database,
  people: number,
  say: (text: string) => void,
): Promise<void> {
  const log = pino({ level: 'error' })
  const deps = {
    db,
    log,
    clock: movableClock(),
    random: systemRandom,
    encryption: encryptionWith(booksKey, systemRandom),
    events: localEvents(() => undefined),
  } as unknown as Deps
  const opening = new Opening(deps)
  let left = openings / quantity
  const caller = async () => {
    while (left > 0) {
      left -= 1
      const order = { packTypeId: 1, quantity, idempotencyKey: systemRandom.uuid() }
      await opening.open((left % people) + 1, order)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, caller))
  await appendLogEntries({ db, log })
  say(`${openings} further openings`)
}
