// What staff do: they give and take, edit what is being won, approve, delete and undo.

import { csvForm } from '../server/test/csv-form.ts'
import { noteListing, notePrize } from './founding.ts'
import type { Habit } from './habit.ts'
import type { Account, Prize } from './model.ts'
import { endSessions } from './people.ts'
import type { Body, Change, Scene } from './scene.ts'
import { packTypes } from './viewer.ts'

/** Somebody who takes part, gone or not. */
function somebody({ model, chance }: Scene): Account {
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

async function editPrize(scene: Scene): Promise<void> {
  await scene.change(editingPrize(scene))
}

/** Another chance, amount, name or state of a prize, in view of what stands there or not. */
export function editingPrize(scene: Scene): Change {
  const { model, chance } = scene
  const { id } = chance.pick(model.all('prize'))
  const seen = model.get('prize', id) as Prize
  const fields = chance.pick([
    { winFrequency: chance.between(1, 30) },
    { totalPacks: chance.between(20, 200) },
    { isActive: !seen.isActive || chance.isLikely(0.5) },
    { name: `${seen.name.replace(/ \d+$/, '')} ${chance.between(1, 99)}` },
    ...(seen.redCoinAmount > 0 ? [{ redCoinAmount: chance.between(1, 150) }] : []),
  ])
  const [field = ''] = Object.keys(fields)
  const isStale = chance.isLikely(0.15)
  const value = (prize: Prize) => prize[field as keyof Prize]
  const expected = { [field]: isStale ? staleOf(value(seen)) : value(seen) }
  const now = () => model.get('prize', id) as Prize
  const isSame = () => value(now()) === (fields as Body)[field]
  return {
    method: 'PUT',
    url: `/api/admin/prizes/${id}`,
    words: `changes ${field} of prize ${id} to ${Object.values(fields)[0]}`,
    body: { ...fields, expected },
    key: scene.key(),
    refusals: () => ({
      not_found: now().isDeleted,
      changed_meanwhile: !isSame() && value(now()) !== expected[field],
    }),
    apply(answer) {
      model.change('prize', id, fields)
      if (answer.id === undefined) return
      scene.check(answer[field] === (fields as Body)[field], `keeps ${field} as ${answer[field]}`)
    },
  }
}

const staleOf = (value: unknown) =>
  typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${value}?`

async function moveStock(scene: Scene): Promise<void> {
  const { model, chance } = scene
  const prize = chance.pick(model.all('prize'))
  const { id } = prize
  const now = () => model.get('prize', id) ?? prize
  const isAdding = chance.isLikely(0.6)
  const quantity = isAdding ? chance.between(1, 5) : chance.pick([0, 1, 10, 30])
  await scene.change({
    method: 'POST',
    url: `/api/admin/prizes/${id}/${isAdding ? 'add' : 'set'}-inventory`,
    words: `${isAdding ? 'adds' : 'sets the stock to'} ${quantity} of prize ${id}`,
    body: { quantity },
    key: scene.key(),
    refusals: () => ({ not_found: now().isDeleted, unlimited_stock: isAdding && !now().isLimited }),
    apply(answer) {
      const before = isAdding ? model.count('prizeStock', String(id)) : 0
      model.change('prize', id, { isLimited: true })
      model.set('prizeStock', id, before + quantity)
      const said = answer.inventoryQuantity ?? before + quantity
      scene.checkWhenAlone(
        said === before + quantity,
        `says ${said} are left, not ${before + quantity}`,
      )
    },
  })
}

async function editListing(scene: Scene): Promise<void> {
  const { model, chance } = scene
  const listing = chance.pick(model.all('listing'))
  const { id } = listing
  const now = () => model.get('listing', id) ?? listing
  const fields: Body = chance.pick<Body>([
    { redCoinPrice: chance.between(5, 60) },
    { isActive: chance.isLikely(0.7) },
    ...(listing.isUnlimited ? [] : [{ quantityAvailable: chance.between(0, 40) }]),
  ])
  await scene.change({
    method: 'PUT',
    url: `/api/admin/store/listings/${id}`,
    words: `changes listing ${id} to ${JSON.stringify(fields)}`,
    body: fields,
    key: scene.key(),
    refusals: () => ({ not_found: now().isDeleted }),
    apply() {
      const { redCoinPrice: price, isActive, quantityAvailable } = fields
      if (price !== undefined) model.change('listing', id, { price })
      if (isActive !== undefined) model.change('listing', id, { isActive })
      if (quantityAvailable !== undefined) model.set('listingStock', id, quantityAvailable)
    },
  })
}

/** Deletes a prize or listing, or brings it back. */
async function deleteOrRestore(scene: Scene): Promise<void> {
  const { model, chance } = scene
  const kind = chance.pick(['prize', 'listing'] as const)
  const one = chance.pick<{ id: number; isDeleted: boolean }>(model.all(kind))
  const isThere = () => !model.get(kind, one.id)?.isDeleted
  const isRestoring = one.isDeleted ? chance.isLikely(0.9) : chance.isLikely(0.2)
  const base = kind === 'prize' ? '/api/admin/prizes' : '/api/admin/store/listings'
  const note = kind === 'prize' ? notePrize : noteListing
  await scene.change({
    method: isRestoring ? 'POST' : 'DELETE',
    url: `${base}/${one.id}${isRestoring ? '/restore' : ''}`,
    words: `${isRestoring ? 'restores' : 'deletes'} ${kind} ${one.id}`,
    refusals: () => (isRestoring ? { wrong_state: isThere() } : { not_found: !isThere() }),
    apply(answer) {
      const before = kind === 'prize' ? 'prizeStock' : 'listingStock'
      const stock = model.get(before, one.id)
      model.change(kind, one.id, { isDeleted: !isRestoring })
      if (answer.id === undefined) return
      note(scene, answer)
      const after = model.get(before, one.id)
      scene.check(stock === after, `brings ${kind} ${one.id} back with ${after} left, not ${stock}`)
    },
  })
}

async function setConsolation(scene: Scene): Promise<void> {
  const consolationRedCoin = scene.chance.pick([0, 3, 5, 8])
  await scene.change({
    method: 'PUT',
    url: '/api/admin/settings/economy',
    words: `sets the consolation to ${consolationRedCoin}`,
    body: { consolationRedCoin },
    refusals: () => ({}),
    apply: () => scene.model.set('consolation', 'now', consolationRedCoin),
    find: async () => {
      const [row] = await scene.world.rows<{ value: unknown }>(
        'consolation',
        `SELECT value FROM app_settings WHERE key LIKE '%onsolation%'`,
      )
      return Number(row?.value ?? 5) === consolationRedCoin ? {} : undefined
    },
  })
}

async function block(scene: Scene): Promise<void> {
  const whom = somebody(scene)
  const isBlocked = scene.chance.isLikely(0.3)
  const { model } = scene
  await scene.change({
    method: 'PUT',
    url: `/api/admin/users/${whom.id}/earning-block`,
    words: `${isBlocked ? 'blocks' : 'allows'} earning of ${whom.username}`,
    body: { isBlocked, reason: 'seen twice' },
    refusals: () => ({
      not_found: model.get('account', whom.id)?.isGone === true,
      protected_account: whom.role === 'super_user',
    }),
    apply: () => model.change('account', whom.id, { isBlocked }),
  })
}

/** Makes somebody staff, or not any more: the super user's habit. */
async function changeRole(scene: Scene): Promise<void> {
  const { model, chance, people } = scene
  const isStaff = (name: string) => name.startsWith('staff')
  const known = people.filter(({ accountId }) => accountId !== undefined)
  const chosen = known.filter(({ name }) => isStaff(name) || chance.isLikely(0.02))
  const person = chosen.length > 0 ? chance.pick(chosen) : undefined
  const account = person && model.get('account', person.accountId ?? 0)
  if (person === undefined || account === undefined) return
  const role = isStaff(person.name) && chance.isLikely(0.85) ? 'admin' : 'user'
  await scene.change({
    method: 'PUT',
    url: `/api/admin/users/${account.id}/role`,
    words: `makes ${account.username} ${role}`,
    body: { role },
    refusals: () => ({
      not_found: model.get('account', account.id)?.isGone === true,
      protected_account: account.role === 'super_user',
    }),
    apply() {
      if (model.get('account', account.id)?.role === role) return
      model.change('account', account.id, { role, roleSince: scene.now })
      endSessions(scene, account.id)
    },
  })
}

export const catalogueHabits: readonly Habit[] = [
  { name: 'edit-prize', weight: 5, act: editPrize },
  { name: 'move-stock', weight: 5, act: moveStock },
  { name: 'edit-listing', weight: 4, act: editListing },
  { name: 'delete-or-restore', weight: 2, act: deleteOrRestore },
  { name: 'set-consolation', weight: 0.5, act: setConsolation },
]

export const grantHabits: readonly Habit[] = [
  { name: 'give', weight: 12, act: give },
  { name: 'take', weight: 2, act: take },
  { name: 'remove', weight: 2, act: remove },
  { name: 'give-all', weight: 0.6, act: giveAll },
  { name: 'take-all', weight: 0.05, act: takeAll },
  { name: 'give-by-file', weight: 4, act: giveByFile },
  { name: 'reverse', weight: 3, act: reverse },
  { name: 'block', weight: 1, act: block },
]

export const keeperHabits: readonly Habit[] = [{ name: 'change-role', weight: 1, act: changeRole }]
