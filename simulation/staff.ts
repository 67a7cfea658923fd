// What staff do: they edit what is being won and sold, delete it and bring it back, move claims,
// give and take, and say who may earn and who is staff.

import { csvForm } from '../server/test/csv-form.ts'
import { endSessions, goods, note } from './founding.ts'
import type { Account, Claim } from './model.ts'
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

async function moveStock(scene: Scene): Promise<void> {
  const { model, chance } = scene
  const prize = chance.pick(model.prizes.all())
  const { id } = prize
  const now = () => model.prizes.get(id) ?? prize
  const isAdding = chance.isLikely(0.6)
  const quantity = isAdding ? chance.between(1, 5) : chance.pick([0, 1, 10, 30])
  await scene.change({
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
  })
}

async function editListing(scene: Scene): Promise<void> {
  const { model, chance } = scene
  const listing = chance.pick(model.listings.all())
  const { id } = listing
  const fields = chance.pick<Body>([
    { redCoinPrice: chance.between(5, 60) },
    { isActive: chance.isLikely(0.7) },
    ...(listing.isUnlimited ? [] : [{ quantityAvailable: chance.between(0, 40) }]),
  ])
  await scene.change({
    line: `PUT /api/admin/store/listings/${id}`,
    words: `changes listing ${id} to ${JSON.stringify(fields)}`,
    ...{ body: fields, key: scene.key() },
    refusals: () => ({ not_found: model.listings.get(id)?.isDeleted === true }),
    apply() {
      model.listings.change(id, fields)
      const { quantityAvailable } = fields
      if (quantityAvailable !== undefined) model.listingStock.set(id, quantityAvailable)
    },
  })
}

/** Deletes a prize or listing, or brings it back. */
async function deleteOrRestore(scene: Scene): Promise<void> {
  const { model, chance } = scene
  const kind = chance.pick(['prize', 'listing'] as const)
  const { all, stock, url } = goods[kind]
  const one = chance.pick<Body>(model[all].all())
  const isThere = () => model[all].get(one.id)?.isDeleted === false
  const isRestoring = chance.isLikely(one.isDeleted ? 0.9 : 0.2)
  await scene.change({
    line: isRestoring ? `POST ${url}/${one.id}/restore` : `DELETE ${url}/${one.id}`,
    words: `${isRestoring ? 'restores' : 'deletes'} ${kind} ${one.id}`,
    refusals: () => (isRestoring ? { wrong_state: isThere() } : { not_found: !isThere() }),
    apply(answer) {
      const left = model[stock].get(one.id)
      model[all].change(one.id, { isDeleted: !isRestoring })
      if (answer.id === undefined) return
      note(scene, kind, answer)
      scene.same(model[stock].get(one.id), left, `stock of ${kind} ${one.id}`)
    },
  })
}

async function setConsolation(scene: Scene): Promise<void> {
  const consolationRedCoin = scene.chance.pick([0, 3, 5, 8])
  const text = `SELECT value FROM app_settings WHERE key LIKE '%onsolation%'`
  await scene.change({
    line: 'PUT /api/admin/settings/economy',
    words: `sets the consolation to ${consolationRedCoin}`,
    body: { consolationRedCoin },
    apply: () => scene.model.settings.set('consolation', consolationRedCoin),
    find: async () => {
      const [row] = await rowsOf<{ value: unknown }>(scene.world, 'consolation', text)
      return Number(row?.value ?? 5) === consolationRedCoin ? {} : undefined
    },
  })
}

/** A claim that is likely to stand open. */
function someClaim({ model, chance }: Scene): Claim | undefined {
  const claims = model.claims.all().slice(-60)
  const open = claims.filter(({ status, isDeleted }) => status !== 'completed' && !isDeleted)
  const some = open.length > 0 && chance.isLikely(0.8) ? open : claims
  return some.length > 0 ? chance.pick(some) : undefined
}

export function moving({ model, world }: Scene, { id }: Claim, status: Claim['status']): Change {
  const now = () => model.claims.get(id)
  const text = 'SELECT status FROM prize_claims WHERE claim_id = $1'
  return {
    line: `PATCH /api/admin/prize-claims/${id}`,
    words: `moves claim ${id} to ${status}`,
    body: { status },
    refusals: () => ({
      not_found: now()?.isDeleted === true,
      already_completed: now()?.isDeleted === false && now()?.status === 'completed',
      wrong_state: now()?.status === status && status !== 'completed',
    }),
    apply: () => model.claims.change(id, { status }),
    async find() {
      const [row] = await rowsOf<Claim>(world, 'claim_status', text, id)
      return row?.status === status && now()?.status !== status ? {} : undefined
    },
  }
}

async function moveClaim(scene: Scene): Promise<void> {
  const claim = someClaim(scene)
  const to = scene.chance.pick(['completed', 'completed', 'processing', 'pending'] as const)
  if (claim !== undefined) await scene.change(moving(scene, claim, to))
}

/** Row numbers by Claim ID, as the panel's list has them, which must be as the model has them. */
async function list(scene: Scene, status: string): Promise<{ id: number; claimId: string }[]> {
  const line = `GET /api/admin/prize-claims?page=1&limit=20&status=${status}` as const
  const heard = await scene.call({ line })
  if (!heard.isHeard || heard.status !== 200) return []
  for (const claim of heard.body.claims) {
    const known = scene.model.claims.get(claim.claimId)
    const isSame = known?.status === claim.status && known?.accountId === claim.userId
    scene.check(isSame, `lists claim ${claim.claimId} as ${claim.status}`)
  }
  return heard.body.claims
}

async function changeMany(scene: Scene): Promise<void> {
  const { model, chance } = scene
  const rows = await list(scene, chance.pick(['pending', 'all']))
  const chosen = rows.filter(() => chance.isLikely(0.4))
  if (chosen.length === 0) return
  const act = chance.isLikely(0.85) ? 'approve' : 'delete'
  const canBe = (id: string) => {
    const claim = model.claims.get(id)
    return claim?.isDeleted === false && (act === 'delete' || claim.status !== 'completed')
  }
  await scene.change({
    line: 'POST /api/admin/prize-claims/many',
    words: `${act}s ${chosen.length} claims`,
    body: { act, ids: chosen.map(({ id }) => id) },
    key: scene.ownKey,
    apply({ verdicts }) {
      for (const [at, { claimId }] of chosen.entries()) {
        const isDone = canBe(claimId)
        // What is deleted has no name in its verdict.
        const said = verdicts && verdicts[at].verdict === 'done'
        scene.same(said, isDone, `whether it can ${act} ${claimId}`)
        if (!isDone) continue
        model.claims.change(
          claimId,
          act === 'delete' ? { isDeleted: true } : { status: 'completed' },
        )
      }
    },
  })
}

/** Deletes a claim, or brings one back that was deleted. */
async function deleteClaim(scene: Scene): Promise<void> {
  const { model } = scene
  const claim = someClaim(scene)
  if (claim === undefined) return
  await scene.change({
    line: `DELETE /api/admin/prize-claims/${claim.id}`,
    words: `deletes claim ${claim.id}`,
    refusals: () => ({ not_found: model.claims.get(claim.id)?.isDeleted === true }),
    apply: () => model.claims.change(claim.id, { isDeleted: true }),
  })
}

async function restoreClaim(scene: Scene): Promise<void> {
  const { model } = scene
  const rows = await list(scene, 'deleted')
  if (rows.length === 0) return
  const { id, claimId } = scene.chance.pick(rows)
  await scene.change({
    line: 'POST /api/admin/prize-claims/restore',
    words: `restores claim ${claimId}`,
    body: { ids: [id] },
    refusals: () => ({ not_found: model.claims.get(claimId)?.isDeleted === false }),
    apply: () => model.claims.change(claimId, { isDeleted: false }),
  })
}

/** Somebody who takes part, gone or not. */
const somebody = ({ model, chance }: Scene) => chance.pick(model.accounts.all())
const isGone = ({ model }: Scene, { id }: Account) => model.accounts.get(id)?.isGone === true

/** RedCoin, or packs of a type: how they are called, and where the model counts them. */
function valueOf({ model }: Scene, packTypeId: number | undefined) {
  const isCoins = packTypeId === undefined
  return {
    packTypeId,
    ...(isCoins
      ? { what: 'redcoin', amount: 'amount', counted: model.coins }
      : { what: 'packs', amount: 'quantity', counted: model.packs }),
    nameOf: (accountId: number) => (isCoins ? accountId : `${accountId} ${packTypeId}`),
    /** Gives, or takes at most what is there; answers what was changed. */
    move(accountId: number, amount: number): number {
      const name = this.nameOf(accountId)
      const delta = Math.max(amount, -this.counted.of(name))
      this.counted.add(name, delta)
      return delta
    },
  }
}

function someValue(scene: Scene) {
  const { chance, model } = scene
  return valueOf(scene, chance.isLikely(0.5) ? undefined : chance.pick(model.packTypes))
}

/** Gives to one or takes from one: by the call that does both, or by the one that takes only. */
async function moveOne(scene: Scene, amount: number, isRemoval = false): Promise<void> {
  const [who, value] = [somebody(scene), someValue(scene)]
  const { what, packTypeId, nameOf, counted } = value
  const description = isRemoval ? undefined : `turn ${scene.turn}`
  await scene.change({
    line: `POST /api/admin/${isRemoval ? `remove-user-${what}` : `distribute-${what}`}`,
    words: `${isRemoval ? 'removes from' : 'gives'} ${who.username} ${amount} ${what}`,
    body: { userId: who.id, [value.amount]: amount, packTypeId, description },
    key: scene.key(),
    refusals: () => ({ not_found: isGone(scene, who) }),
    apply(answer) {
      const moved = value.move(who.id, isRemoval ? -amount : amount)
      scene.same(answer.newBalance ?? answer.newQuantity, counted.of(nameOf(who.id)), what)
      scene.same(answer.removedAmount ?? answer.removedQuantity, -moved, `removed ${what}`)
    },
  })
}

async function giveAll(scene: Scene): Promise<void> {
  const { model } = scene
  await scene.change({
    line: 'POST /api/admin/distribute-redcoin',
    words: 'gives everybody 10 RedCoin',
    body: { allUsers: true, amount: 10, description: `turn ${scene.turn}` },
    key: scene.key(),
    apply(answer) {
      const all = model.accounts.all().filter((one) => !one.isGone && one.role !== 'super_user')
      for (const { id } of all) model.coins.add(id, 10)
      scene.same(answer.processedCount, all.length, 'people reached')
    },
  })
}

async function takeAll(scene: Scene): Promise<void> {
  const { what, counted } = someValue(scene)
  await scene.change({
    line: `POST /api/admin/remove-all-${what}`,
    words: `takes all ${what} from everybody`,
    key: scene.key(),
    apply(answer) {
      const total = counted.all().reduce((sum, held) => sum + held, 0)
      for (const name of counted.names()) counted.set(name, 0)
      scene.same(answer.totalRemoved, total, `removed ${what}`)
    },
  })
}

async function giveByFile(scene: Scene): Promise<void> {
  const { model, chance } = scene
  const value = someValue(scene)
  const { packTypeId } = value
  const names = new Set([1, 2, 3, 4].map(() => somebody(scene).username))
  const rows = [...names].map((name) => [name, chance.between(1, 50)] as const)
  const { payload, headers } = csvForm([['username', value.amount], ...rows].join('\n'), {
    fields: packTypeId === undefined ? {} : { packTypeId: String(packTypeId) },
    fileName: `turn-${scene.turn}.csv`,
  })
  const good = () =>
    rows.flatMap(([name, amount]) => {
      const carriers = model.accounts.all().filter((one) => one.username === name && !one.isGone)
      return carriers.length === 1 ? carriers.map(({ id }) => [id, amount] as const) : []
    })
  await scene.change({
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
  })
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
      const value = valueOf(scene, packTypeId)
      const there = given.filter(([id]) => model.accounts.get(id)?.isGone === false)
      const taken = there.reduce((sum, [id, amount]) => sum - value.move(id, -amount), 0)
      scene.same(answer.totalTaken, taken, `${value.what} taken back`)
      model.batches.change(batchId, { isReversed: true })
    },
  }
}

async function reverse(scene: Scene): Promise<void> {
  const batches = scene.model.batches.all().slice(-6)
  if (batches.length === 0) return giveByFile(scene)
  await scene.change(reversing(scene, scene.chance.pick(batches).id))
}

async function block(scene: Scene): Promise<void> {
  const whom = somebody(scene)
  const isBlocked = scene.chance.isLikely(0.3)
  await scene.change({
    line: `PUT /api/admin/users/${whom.id}/earning-block`,
    words: `${isBlocked ? 'blocks' : 'allows'} earning of ${whom.username}`,
    body: { isBlocked, reason: 'seen twice' },
    refusals: () => ({
      not_found: isGone(scene, whom),
      protected_account: whom.role === 'super_user',
    }),
    apply: () => scene.model.accounts.change(whom.id, { isBlocked }),
  })
}

/** Makes somebody staff, or not any more: the super user's habit. */
async function changeRole(scene: Scene): Promise<void> {
  const { model, chance, people } = scene
  const isStaff = (name: string) => name.startsWith('staff')
  const known = people.filter(({ accountId }) => accountId !== undefined)
  const chosen = known.filter(({ name }) => isStaff(name) || chance.isLikely(0.02))
  if (chosen.length === 0) return
  const person = chance.pick(chosen)
  const account = model.accounts.get(person.accountId ?? 0)
  if (account === undefined) return
  const role = isStaff(person.name) && chance.isLikely(0.85) ? 'admin' : 'user'
  await scene.change({
    line: `PUT /api/admin/users/${account.id}/role`,
    words: `makes ${account.username} ${role}`,
    body: { role },
    refusals: () => ({
      not_found: isGone(scene, account),
      protected_account: account.role === 'super_user',
    }),
    apply() {
      if (model.accounts.get(account.id)?.role === role) return
      model.accounts.change(account.id, { role, roleSince: scene.now })
      endSessions(scene, account.id)
    },
  })
}

export const staffHabits: readonly Habit[] = [
  { name: 'edit-prize', weight: 5, act: async (s) => void (await s.change(editingPrize(s))) },
  { name: 'move-stock', weight: 5, act: moveStock },
  { name: 'edit-listing', weight: 4, act: editListing },
  { name: 'delete-or-restore', weight: 2, act: deleteOrRestore },
  { name: 'set-consolation', weight: 0.5, act: setConsolation },
  { name: 'move-claim', weight: 6, act: moveClaim },
  { name: 'change-many-claims', weight: 3, act: changeMany },
  { name: 'delete-claim', weight: 1, act: deleteClaim },
  { name: 'restore-claims', weight: 1, act: restoreClaim },
  { name: 'give', weight: 12, act: (s) => moveOne(s, s.chance.pick([1, 3, 20, 200])) },
  { name: 'take', weight: 2, act: (s) => moveOne(s, -s.chance.pick([1, 5, 10_000])) },
  { name: 'remove', weight: 2, act: (s) => moveOne(s, s.chance.pick([1, 7, 1_000_000]), true) },
  { name: 'give-all', weight: 0.6, act: giveAll },
  { name: 'take-all', weight: 0.05, act: takeAll },
  { name: 'give-by-file', weight: 4, act: giveByFile },
  { name: 'reverse', weight: 3, act: reverse },
  { name: 'block', weight: 1, act: block },
]

export const keeperHabits: readonly Habit[] = [{ name: 'change-role', weight: 1, act: changeRole }]
