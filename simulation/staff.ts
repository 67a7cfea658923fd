// What staff do: they edit what is being won and sold, delete it and bring it back, move claims,
// give and take, and say who may earn and who is staff.

import { csvForm } from '../server/test/csv-form.ts'
import { endSessions, goods, note } from './founding.ts'
import type { Claim } from './model.ts'
import type { Body, Change, Habit, Scene } from './scene.ts'
import { rowsOf } from './world.ts'

const staleOf = (value: unknown) =>
  typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${value}?`

/** Another chance, amount, name or state of a prize, in view of what stands there or not. */
export function editingPrize(scene: Scene): Change {
  const { model, chance } = scene
  const seen: Body = chance.pick(model.prizes.all())
  const { id } = seen
  const [field, value] = chance.pick<[string, unknown]>([
    ['winFrequency', chance.between(1, 30)],
    ['totalPacks', chance.between(20, 200)],
    ['isActive', !seen.isActive || chance.isLikely(0.5)],
    ['name', `${seen.name.replace(/ \d+$/, '')} ${chance.between(1, 99)}`],
    ...(seen.redCoinAmount > 0 ? [['redCoinAmount', chance.between(1, 150)] as const] : []),
  ] as [string, unknown][])
  const expected = chance.isLikely(0.15) ? staleOf(seen[field]) : seen[field]
  const now = () => model.prizes.get(id) as Body
  return {
    line: `PUT /api/admin/prizes/${id}`,
    words: `changes ${field} of prize ${id} to ${value}`,
    body: { [field]: value, expected: { [field]: expected } },
    key: scene.key(),
    refusals: () => ({
      not_found: now().isDeleted,
      changed_meanwhile: now()[field] !== value && now()[field] !== expected,
    }),
    apply(answer) {
      model.prizes.change(id, { [field]: value })
      scene.same(answer[field], value, field)
    },
  }
}

function moveStock(scene: Scene): Change {
  const { model, chance } = scene
  const prize = chance.pick(model.prizes.all())
  const { id } = prize
  const now = () => model.prizes.get(id) ?? prize
  const isAdding = chance.isLikely(0.6)
  const quantity = isAdding ? chance.between(1, 5) : chance.pick([0, 1, 10, 30])
  return {
    line: `POST /api/admin/prizes/${id}/${isAdding ? 'add' : 'set'}-inventory`,
    words: `${isAdding ? 'adds' : 'sets the stock to'} ${quantity} of prize ${id}`,
    body: { quantity },
    key: scene.key(),
    refusals: () => ({ not_found: now().isDeleted, unlimited_stock: isAdding && !now().isLimited }),
    apply(answer) {
      model.prizes.change(id, { isLimited: true })
      model.prizeStock.set(id, quantity + (isAdding ? model.prizeStock.of(id) : 0))
      scene.same(answer.inventoryQuantity, model.prizeStock.of(id), 'stock')
    },
  }
}

function editListing(scene: Scene): Change {
  const { model, chance } = scene
  const listing = chance.pick(model.listings.all())
  const { id } = listing
  const fields = chance.pick<Body>([
    { redCoinPrice: chance.between(5, 60) },
    { isActive: chance.isLikely(0.7) },
    ...(listing.isUnlimited ? [] : [{ quantityAvailable: chance.between(0, 40) }]),
  ])
  return {
    line: `PUT /api/admin/store/listings/${id}`,
    words: `changes listing ${id} to ${JSON.stringify(fields)}`,
    ...{ body: fields, key: scene.key() },
    refusals: () => ({ not_found: model.listings.get(id)?.isDeleted === true }),
    apply() {
      model.listings.change(id, fields)
      const { quantityAvailable } = fields
      if (quantityAvailable !== undefined) model.listingStock.set(id, quantityAvailable)
    },
  }
}

/** Deletes a prize or listing, or brings it back. */
function deleteOrRestore(scene: Scene): Change {
  const { model, chance } = scene
  const kind = chance.pick(['prizes', 'listings'] as const)
  const { stock, path } = goods[kind]
  const { id, isDeleted } = chance.pick<{ id: number; isDeleted: boolean }>(model[kind].all())
  const isThere = () => model[kind].get(id)?.isDeleted === false
  const isRestoring = chance.isLikely(isDeleted ? 0.9 : 0.2)
  const url = `/api/admin/${path}/${id}`
  return {
    line: isRestoring ? `POST ${url}/restore` : `DELETE ${url}`,
    words: `${isRestoring ? 'restores' : 'deletes'} number ${id} of the ${kind}`,
    refusals: () => (isRestoring ? { wrong_state: isThere() } : { not_found: !isThere() }),
    apply(answer) {
      const left = model[stock].get(id)
      model[kind].change(id, { isDeleted: !isRestoring })
      if (answer.id === undefined) return
      note(scene, kind, answer)
      scene.same(model[stock].get(id) ?? null, left ?? null, 'stock of what was restored')
    },
  }
}

function setConsolation(scene: Scene): Change {
  const consolationRedCoin = scene.chance.pick([0, 3, 5, 8])
  const text = `SELECT value FROM app_settings WHERE key LIKE '%onsolation%'`
  return {
    line: 'PUT /api/admin/settings/economy',
    words: `sets the consolation to ${consolationRedCoin}`,
    body: { consolationRedCoin },
    apply: () => scene.model.settings.set('consolation', consolationRedCoin),
    find: async () => {
      const [row] = await rowsOf<{ value: unknown }>(scene.world, 'consolation', text)
      return Number(row?.value ?? 5) === consolationRedCoin ? {} : undefined
    },
  }
}

/** A claim that is likely to stand open. */
function someClaim({ model, chance }: Scene): Claim | undefined {
  const claims = model.claims.all().slice(-60)
  const open = claims.filter(({ status, isDeleted }) => status !== 'completed' && !isDeleted)
  const some = open.length > 0 && chance.isLikely(0.8) ? open : claims
  return some.length > 0 ? chance.pick(some) : undefined
}

export function moving({ model, world }: Scene, { id }: Claim, status: Claim['status']): Change {
  const now = () => model.claims.get(id) as Claim
  const text = 'SELECT status FROM prize_claims WHERE claim_id = $1'
  return {
    line: `PATCH /api/admin/prize-claims/${id}`,
    words: `moves claim ${id} to ${status}`,
    body: { status },
    refusals: () => ({
      not_found: now().isDeleted,
      already_completed: !now().isDeleted && now().status === 'completed',
      wrong_state: now().status === status && status !== 'completed',
    }),
    apply: () => model.claims.change(id, { status }),
    async find() {
      const [row] = await rowsOf<Claim>(world, 'claim_status', text, id)
      return row?.status === status && now().status !== status ? {} : undefined
    },
  }
}

function moveClaim(scene: Scene): Change | undefined {
  const claim = someClaim(scene)
  const to = scene.chance.pick(['completed', 'completed', 'processing', 'pending'] as const)
  return claim && moving(scene, claim, to)
}

/** Row numbers and Claim IDs as the panel's list has them, which must be as the model has them. */
async function list(scene: Scene, status: string): Promise<{ id: number; claimId: string }[]> {
  const path = `/api/admin/prize-claims?page=1&limit=20&status=${status}`
  const heard = await scene.call({ line: `GET ${path}` })
  const claims = heard.isHeard && heard.status === 200 ? heard.body.claims : []
  for (const claim of claims) {
    const known = scene.model.claims.get(claim.claimId)
    const isSame = known?.status === claim.status && known?.accountId === claim.userId
    scene.check(isSame, `lists claim ${claim.claimId} as ${claim.status}`)
  }
  return claims
}

async function changeMany(scene: Scene): Promise<Change | undefined> {
  const { model, chance } = scene
  const rows = await list(scene, chance.pick(['pending', 'all']))
  const chosen = rows.filter(() => chance.isLikely(0.4))
  const act = chance.isLikely(0.85) ? 'approve' : 'delete'
  const after = act === 'delete' ? { isDeleted: true } : ({ status: 'completed' } as const)
  if (chosen.length === 0) return undefined
  return {
    line: 'POST /api/admin/prize-claims/many',
    words: `${act}s ${chosen.length} claims`,
    body: { act, ids: chosen.map(({ id }) => id) },
    key: scene.ownKey,
    apply({ verdicts }) {
      for (const [at, { claimId }] of chosen.entries()) {
        const claim = model.claims.get(claimId) as Claim
        const canBe = !claim.isDeleted && (act === 'delete' || claim.status !== 'completed')
        // What is deleted has no name in its verdict.
        const said = verdicts && verdicts[at].verdict === 'done'
        scene.same(said, canBe, `whether it can ${act} ${claimId}`)
        if (canBe) model.claims.change(claimId, after)
      }
    },
  }
}

function deleteClaim(scene: Scene): Change | undefined {
  const { claims } = scene.model
  const id = someClaim(scene)?.id
  if (id === undefined) return undefined
  return {
    line: `DELETE /api/admin/prize-claims/${id}`,
    words: `deletes claim ${id}`,
    refusals: () => ({ not_found: claims.get(id)?.isDeleted === true }),
    apply: () => claims.change(id, { isDeleted: true }),
  }
}

async function restoreClaim(scene: Scene): Promise<Change | undefined> {
  const { claims } = scene.model
  const rows = await list(scene, 'deleted')
  if (rows.length === 0) return undefined
  const { id, claimId } = scene.chance.pick(rows)
  return {
    line: 'POST /api/admin/prize-claims/restore',
    words: `restores claim ${claimId}`,
    body: { ids: [id] },
    refusals: () => ({ not_found: claims.get(claimId)?.isDeleted === false }),
    apply: () => claims.change(claimId, { isDeleted: false }),
  }
}

/** Somebody who takes part, gone or not. */
const somebody = ({ model, chance }: Scene) => chance.pick(model.accounts.all())
const isGone = ({ model }: Scene, id: number) => model.accounts.get(id)?.isGone === true

/** RedCoin, or packs of a type: how they are called, and where the model counts them. */
function someValue({ model, chance }: Scene, isCoins = chance.isLikely(0.5)) {
  return valueIn(model, isCoins ? undefined : chance.pick(model.packTypes))
}

function valueIn(model: Scene['model'], packTypeId: number | undefined) {
  const isCoins = packTypeId === undefined
  const counted = isCoins ? model.coins : model.packs
  const nameOf = (accountId: number) => (isCoins ? accountId : `${accountId} ${packTypeId}`)
  /** Gives, or takes at most what is there; answers what was changed. */
  const move = (accountId: number, amount: number) => {
    const delta = Math.max(amount, -counted.of(nameOf(accountId)))
    counted.add(nameOf(accountId), delta)
    return delta
  }
  const [what, field] = isCoins ? ['redcoin', 'amount'] : ['packs', 'quantity']
  return { packTypeId, counted, nameOf, move, what, field }
}

/** Gives to one or takes from one: by the call that does both, or by the one that takes only. */
function moveOne(scene: Scene, amount: number, isRemoval = false): Change {
  const { id, username } = somebody(scene)
  const { packTypeId, counted, nameOf, move, what, field } = someValue(scene)
  const description = isRemoval ? undefined : `turn ${scene.turn}`
  return {
    line: `POST /api/admin/${isRemoval ? 'remove-user' : 'distribute'}-${what}`,
    words: `${isRemoval ? 'removes from' : 'gives'} ${username} ${amount} ${what}`,
    body: { userId: id, [field]: amount, packTypeId, description },
    key: scene.key(),
    refusals: () => ({ not_found: isGone(scene, id) }),
    apply(answer) {
      const moved = move(id, isRemoval ? -amount : amount)
      const [after, removed] = [answer.newBalance ?? answer.newQuantity, answer.removedAmount]
      scene.same(after, counted.of(nameOf(id)), `${what} of ${username}`)
      if (isRemoval) scene.same(removed ?? answer.removedQuantity, 0 - moved, `removed ${what}`)
    },
  }
}

function giveAll(scene: Scene): Change {
  const { model } = scene
  return {
    line: 'POST /api/admin/distribute-redcoin',
    words: 'gives everybody 10 RedCoin',
    body: { allUsers: true, amount: 10, description: `turn ${scene.turn}` },
    key: scene.key(),
    apply(answer) {
      const all = model.accounts.all().filter((one) => !one.isGone && one.role !== 'super_user')
      for (const { id } of all) model.coins.add(id, 10)
      scene.same(answer.processedCount, all.length, 'people reached')
    },
  }
}

function takeAll(scene: Scene): Change {
  const { what, counted } = someValue(scene)
  return {
    line: `POST /api/admin/remove-all-${what}`,
    words: `takes all ${what} from everybody`,
    key: scene.key(),
    apply(answer) {
      const total = counted.all().reduce((sum, held) => sum + held, 0)
      for (const name of counted.names()) counted.set(name, 0)
      scene.same(answer.totalRemoved, total, `removed ${what}`)
    },
  }
}

function giveByFile(scene: Scene): Change {
  const { model, chance } = scene
  const value = someValue(scene)
  const { packTypeId } = value
  const names = new Set([1, 2, 3, 4].map(() => somebody(scene).username))
  const rows = [...names].map((name) => [name, chance.between(1, 50)] as const)
  const { payload, headers } = csvForm([['username', value.field], ...rows].join('\n'), {
    fields: packTypeId === undefined ? {} : { packTypeId: String(packTypeId) },
    fileName: `turn-${scene.turn}.csv`,
  })
  const good = () =>
    rows.flatMap(([name, amount]) => {
      const carriers = model.accounts.all().filter((one) => one.username === name && !one.isGone)
      return carriers.length === 1 ? carriers.map(({ id }) => [id, amount] as const) : []
    })
  return {
    line: `POST /api/admin/bulk-distribute-${value.what}`,
    words: `gives ${rows.length} people ${value.what} by a file`,
    ...{ body: payload, headers, key: scene.ownKey },
    refusals: () => ({ invalid_input: good().length === 0 }),
    apply({ processedCount, batchId: id }) {
      const given = good()
      for (const [accountId, amount] of given) value.move(accountId, amount)
      scene.check(processedCount === given.length, `applies ${processedCount} rows`)
      model.batches.set(id, { id, packTypeId, given, isReversed: false })
    },
  }
}

export function reversing(scene: Scene, batchId: string, key = scene.key()): Change {
  const { model } = scene
  return {
    line: `POST /api/admin/batches/${batchId}/reverse`,
    words: `takes batch ${batchId.slice(0, 8)} back`,
    key,
    refusals: () => ({ wrong_state: model.batches.get(batchId)?.isReversed === true }),
    apply(answer) {
      const { packTypeId, given = [] } = model.batches.get(batchId) ?? {}
      const value = valueIn(model, packTypeId)
      const there = given.filter(([id]) => model.accounts.get(id)?.isGone === false)
      const taken = there.reduce((sum, [id, amount]) => sum - value.move(id, -amount), 0)
      scene.same(answer.totalTaken, taken, `${value.what} taken back`)
      model.batches.change(batchId, { isReversed: true })
    },
  }
}

function reverse(scene: Scene): Change {
  const batches = scene.model.batches.all().slice(-6)
  if (batches.length === 0) return giveByFile(scene)
  return reversing(scene, scene.chance.pick(batches).id)
}

function block(scene: Scene): Change {
  const whom = somebody(scene)
  const isBlocked = scene.chance.isLikely(0.3)
  return {
    line: `PUT /api/admin/users/${whom.id}/earning-block`,
    words: `${isBlocked ? 'blocks' : 'allows'} earning of ${whom.username}`,
    body: { isBlocked, reason: 'seen twice' },
    refusals: () => ({
      not_found: isGone(scene, whom.id),
      protected_account: whom.role === 'super_user',
    }),
    apply: () => scene.model.accounts.change(whom.id, { isBlocked }),
  }
}

/** Makes somebody staff, or not any more: the super user's habit. */
function changeRole(scene: Scene): Change | undefined {
  const { model, chance, people } = scene
  const isStaff = (name: string) => name.startsWith('staff')
  const known = people.filter(({ accountId }) => accountId !== undefined)
  const chosen = known.filter(({ name }) => isStaff(name) || chance.isLikely(0.02))
  if (chosen.length === 0) return undefined
  const person = chance.pick(chosen)
  const account = model.accounts.get(person.accountId ?? 0)
  if (account === undefined) return undefined
  const role = isStaff(person.name) && chance.isLikely(0.85) ? 'admin' : 'user'
  return {
    line: `PUT /api/admin/users/${account.id}/role`,
    words: `makes ${account.username} ${role}`,
    body: { role },
    refusals: () => ({
      not_found: isGone(scene, account.id),
      protected_account: account.role === 'super_user',
    }),
    apply() {
      if (model.accounts.get(account.id)?.role === role) return
      model.accounts.change(account.id, { role, roleSince: scene.now })
      endSessions(scene, account.id)
    },
  }
}

export const staffHabits: readonly Habit[] = [
  ['edit-prize', 5, editingPrize],
  ['move-stock', 5, moveStock],
  ['edit-listing', 4, editListing],
  ['delete-or-restore', 2, deleteOrRestore],
  ['set-consolation', 0.5, setConsolation],
  ['move-claim', 6, moveClaim],
  ['change-many-claims', 3, changeMany],
  ['delete-claim', 1, deleteClaim],
  ['restore-claims', 1, restoreClaim],
  ['give', 12, (scene) => moveOne(scene, scene.chance.pick([1, 3, 20, 200]))],
  ['take', 2, (scene) => moveOne(scene, -scene.chance.pick([1, 5, 10_000]))],
  ['remove', 2, (scene) => moveOne(scene, scene.chance.pick([1, 7, 1_000_000]), true)],
  ['give-all', 0.6, giveAll],
  ['take-all', 0.05, takeAll],
  ['give-by-file', 4, giveByFile],
  ['reverse', 3, reverse],
  ['block', 1, block],
]

export const keeperHabits: readonly Habit[] = [['change-role', 1, changeRole]]
