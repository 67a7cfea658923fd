// What staff do: they edit what is being won and sold, delete it and bring it back, move claims,
// give and take, and say who may earn and who is staff.

import { csvForm } from '../server/test/csv-form.ts'
import { endSessions, goods, note } from './founding.ts'
import type { Account, Claim, Kept, Model } from './model.ts'
import { type Change, habit, type Scene, to, untilOf } from './scene.ts'
import { shippingHabits, shownDeadline, withStatus } from './shipping.ts'
import type { Body } from './world.ts'

/** What changes fields of one record; it may be refused in view of how the record stands. */
function changing<Value>(
  kept: Kept<Value>,
  id: string | number,
  call: ReturnType<typeof to>,
  fields: Partial<Value> | ((now: Value) => Partial<Value>),
  refusals: (now: Value) => ReturnType<NonNullable<Change['refusals']>>,
  compare: (answer: Body) => unknown = () => undefined,
): Change {
  const now = () => kept.get(id) as Value
  const apply = (answer: Body) => {
    kept.change(id, typeof fields === 'function' ? fields(now()) : fields)
    compare(answer)
  }
  return { ...call, refusals: () => refusals(now()), apply }
}
const deletedAt = (now: number) => ({ isDeleted: true, deletedAt: now })
const unlessDeleted = ({ isDeleted }: { isDeleted: boolean }) => ({ not_found: isDeleted })

const staleOf = (value: unknown) =>
  typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${value}?`

/** Another chance, amount, name or state of a prize, in view of what stands there or not. */
export function editingPrize({ model, chance, key, same }: Scene): Change {
  const seen: Body = chance.pick(model.prizes.all())
  const { id, name, isActive, redCoinAmount } = seen
  const fields = {
    winFrequency: chance.between(1, 30),
    totalPacks: chance.between(20, 200),
    isActive: !isActive || chance.isLikely(0.5),
    name: `${name.replace(/ \d+$/, '')} ${chance.between(1, 99)}`,
    ...(redCoinAmount > 0 && { redCoinAmount: chance.between(1, 150) }),
  }
  const [field = '', value] = chance.pick(Object.entries(fields))
  const expected = chance.isLikely(0.15) ? staleOf(seen[field]) : seen[field]
  const body = { [field]: value, expected: { [field]: expected } }
  const words = `changes ${field} of prize ${id} to ${value}`
  const call = to(`PUT admin/prizes/${id}`, words, body, key())
  const refusals = (now: Body) => ({
    not_found: now.isDeleted,
    changed_meanwhile: now[field] !== value && now[field] !== expected,
  })
  const compare = (answer: Body) => same(answer[field], value, field)
  return changing(model.prizes, id, call, { [field]: value }, refusals, compare)
}

/** A claim that is likely to stand open. */
function someClaim({ model, chance }: Scene): Claim | undefined {
  const claims = model.claims.all().slice(-60)
  const open = claims.filter(({ status, isDeleted }) => status !== 'completed' && !isDeleted)
  const some = open.length > 0 && chance.isLikely(0.8) ? open : claims
  return some.length > 0 ? chance.pick(some) : undefined
}

export function moving({ model, row, now }: Scene, { id }: Claim, status: Claim['status']): Change {
  const call = to(`PATCH admin/prize-claims/${id}`, `moves claim ${id} to ${status}`, { status })
  const find = async () => {
    const held = await row('SELECT status FROM prize_claims WHERE claim_id = $1', id)
    return held.status === status && model.claims.get(id)?.status !== status ? {} : undefined
  }
  const refusals = (now: Claim) => ({
    not_found: now.isDeleted,
    already_completed: !now.isDeleted && now.status === 'completed',
    wrong_state: now.status === status && status !== 'completed',
  })
  const fields = (claim: Claim) => withStatus(claim, status, now)
  return { ...changing(model.claims, id, call, fields, refusals), find }
}

/** Claims as the panel's list has them, which must be as the model has them. */
async function list({ call, model, check }: Scene, status: string): Promise<Body[]> {
  const path = `admin/prize-claims?page=1&limit=20&status=${status}`
  const heard = await call({ line: `GET ${path}` })
  const claims = heard.isHeard && heard.status === 200 ? heard.body.claims : []
  for (const claim of claims) {
    const known = model.claims.get(claim.claimId)
    const isSame = known?.status === claim.status && known?.accountId === claim.userId
    check(isSame, `lists claim ${claim.claimId} as ${claim.status}`)
  }
  return claims
}

/** Somebody who takes part, gone or not. */
const somebody = ({ model, chance }: Scene) => chance.pick(model.accounts.all())
const isGone = (model: Model, id: number) => model.accounts.get(id)?.isGone === true

/** RedCoin, or packs of a type: how they are called, and where the model counts them. */
function valueIn({ coins, packs }: Model, packTypeId: number | undefined) {
  const [counted, what, kind, field] =
    packTypeId === undefined
      ? ([coins, 'redcoin', 'RedCoin', 'amount'] as const)
      : ([packs, 'packs', 'packs', 'quantity'] as const)
  const nameOf = (id: number) => (packTypeId === undefined ? id : `${id} ${packTypeId}`)
  /** Gives, or takes at most what is there; answers what was changed. */
  const move = (accountId: number, amount: number) => {
    const delta = Math.max(amount, -counted.of(nameOf(accountId)))
    counted.add(nameOf(accountId), delta)
    return delta
  }
  return { packTypeId, counted, nameOf, move, what, kind, field }
}
const someValue = ({ model, chance }: Scene) =>
  valueIn(model, chance.isLikely(0.5) ? undefined : chance.pick(model.packTypes))

/** Gives to one or takes from one: by the call that does both, or by the one that takes only. */
function moveOne(scene: Scene, amount: number, isRemoval = false): Change {
  const { model, key, same, turn } = scene
  const { id, username } = somebody(scene)
  const { packTypeId, counted, nameOf, move, what, kind, field } = someValue(scene)
  const [path, words] = isRemoval ? ['remove-user', 'removes from'] : ['distribute', 'gives']
  const description = isRemoval ? undefined : `turn ${turn}`
  const body = { userId: id, [field]: amount, packTypeId, description }
  return {
    ...to(`POST admin/${path}-${what}`, `${words} ${username} ${amount} ${what}`, body, key()),
    refusals: () => ({ not_found: isGone(model, id) }),
    apply({ newBalance, newQuantity, removedAmount, removedQuantity }) {
      const moved = move(id, isRemoval ? -amount : amount)
      same(newBalance ?? newQuantity, counted.of(nameOf(id)), `${kind} of ${username}`)
      if (isRemoval) same(removedAmount ?? removedQuantity, 0 - moved, `removed ${what}`)
    },
  }
}

function givingByFile({ scene, model, chance, turn, check, ownKey }: Scene): Change {
  const { packTypeId, what, field, move } = someValue(scene)
  const names = new Set([1, 2, 3, 4].map(() => somebody(scene).username))
  const rows = [...names].map((name) => [name, chance.between(1, 50)] as const)
  const { payload, headers } = csvForm([['username', field], ...rows].join('\n'), {
    fields: packTypeId === undefined ? {} : { packTypeId: String(packTypeId) },
    fileName: `turn-${turn}.csv`,
  })
  const good = () =>
    rows.flatMap(([name, amount]) => {
      const carriers = model.accounts.all().filter((one) => one.username === name && !one.isGone)
      return carriers.length === 1 ? carriers.map(({ id }) => [id, amount] as const) : []
    })
  const words = `gives ${rows.length} people ${what} by a file`
  return {
    ...to(`POST admin/bulk-distribute-${what}`, words, payload, ownKey),
    headers,
    refusals: () => ({ invalid_input: good().length === 0 }),
    apply({ processedCount, batchId: id }) {
      const given = good()
      for (const [accountId, amount] of given) move(accountId, amount)
      check(processedCount === given.length, `applies ${processedCount} rows`)
      model.batches.set(id, { id, packTypeId, given, isReversed: false })
    },
  }
}

export function reversing({ model, same }: Scene, id: string, key?: string): Change {
  return {
    ...to(`POST admin/batches/${id}/reverse`, `takes batch ${id.slice(0, 8)} back`, undefined, key),
    refusals: () => ({ wrong_state: model.batches.get(id)?.isReversed === true }),
    apply(answer) {
      const { packTypeId, given = [] } = model.batches.get(id) ?? {}
      const { move, what } = valueIn(model, packTypeId)
      const there = given.filter(([accountId]) => !isGone(model, accountId))
      const taken = there.reduce((sum, [accountId, amount]) => sum - move(accountId, -amount), 0)
      same(answer.totalTaken, taken, `${what} taken back`)
      model.batches.change(id, { isReversed: true })
    },
  }
}

const unlessProtected = ({ isGone, role }: Account) => ({
  ...{ not_found: isGone, protected_account: role === 'super_user' },
})

/** Keeps somebody from opening, buying and earning, for a time or until staff end it. */
export function suspending({ model, chance, now, key, turn }: Scene, id: number): Change {
  const hours = chance.pick([1, 10, 72, undefined])
  const until = hours === undefined ? null : new Date(now + hours * 3_600_000).toISOString()
  const suspensionReason = `turn ${turn}`
  const words = `suspends ${model.accounts.get(id)?.username} until ${until}`
  const body = { until, reason: suspensionReason }
  const call = to(`PUT admin/users/${id}/suspension`, words, body, key())
  const fields = { suspendedUntil: untilOf({ until }), suspensionReason, standingSince: now }
  return changing(model.accounts, id, call, fields, unlessProtected)
}

export const staffHabits = [
  ...shippingHabits,
  habit('edit-prize', 5, editingPrize),
  habit('move-stock', 5, ({ model, chance, key, same }) => {
    const { id } = chance.pick(model.prizes.all())
    const isAdding = chance.isLikely(0.6)
    const quantity = isAdding ? chance.between(1, 5) : chance.pick([0, 1, 10, 30])
    const [path, act] = isAdding ? ['add', 'adds'] : ['set', 'sets the stock to']
    const words = `${act} ${quantity} of prize ${id}`
    return {
      ...to(`POST admin/prizes/${id}/${path}-inventory`, words, { quantity }, key()),
      refusals() {
        const { isDeleted, isLimited, deliversCodes } = model.prizes.get(id) as Body
        // The stock of codes is what is unused of them.
        const wrong_state = deliversCodes && !isDeleted
        return { not_found: isDeleted, unlimited_stock: isAdding && !isLimited, wrong_state }
      },
      apply(answer) {
        model.prizes.change(id, { isLimited: true })
        model.prizeStock.set(id, quantity + (isAdding ? model.prizeStock.of(id) : 0))
        same(answer.inventoryQuantity, model.prizeStock.of(id), `stock of prize ${id}`)
      },
    }
  }),
  // A list with codes that are new, empty, there twice, or known already.
  habit('add-codes', 3, ({ model, chance, key, ownKey, same }) => {
    const { id } = model.prizes.all().find(({ deliversCodes }) => deliversCodes) as Body
    const fresh = Array.from({ length: chance.between(1, 6) }, (_, at) => `${ownKey}-${at}`)
    const known = model.codes.names()
    const odd = ['', chance.pick(fresh), ...(known.length > 0 ? [chance.pick(known)] : [])]
    const codes = [...fresh, ...odd.filter(() => chance.isLikely(0.4))]
    const words = `adds ${codes.length} codes to prize ${id}`
    return {
      ...to(`POST admin/prizes/${id}/codes`, words, { codes }, key()),
      refusals: () => unlessDeleted(model.prizes.get(id) as Body),
      apply({ verdicts }: Body) {
        for (const [at, code] of codes.entries()) {
          const isTwice = codes.indexOf(code) < at
          const isKnown = model.codes.get(code) !== undefined
          const own = code === '' ? 'empty' : isTwice ? 'twice' : isKnown ? 'known' : 'added'
          if (verdicts !== undefined) same(verdicts[at].verdict, own, `verdict of line ${at + 1}`)
          if (own !== 'added') continue
          model.codes.set(code, { prizeId: id })
          model.prizeStock.add(id, 1)
        }
      },
    }
  }),
  habit('suspend', 2, (scene) => suspending(scene, somebody(scene).id)),
  habit('end-suspension', 1, ({ model, chance, key, now }) => {
    const all = model.accounts.all()
    const suspended = all.filter(({ id }) => model.isSuspended(id, now))
    const { id, username } = chance.pick(suspended.length > 0 ? suspended : all)
    const words = `ends the suspension of ${username}`
    const call = to(`DELETE admin/users/${id}/suspension`, words, undefined, key())
    const fields = ({ twitchId, discordId, suspendedUntil }: Account) => {
      if (suspendedUntil === undefined) return {}
      model.remembered.delete(`Twitch ${twitchId}`)
      model.remembered.delete(`Discord ${discordId}`)
      return { suspendedUntil: undefined, standingSince: now }
    }
    return changing(model.accounts, id, call, fields, ({ isGone: not_found }) => ({ not_found }))
  }),
  habit('edit-listing', 4, ({ model, chance, key }) => {
    const { id, isUnlimited } = chance.pick(model.listings.all())
    const fields = chance.pick<Body>([
      { redCoinPrice: chance.between(5, 60) },
      { isActive: chance.isLikely(0.7) },
      ...(isUnlimited ? [] : [{ quantityAvailable: chance.between(0, 40) }]),
    ])
    const words = `changes listing ${id} to ${JSON.stringify(fields)}`
    const call = to(`PUT admin/store/listings/${id}`, words, fields, key())
    const { quantityAvailable: left } = fields
    return changing(model.listings, id, call, fields, unlessDeleted, () => {
      if (left !== undefined) model.listingStock.set(id, left)
    })
  }),
  habit('delete-or-restore', 2, ({ scene, model, chance, same }) => {
    const kind = chance.pick(['prizes', 'listings'] as const)
    const { stock, path } = goods[kind]
    const { id, isDeleted } = chance.pick<{ id: number; isDeleted: boolean }>(model[kind].all())
    const isThere = () => model[kind].get(id)?.isDeleted === false
    const isRestoring = chance.isLikely(isDeleted ? 0.9 : 0.2)
    const url = `admin/${path}/${id}`
    return {
      line: isRestoring ? `POST ${url}/restore` : `DELETE ${url}`,
      words: `${isRestoring ? 'restores' : 'deletes'} number ${id} of the ${kind}`,
      refusals: () => (isRestoring ? { wrong_state: isThere() } : { not_found: !isThere() }),
      apply(answer) {
        const left = model[stock].get(id)
        model[kind].change(id, { isDeleted: !isRestoring })
        if (answer.id === undefined) return
        note(scene, kind, answer)
        same(model[stock].get(id) ?? null, left ?? null, 'stock of what was restored')
      },
    }
  }),
  habit('set-consolation', 0.5, ({ chance, model, row }) => {
    const consolationRedCoin = chance.pick([0, 3, 5, 8])
    const words = `sets the consolation to ${consolationRedCoin}`
    return {
      ...to('PUT admin/settings/economy', words, { consolationRedCoin }),
      apply: () => model.settings.set('consolation', consolationRedCoin),
      async find() {
        const held = await row(`SELECT value FROM app_settings WHERE key LIKE '%onsolation%'`)
        const isNew = consolationRedCoin !== model.settings.of('consolation')
        return isNew && Number(held?.value ?? 5) === consolationRedCoin ? {} : undefined
      },
    }
  }),
  habit('move-claim', 6, (scene) => {
    const claim = someClaim(scene)
    const status = scene.chance.pick(['completed', 'completed', 'processing', 'pending'] as const)
    return claim && moving(scene, claim, status)
  }),
  habit('change-many-claims', 3, async ({ scene, model, chance, same, ownKey }) => {
    const rows = await list(scene, chance.pick(['pending', 'all']))
    const chosen = rows.filter(() => chance.isLikely(0.4))
    const act = chance.isLikely(0.85) ? 'approve' : 'delete'
    if (chosen.length === 0) return undefined
    const body = { act, ids: chosen.map(({ id }) => id) }
    return {
      ...to('POST admin/prize-claims/many', `${act}s ${chosen.length} claims`, body, ownKey),
      apply({ verdicts }: Body) {
        for (const [at, { claimId }] of chosen.entries()) {
          const claim = model.claims.get(claimId) as Claim
          const canBe = !claim.isDeleted && (act === 'delete' || claim.status !== 'completed')
          // What is deleted has no name in its verdict.
          const said = verdicts && verdicts[at].verdict === 'done'
          same(said, canBe, `whether it can ${act} ${claimId}`)
          if (!canBe) continue
          const approved = withStatus(claim, 'completed', scene.now)
          model.claims.change(claimId, act === 'delete' ? deletedAt(scene.now) : approved)
        }
      },
    }
  }),
  habit('delete-claim', 1, (scene) => {
    const { id } = someClaim(scene) ?? {}
    const call = to(`DELETE admin/prize-claims/${id}`, `deletes claim ${id}`)
    return id && changing(scene.model.claims, id, call, deletedAt(scene.now), unlessDeleted)
  }),
  habit('restore-claims', 1, async (scene) => {
    const [{ id, claimId } = {} as Body] = await list(scene, 'deleted')
    const call = to('POST admin/prize-claims/restore', `restores claim ${claimId}`, { ids: [id] })
    const refusals = (now: Claim) => ({ not_found: !now.isDeleted })
    const shown = (claim: Claim) => ({
      isDeleted: false,
      ...(claim.state === 'address_wanted' && { deadline: shownDeadline(claim, scene.now) }),
    })
    return id && changing(scene.model.claims, claimId, call, shown, refusals)
  }),
  habit('give', 12, (scene) => moveOne(scene, scene.chance.pick([1, 3, 20, 200]))),
  habit('take', 2, (scene) => moveOne(scene, -scene.chance.pick([1, 5, 10_000]))),
  habit('remove', 2, (scene) => moveOne(scene, scene.chance.pick([1, 7, 1_000_000]), true)),
  habit('give-all', 0.6, ({ model, turn, key, same }) => {
    const body = { allUsers: true, amount: 10, description: `turn ${turn}` }
    return {
      ...to('POST admin/distribute-redcoin', 'gives everybody 10 RedCoin', body, key()),
      apply(answer) {
        const all = model.accounts.all().filter((one) => !one.isGone && one.role !== 'super_user')
        for (const { id } of all) model.coins.add(id, 10)
        same(answer.processedCount, all.length, 'people reached')
      },
    }
  }),
  habit('take-all', 0.05, (scene) => {
    const { what, counted } = someValue(scene)
    const words = `takes all ${what} from everybody`
    return {
      ...to(`POST admin/remove-all-${what}`, words, undefined, scene.key()),
      apply(answer) {
        const total = counted.all().reduce((sum, held) => sum + held, 0)
        for (const name of counted.names()) counted.set(name, 0)
        scene.same(answer.totalRemoved, total, `removed ${what}`)
      },
    }
  }),
  habit('give-by-file', 4, givingByFile),
  habit('reverse', 3, (scene) => {
    const batches = scene.model.batches.all().slice(-6)
    if (batches.length === 0) return givingByFile(scene)
    return reversing(scene, scene.chance.pick(batches).id, scene.key())
  }),
  habit('block', 1, (scene) => {
    const { id, username } = somebody(scene)
    const isBlocked = scene.chance.isLikely(0.3)
    const words = `${isBlocked ? 'blocks' : 'allows'} earning of ${username}`
    const body = { isBlocked, reason: 'seen twice' }
    const call = to(`PUT admin/users/${id}/earning-block`, words, body)
    return changing(scene.model.accounts, id, call, { isBlocked }, unlessProtected)
  }),
]

/** Makes somebody staff, or not any more. */
export const keeperHabits = [
  habit('change-role', 1, ({ scene, model, chance, people }) => {
    const isStaff = (name: string) => name.startsWith('staff')
    const known = people.filter(({ accountId }) => accountId > 0)
    const chosen = known.filter(({ name }) => isStaff(name) || chance.isLikely(0.02))
    if (chosen.length === 0) return undefined
    const { accountId: id, name } = chance.pick(chosen)
    const role: Account['role'] = isStaff(name) && chance.isLikely(0.85) ? 'admin' : 'user'
    const words = `makes ${role}: ${model.accounts.get(id)?.username}`
    const call = to(`PUT admin/users/${id}/role`, words, { role })
    const fields = (now: Account) => {
      if (now.role === role) return {}
      endSessions(scene, id)
      return { role, roleSince: scene.now }
    }
    return changing(model.accounts, id, call, fields, unlessProtected)
  }),
]
