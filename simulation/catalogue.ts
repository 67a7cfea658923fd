// How staff edit what is being won and sold at the same time, delete it and bring it back.

import { noteListing, notePrize } from './founding.ts'
import type { Habit } from './habit.ts'
import type { Prize } from './model.ts'
import type { Body } from './moment.ts'
import type { Change, Scene } from './scene.ts'

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

export const catalogueHabits: readonly Habit[] = [
  { name: 'edit-prize', weight: 5, act: editPrize },
  { name: 'move-stock', weight: 5, act: moveStock },
  { name: 'edit-listing', weight: 4, act: editListing },
  { name: 'delete-or-restore', weight: 2, act: deleteOrRestore },
  { name: 'set-consolation', weight: 0.5, act: setConsolation },
]
