// Who takes part and how busy they are; and those who have no account of their own: an attacker,
// a crowd at the very same moment, and the operator.

import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeDump } from '../server/src/adapters/db/dump.ts'
import { readMigrations } from '../server/src/adapters/db/migrate.ts'
import { restoreDump } from '../server/src/adapters/db/restore.ts'
import { encryptionWith } from '../server/src/adapters/encryption/encryption.ts'
import { reencrypt } from '../server/src/cli/reencrypt.ts'
import { migrationsFolder } from '../server/src/paths.ts'
import { embeddedTestDatabase } from '../server/test/test-database.ts'
import { checkBooks, compareWithModel } from './checks.ts'
import { isSignedIn, signIn, signInLocally } from './founding.ts'
import { type Claim, Person } from './model.ts'
import { type Change, type Habit, habit, type Request, type Scene } from './scene.ts'
import { editingPrize, keeperHabits, moving, reversing, staffHabits, suspending } from './staff.ts'
import { bookPurchase, buying, heldTypes, keptBy, opening, viewerHabits } from './viewer.ts'
import { streamerHabits, watchHabits } from './watching.ts'
import type { World } from './world.ts'

/** A request that must be refused with one of these statuses, and what it is in plain words. */
type Attack = readonly [request: Request, statuses: readonly number[], words: string]
const post = (path: string, body?: unknown): Request => ({ line: `POST ${path}`, body })

const attack = (name: string, weight: number, choose: (scene: Scene) => Attack | undefined) =>
  habit(name, weight, async (scene) => {
    const chosen = choose(scene)
    if (chosen === undefined) return
    const [request, statuses, words] = chosen
    const { isHeard, status } = await scene.call(request)
    scene.tell(`${words}: ${isHeard ? status : 'no answer'}`)
    scene.check(!isHeard || statuses.includes(status), `answers ${status} when somebody ${words}`)
  })

/** Whole numbers that only a purchase may be for. */
const large = [51, 1e12, Number.MAX_SAFE_INTEGER]
const oddNumbers = [...large, 0, -1, -50, 1.5, '0x10', ' 5 ', true, [5], null]

const attackerHabits: readonly Habit[] = [
  attack('use-old-cookie', 4, ({ people, chance, model, now }) => {
    const old = people.flatMap(({ oldCookies }) => oldCookies)
    const endOf = (token: string) => {
      const { endsAt = now, mayLastUntil = endsAt } = model.sessions.get(token) ?? {}
      return Math.max(endsAt, mayLastUntil)
    }
    const ended = old.filter((token) => endOf(token) < now - 3_000)
    if (ended.length === 0) return undefined
    const path = chance.pick(['user/packs', 'admin/stats', 'admin/prizes'])
    return [{ line: `GET ${path}`, cookie: chance.pick(ended) }, [401], 'comes with an old cookie']
  }),
  attack('read-foreign-claim', 2, ({ model, accountId, chance }) => {
    const foreign = model.claims.all().filter((claim) => claim.accountId !== accountId)
    if (foreign.length === 0) return undefined
    const coded = model.codes.all().flatMap(({ claimId }) => model.claims.get(claimId ?? '') ?? [])
    const isCode = coded.length > 0 && chance.isLikely(0.5)
    const [claim, what] = isCode ? [chance.pick(coded), 'code'] : [chance.pick(foreign), 'delivery']
    const line = `GET user/prize-claims/${claim.id}/${what}` as const
    return [{ line }, [404], `asks for the ${what} of somebody else's prize`]
  }),
  attack('send-odd-body', 3, ({ chance, model, accountId, now }) => {
    const quantity = chance.pick<unknown>(oddNumbers)
    const words = `sends the quantity ${JSON.stringify(quantity)}`
    const packTypeId = chance.pick([1, 99, -1])
    // A suspension is told before anybody reads the body.
    const odd = model.isSuspended(accountId, now) ? [403] : [400]
    if (chance.isLikely(0.5)) return [post('packs/open', { packTypeId, quantity }), odd, words]
    const refused = large.includes(quantity as number) ? [...odd, 404, 409] : odd
    return [post('store/purchase', { storePackListingId: packTypeId, quantity }), refused, words]
  }),
  attack('play-staff', 2, ({ chance, accountId }) => {
    const request = chance.pick<Request>([
      post('admin/distribute-redcoin', { userId: accountId, amount: 9 }),
      { line: `PUT admin/users/${accountId}/role`, body: { role: 'super_user' } },
      post('admin/remove-all-redcoin'),
      { line: 'GET admin/prize-claims' },
    ])
    return [request, [403], `calls ${request.line} as a viewer`]
  }),
  attack('forge', 1, ({ chance }) => {
    const headers = { 'content-type': 'application/json', 'x-signature-ed25519': 'forged' }
    const to = post(chance.pick(['discord/interactions', 'twitch/eventsub']), Buffer.from('{}'))
    return [{ ...to, headers, cookie: '' }, [401, 403], 'forges a message of Twitch or Discord']
  }),
  habit('raise-themselves', 1, async ({ call, tell, check }) => {
    const body = { bio: 'me', role: 'admin', redCoinBalance: 1_000_000, id: 1 }
    const heard = await call({ line: 'PUT user/profile', body })
    tell('sends more fields than a profile has')
    const isRaised = heard.isHeard && heard.status === 200 && heard.body.role !== 'user'
    check(!isRaised, 'takes the role from a profile')
  }),
  // Sends what somebody else has sent, under the same key: it counts as their own call.
  habit('use-foreign-key', 4, ({ scene, people, person, chance, model, accountId }) => {
    const kept = people.filter((one) => one !== person).flatMap((one) => keptBy(scene, one))
    if (kept.length === 0) return undefined
    const { line, body, key } = chance.pick(kept)
    if (model.keys.get(`${accountId} ${line} ${key}`) !== undefined) return undefined
    const { storePackListingId = 0, quantity = 0 } = body as Record<string, number>
    return {
      ...{ line, body, key, words: `sends the key ${key} of somebody else` },
      refusals: () => ({
        ...{ not_found: 'maybe', insufficient_redcoin: 'maybe', insufficient_packs: 'maybe' },
        ...{ not_enough_stock: 'maybe', price_changed: 'maybe', odds_changed: 'maybe' },
        // The commitment is that of somebody else.
        commitment_moved: line.endsWith('/open') && 'maybe',
      }),
      apply(answer) {
        scene.check(line.endsWith('/purchase'), "opens packs with somebody else's commitment")
        bookPurchase(scene, storePackListingId, quantity, answer)
      },
    }
  }),
]

/** People of whom each has a session, as they see the moment. */
function present(scene: Scene, count: number, kind: string): Scene[] {
  const ready = scene.people
    .filter(({ name }) => name.startsWith(kind))
    .map((person) => scene.as(person))
    .filter(isSignedIn)
  const chosen = new Set<Scene>()
  while (chosen.size < Math.min(count, ready.length)) chosen.add(scene.chance.pick(ready))
  return [...chosen]
}

const keyOf = (scene: Scene) => `${scene.person.name}-crowd-${scene.turn}`

const crowdHabits: readonly Habit[] = [
  habit('open-at-once', 5, async (scene) => {
    const changes: Change[] = []
    for (const viewer of present(scene, 3, 'viewer')) {
      const [type] = heldTypes(viewer)
      const open = type && (await opening(viewer, type, 1))
      if (open) changes.push(open(keyOf(viewer)))
    }
    const editors = scene.chance.isLikely(0.3) ? present(scene, 1, 'staff') : []
    return [...changes, ...editors.map((by) => ({ ...editingPrize(by), key: keyOf(by), by }))]
  }),
  habit('buy-at-once', 4, (scene) =>
    present(scene, 3, 'viewer').map((one) => buying(one, keyOf(one))),
  ),
  // Staff suspend somebody who opens packs at that moment.
  habit('suspend-at-once', 2, async (scene) => {
    const [by] = present(scene, 1, 'staff')
    const [viewer] = present(scene, 1, 'viewer')
    const type = viewer && heldTypes(viewer)[0]
    const open = type && (await opening(viewer, type, 1))
    if (!by || !viewer || !open) return []
    const suspend = { ...suspending(by, viewer.accountId), key: keyOf(by), by }
    return [suspend, open(keyOf(viewer))]
  }),
  // Two members of staff take the same thing into their hands.
  habit('same-record', 3, ({ scene, model, chance, isRisky }) => {
    const isStaff = ({ accountId }: Scene) => model.accounts.get(accountId)?.role === 'admin'
    const staff = present(scene, 2, 'staff').filter(isStaff)
    // Which of the two has moved it, the audit log could not tell after a lost answer.
    const isOpen = (one: Claim) => one.status === 'pending' && !one.isDeleted && !isRisky
    const claim = model.claims.all().find(isOpen)
    const batch = model.batches.all().findLast(({ isReversed }) => !isReversed)
    if (staff.length < 2) return []
    if (claim !== undefined && (batch === undefined || chance.isLikely(0.5))) {
      return staff.map((by) => ({ ...moving(by, claim, 'completed'), by }))
    }
    return batch ? staff.map((by) => ({ ...reversing(by, batch.id, keyOf(by)), by })) : []
  }),
]

/** What the operator does, who knows the world from behind. */
const operatorHabits = (world: World): readonly Habit[] => [
  habit('restart', 3, async ({ chance, tell }) => {
    const { number } = chance.pick(world.processes)
    tell(`kills process ${number} and starts it again`)
    await world.restart(number)
  }),
  habit('set-clock-back', 2, ({ chance, tell }) => {
    world.behindMillis.reverse()[0] = chance.pick([0, 60_000])
    tell(`lets jobs go by clocks that are behind by ${world.behindMillis} ms`)
  }),
  // Everything can be opened with the new key; marks of those who left need the earlier ones.
  habit('rotate-key', 1, async ({ chance, check, tell }) => {
    const { encryptionKeys: keys, random, db } = world
    keys.unshift(chance.bytes(32).toString('hex'))
    for (const { number } of world.processes) await world.restart(number)
    const [key, ...earlier] = keys
    const { left, unreadable } = await reencrypt(db, encryptionWith(key, random, earlier))
    check(left.length + unreadable.length === 0, 'seals not everything with a new key')
    await checkBooks(db, key)
    tell('takes a new key and seals everything with it')
  }),
  // A dump brings everything back into a fresh database.
  habit('back-up-and-restore', 1, async ({ tell }) => {
    const file = join(tmpdir(), `redpack-simulation-${process.pid}.dump`)
    const fresh = await embeddedTestDatabase()
    try {
      await writeDump(world.db, file, { createdAt: world.clock.now() })
      const migrations = await readMigrations(migrationsFolder)
      await restoreDump(fresh, file, { migrations, force: true })
      await compareWithModel(fresh, world)
      await checkBooks(fresh, world.encryptionKeys[0])
    } finally {
      await fresh.close()
      rmSync(file, { force: true })
    }
    tell('backs up, and restores elsewhere')
  }),
]

/** Ten members of staff for 300 viewers, and at least two. The world is for the operator. */
export function communityOf(viewers: number, world: World) {
  let number = 0
  /** `comeIn` signs the person in when they have no session. */
  const group = (
    name: string,
    count: number,
    actsPerDay: number,
    habits: readonly Habit[],
    comeIn: (scene: Scene) => Promise<boolean> = async () => true,
  ) =>
    Array.from({ length: count }, (_, at) => {
      const person = new Person(`${name}-${at + 1}`, number++)
      return { person, actsPerDay, habits, signIn: comeIn, turn: 1 }
    })
  return [
    // The local account, which makes everything and everybody else.
    ...group('keeper', 1, 4, keeperHabits, signInLocally),
    ...group('viewer', viewers, 3.5, [...viewerHabits, ...watchHabits], signIn),
    ...group('staff', Math.max(2, Math.round(viewers / 30)), 30, staffHabits, signIn),
    ...group('attacker', 1, 20, attackerHabits, signIn),
    ...group('streamers', 1, 12, streamerHabits),
    ...group('crowd', 1, 20 + viewers / 10, crowdHabits),
    ...group('operator', 1, 1, operatorHabits(world)),
  ]
}
export type Actor = ReturnType<typeof communityOf>[number]
