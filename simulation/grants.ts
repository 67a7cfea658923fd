// How staff give and take: to one, to all, by file, and back again.

import { csvForm } from '../server/test/csv-form.ts'
import type { Habit } from './habit.ts'
import type { Account } from './model.ts'
import type { Change, Scene } from './scene.ts'
import { packTypes } from './viewer.ts'

/** Somebody who takes part, gone or not. */
export function somebody({ model, chance }: Scene): Account {
  return chance.pick(model.all('account'))
}

/** What is given or taken: RedCoin, or packs of a type. */
interface Value {
  readonly packTypeId: number | undefined
  readonly kind: 'coins' | 'packs'
  name(accountId: number): string
}

export function coinsOrPacks(scene: Scene): Value {
  const packTypeId = scene.chance.isLikely(0.5) ? undefined : scene.chance.pick(packTypes(scene))
  return coinsOrPacksOf(packTypeId)
}

export function coinsOrPacksOf(packTypeId: number | undefined): Value {
  return packTypeId === undefined
    ? { packTypeId, kind: 'coins', name: (id) => String(id) }
    : { packTypeId, kind: 'packs', name: (id) => `${id} ${packTypeId}` }
}

/** Gives, or takes at most what is there; answers what was changed. */
export function move({ model }: Scene, value: Value, accountId: number, amount: number): number {
  const held = model.count(value.kind, value.name(accountId))
  const delta = Math.max(amount, -held)
  model.add(value.kind, value.name(accountId), delta)
  return delta
}

function giving(scene: Scene, to: Account, amount: number): Change {
  const value = coinsOrPacks(scene)
  const isCoins = value.packTypeId === undefined
  const description = `turn ${scene.turn}`
  const body = isCoins
    ? { userId: to.id, amount, description }
    : { userId: to.id, packTypeId: value.packTypeId, quantity: amount, description }
  return {
    method: 'POST',
    url: isCoins ? '/api/admin/distribute-redcoin' : '/api/admin/distribute-packs',
    words: `gives ${to.username} ${amount} ${isCoins ? 'RedCoin' : 'packs'}`,
    body,
    key: scene.key(),
    refusals: () => ({ not_found: scene.model.get('account', to.id)?.isGone === true }),
    apply(answer) {
      move(scene, value, to.id, amount)
      const after = answer.newBalance ?? answer.newQuantity
      const held = scene.model.count(value.kind, value.name(to.id))
      scene.checkWhenAlone(
        after === undefined || after === held,
        `says ${after} are there, not ${held}`,
      )
    },
  }
}

async function give(scene: Scene): Promise<void> {
  await scene.change(giving(scene, somebody(scene), scene.chance.pick([1, 3, 20, 200])))
}

async function take(scene: Scene): Promise<void> {
  await scene.change(giving(scene, somebody(scene), -scene.chance.pick([1, 5, 10_000])))
}

/** Takes from one by the calls that can take only. */
async function remove(scene: Scene): Promise<void> {
  const [from, value] = [somebody(scene), coinsOrPacks(scene)]
  const isCoins = value.packTypeId === undefined
  const amount = scene.chance.pick([1, 7, 1_000_000])
  const what = isCoins ? { amount } : { quantity: amount, packTypeId: value.packTypeId }
  await scene.change({
    method: 'POST',
    url: isCoins ? '/api/admin/remove-user-redcoin' : '/api/admin/remove-user-packs',
    words: `removes ${amount} ${value.kind} of ${from.username}`,
    body: { userId: from.id, ...what },
    key: scene.key(),
    refusals: () => ({ not_found: scene.model.get('account', from.id)?.isGone === true }),
    apply(answer) {
      const taken = -move(scene, value, from.id, -amount)
      const said = answer.removedAmount ?? answer.removedQuantity
      scene.check(said === undefined || said === taken, `says ${said} were taken, not ${taken}`)
    },
  })
}

async function giveAll(scene: Scene): Promise<void> {
  const { model } = scene
  const value = coinsOrPacksOf(undefined)
  await scene.change({
    method: 'POST',
    url: '/api/admin/distribute-redcoin',
    words: 'gives everybody 10 RedCoin',
    body: { allUsers: true, amount: 10, description: `turn ${scene.turn}` },
    key: scene.key(),
    refusals: () => ({}),
    apply(answer) {
      const all = model
        .all('account')
        .filter(({ isGone, role }) => !isGone && role !== 'super_user')
      for (const { id } of all) move(scene, value, id, 10)
      const said = answer.processedCount ?? all.length
      scene.check(said === all.length, `reaches ${said} people, not ${all.length}`)
    },
  })
}

async function takeAll(scene: Scene): Promise<void> {
  const { model } = scene
  const kind = scene.chance.pick(['coins', 'packs'] as const)
  await scene.change({
    method: 'POST',
    url: `/api/admin/remove-all-${kind === 'coins' ? 'redcoin' : 'packs'}`,
    words: `takes all ${kind} from everybody`,
    key: scene.key(),
    refusals: () => ({}),
    apply(answer) {
      const names = model.names(kind)
      const total = names.reduce((sum, name) => sum + model.count(kind, name), 0)
      for (const name of names) model.set(kind, name, 0)
      const said = answer.totalRemoved ?? total
      scene.check(said === total, `removes ${said} ${kind}, not ${total}`)
    },
  })
}

async function giveByFile(scene: Scene): Promise<void> {
  const { model, chance } = scene
  const value = coinsOrPacks(scene)
  const column = value.packTypeId === undefined ? 'amount' : 'quantity'
  const names = new Set([1, 2, 3, 4].map(() => somebody(scene).username))
  const rows = [...names].map((name) => [name, chance.between(1, 50)] as const)
  const form = csvForm([`username,${column}`, ...rows.map((row) => row.join(','))].join('\n'), {
    fields: value.packTypeId === undefined ? {} : { packTypeId: String(value.packTypeId) },
    fileName: `turn-${scene.turn}.csv`,
  })
  const good = () =>
    rows.flatMap(([name, amount]) => {
      const carriers = model.all('account').filter((one) => one.username === name && !one.isGone)
      return carriers.length === 1 && carriers[0] ? [[carriers[0].id, amount] as const] : []
    })
  await scene.change({
    method: 'POST',
    url: `/api/admin/bulk-distribute-${value.packTypeId === undefined ? 'redcoin' : 'packs'}`,
    words: `gives ${rows.length} people ${value.kind} by a file`,
    body: form.payload,
    headers: form.headers,
    key: `${scene.person.name}-${scene.turn}`,
    refusals: () => ({ invalid_input: good().length === 0 }),
    apply(answer) {
      const given = good()
      for (const [id, amount] of given) move(scene, value, id, amount)
      scene.check(answer.processedCount === given.length, `applies ${answer.processedCount} rows`)
      const { batchId: id } = answer
      model.set('batch', id, { id, packTypeId: value.packTypeId, given, isReversed: false })
    },
  })
}

export function reversing(scene: Scene, batchId: string, key = scene.key()): Change {
  const { model } = scene
  return {
    method: 'POST',
    url: `/api/admin/batches/${batchId}/reverse`,
    words: `takes batch ${batchId.slice(0, 8)} back`,
    key,
    refusals: () => ({ wrong_state: model.get('batch', batchId)?.isReversed === true }),
    apply(answer) {
      const batch = model.get('batch', batchId)
      if (batch === undefined) return
      const value = coinsOrPacksOf(batch.packTypeId)
      const there = batch.given.filter(([id]) => model.get('account', id)?.isGone === false)
      const taken = there.reduce((sum, [id, given]) => sum - move(scene, value, id, -given), 0)
      const said = answer.totalTaken ?? taken
      scene.check(said === taken, `says ${said} were taken back, not ${taken}`)
      model.change('batch', batchId, { isReversed: true })
    },
  }
}

async function reverse(scene: Scene): Promise<void> {
  const batches = scene.model.all('batch').slice(-6)
  if (batches.length === 0) return giveByFile(scene)
  await scene.change(reversing(scene, scene.chance.pick(batches).id))
}

export const grantHabits: readonly Habit[] = [
  { name: 'give', weight: 12, act: give },
  { name: 'take', weight: 2, act: take },
  { name: 'remove', weight: 2, act: remove },
  { name: 'give-all', weight: 0.6, act: giveAll },
  { name: 'take-all', weight: 0.05, act: takeAll },
  { name: 'give-by-file', weight: 4, act: giveByFile },
  { name: 'reverse', weight: 3, act: reverse },
]
