// Giving packs or RedCoin to one, some or all, with a receipt of what can be reversed; and taking
// them from one or all.

import {
  adminGrantsContract as contract,
  type Recipients,
  type RemoveAllResponse,
} from '@redpack/contract'
import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { sqlState } from '../../adapters/db/retry.ts'
import type { ProductEvent } from '../../adapters/events/events.ts'
import { command } from '../../adapters/http/command.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { DomainError, existing, invariant } from '../../shared/domain-error.ts'
import { grouped } from '../../shared/grouped.ts'
import { numberText } from '../../shared/number-text.ts'
import { changedUsers } from '../../shared/staff-call.ts'
import {
  type Changed,
  changeBalances,
  changeHoldings,
  type ManyChanges,
  type ManyReason,
  takeAllBalances,
  takeAllHoldings,
} from '../ledger/ledger-tables.ts'
import {
  addBatchWithRows,
  allowLongBatch,
  allRecipients,
  findPackType,
  holdPackType,
  type NewBatchRow,
  type Recipient,
  recipientById,
  recipientsByName,
  rowOfLeaver,
} from './tables.ts'

export function registerGrants(context: FeatureContext): void {
  const { random } = context.deps
  command(context, contract.distributePacks, {
    order: ({ body: { packTypeId, recipients: target, quantity: amount, description } }) => {
      return { packTypeId, target, amount, description }
    },
    run: (tx, by, order) => distribute(tx, by, order, random.uuidInOrder(), packsAnswer),
  })
  command(context, contract.distributeRedCoin, {
    order: ({ body: { recipients: target, amount, description } }) => {
      return { packTypeId: undefined, target, amount, description }
    },
    run: (tx, by, order) => distribute(tx, by, order, random.uuidInOrder(), redCoinAnswer),
  })
  command(context, contract.removeUserPacks, {
    order: ({ body: { userId, packTypeId, quantity, description } }) => {
      const target = { kind: 'user', userId } as const
      return { packTypeId, target, amount: -quantity, description }
    },
    run: (tx, by, order) => distribute(tx, by, order, random.uuidInOrder(), packsOfOneAnswer),
  })
  command(context, contract.removeUserRedCoin, {
    order: ({ body: { userId, amount, description } }) => {
      const target = { kind: 'user', userId } as const
      return { packTypeId: undefined, target, amount: -amount, description }
    },
    run: (tx, by, order) => distribute(tx, by, order, random.uuidInOrder(), redCoinOfOneAnswer),
  })
  command(context, contract.removeAllRedCoin, {
    order: () => 'redcoin' as const,
    run: (tx, by, what) => takeFromAll(tx, by, what, random.uuidInOrder()),
  })
  command(context, contract.removeAllPacks, {
    order: () => 'packs' as const,
    run: (tx, by, what) => takeFromAll(tx, by, what, random.uuidInOrder()),
  })
}

export interface Distribution {
  /** Packs of this type; RedCoin when undefined. */
  readonly packTypeId: number | undefined
  readonly target: Recipients
  /** Signed, not 0. A negative amount takes at most what is there. */
  readonly amount: number
  readonly description: string
}

interface UnreachedName {
  readonly username: string
  readonly verdict: 'unknown' | 'ambiguous'
  readonly reason: string
}

interface Reached {
  readonly recipients: readonly Recipient[]
  readonly errors: readonly UnreachedName[]
}

/**
 * Finds the users a grant is for. Known names are reached even when others are not.
 * @throws DomainError not_found for an unknown id; invalid_input when no name is known
 */
async function findRecipients(tx: Queryable, target: Recipients): Promise<Reached> {
  if (target.kind === 'all') return { recipients: await allRecipients(tx), errors: [] }
  if (target.kind === 'user') {
    const recipient = existing(await recipientById(tx, target.userId), 'User not found')
    return { recipients: [recipient], errors: [] }
  }
  return reachNames(target.usernames, await recipientsByName(tx, target.usernames))
}

function reachNames(usernames: readonly string[], found: readonly Recipient[]): Reached {
  const byName = grouped(found, ({ username }) => username)
  const recipients: Recipient[] = []
  const errors: UnreachedName[] = []
  for (const username of usernames) {
    const carriers = byName.get(username) ?? []
    const [only] = carriers
    if (only !== undefined && carriers.length === 1) recipients.push(only)
    else if (only === undefined) errors.push(unknownName({ username }))
    else errors.push({ username, verdict: 'ambiguous', reason: 'Several users' })
  }
  return reachedSome({ recipients, errors })
}

/** @throws DomainError where nobody is reached */
function reachedSome(reached: Reached): Reached {
  if (reached.recipients.length > 0) return reached
  throw new DomainError('invalid_input', 'None of the usernames is known', {
    errors: reached.errors.map(({ username, reason }) => ({
      path: 'usernames',
      message: `${username}: ${reason}`,
    })),
  })
}

/** Without those who have left since they were found. @throws DomainError where nobody is left */
function stillThere(target: Recipients, people: Reached, changed: readonly Changed[]): Reached {
  // Nobody is named there, and they may be a hundred thousand.
  if (target.kind === 'all') return people
  const ids = new Set(changed.map(({ userId }) => userId))
  const left = people.recipients.filter(({ id }) => !ids.has(id))
  if (left.length === 0) return people
  if (target.kind === 'user') throw new DomainError('not_found', 'User not found')
  const recipients = people.recipients.filter(({ id }) => ids.has(id))
  return reachedSome({ recipients, errors: [...people.errors, ...left.map(unknownName)] })
}

function unknownName({ username }: Pick<Recipient, 'username'>): UnreachedName {
  return { username, verdict: 'unknown', reason: 'Unknown user' }
}

export interface Granted {
  readonly message: string
  /** How many users were reached. */
  readonly processedCount: number
  /** The user when it was only one, and what they hold since then. */
  readonly username: string | null
  readonly after: number | null
  /** How much was really taken; 0 for a grant. */
  readonly removed: number
  readonly errors: { readonly username: string; readonly reason: string }[]
}

export function packsAnswer({ after, removed, errors, ...granted }: Granted) {
  const quantities = { newQuantity: after, removedQuantity: removed }
  return { success: true as const, ...granted, ...quantities, errors }
}

export function redCoinAnswer({ after, removed, errors, ...granted }: Granted) {
  const amounts = { newBalance: after, removedAmount: removed }
  return { success: true as const, ...granted, ...amounts, errors }
}

/** The same for a call that names one user. */
export function packsOfOneAnswer(granted: Granted) {
  const { username, after } = onlyUser(granted)
  return { ...packsAnswer(granted), username, newQuantity: after }
}

function redCoinOfOneAnswer(granted: Granted) {
  const { username, after } = onlyUser(granted)
  return { ...redCoinAnswer(granted), username, newBalance: after }
}

function onlyUser({ username, after }: Granted) {
  invariant(username !== null && after !== null, 'one user was named and found')
  return { username, after }
}

/** The reason of every row of a batch, whose id is their source. */
export function staffReason(batchId: string, description: string, now: Date): ManyReason {
  return {
    gain: 'admin_grant',
    loss: 'admin_removal',
    description,
    sourceType: 'grant',
    sourceId: batchId,
    now,
  }
}

/**
 * Changes the holdings or balances of everyone the distribution reaches, all or nothing. To named
 * users or everyone it is a batch, with a receipt. `answer` makes what is answered.
 * @throws DomainError not_found for an unknown user or pack type, invalid_input when no name is
 * known or somebody would hold too much
 */
export async function distribute<Answer>(
  tx: Queryable,
  by: Author,
  order: Distribution,
  batchId: string,
  answer: (granted: Granted) => Answer,
): Promise<Outcome<Answer>> {
  await allowLongBatch(tx)
  const packType = await grantedPackType(tx, order.packTypeId, true)
  const granted = grantedWords(packType?.name)
  const people = await findRecipients(tx, order.target)
  const isSaid = order.description.trim() !== ''
  const description = isSaid ? order.description : 'Admin distribution'
  const change = {
    userIds: people.recipients.map(({ id }) => id),
    amounts: people.recipients.map(() => order.amount),
    ...staffReason(batchId, description, by.now),
  }
  const changed = await changeMany(tx, order.packTypeId, change).catch((error) =>
    refuseOverflow(error, order),
  )
  await recordGrant(tx, by, order, { people, changed, batchId })
  const told = stillThere(order.target, people, changed)
  const only = order.target.kind === 'all' ? undefined : onlyOne(told)
  const changedTotal = changed.reduce((sum, { delta }) => sum + delta, 0)
  // Of everyone reached together; for one user that is the balance or the holding.
  const totalAfter = changed.reduce((sum, { after }) => sum + after, 0)
  return {
    answer: answer(grantedBy(order, granted, told, changed, only?.username)),
    audit: {
      action: `${order.packTypeId === undefined ? 'redcoin' : 'packs'}.distribute`,
      targetType: only === undefined ? 'users' : 'user',
      targetId: only === undefined ? null : String(only.id),
      before: { total: totalAfter - changedTotal },
      after: {
        total: totalAfter,
        packTypeId: order.packTypeId ?? null,
        amount: order.amount,
        users: changed.length,
        changed: changedTotal,
      },
      reason: order.description,
      batchId,
    },
    events: reachedUsers(changed.map(({ userId }) => userId)),
  }
}

/** Changes the holdings of a pack type, or balances where none is named. */
export function changeMany(
  tx: Queryable,
  packTypeId: number | null | undefined,
  changes: ManyChanges,
): Promise<Changed[]> {
  return packTypeId === null || packTypeId === undefined
    ? changeBalances(tx, changes)
    : changeHoldings(tx, packTypeId, changes)
}

/** The pack type that is granted, null for RedCoin. @throws DomainError not_found */
export async function grantedPackType(
  tx: Queryable,
  id: number | undefined,
  hold: boolean,
): Promise<{ readonly id: number; readonly name: string } | null> {
  if (id === undefined) return null
  return existing(await (hold ? holdPackType : findPackType)(tx, id), 'Pack type not found')
}

/** What is given, in words; `name` is the pack type's, null for RedCoin. */
export function grantedWords(name: string | null | undefined): string {
  return name === null || name === undefined ? 'RedCoin' : `× ${name}`
}

function onlyOne({ recipients }: Reached) {
  return recipients.length === 1 ? recipients[0] : undefined
}

function grantedBy(
  order: Distribution,
  granted: string,
  people: Reached,
  changed: readonly Changed[],
  username: string | undefined,
): Granted {
  const single = username === undefined ? undefined : changed[0]
  const removed = order.amount < 0 ? changed.reduce((sum, { delta }) => sum - delta, 0) : 0
  const whom = username ?? `${numberText(changed.length)} users`
  const message =
    order.amount < 0
      ? `Removed ${numberText(removed)} ${granted} from ${whom}`
      : `Distributed ${numberText(order.amount)} ${granted} to ${whom}`
  return {
    message,
    processedCount: changed.length,
    username: username ?? null,
    after: single?.after ?? null,
    removed,
    errors: people.errors.map(({ username, reason }) => ({ username, reason })),
  }
}

/** A balance or holding that would leave its range is the request's fault. */
function refuseOverflow(error: unknown, { packTypeId }: Distribution): never {
  const state = sqlState(error)
  if (state === '23514' || state === '22003') {
    const what = packTypeId === undefined ? 'Amount' : 'Quantity'
    throw new DomainError('invalid_input', `${what} is too large`)
  }
  throw error
}

/** What the screens of everyone who was reached have to look at again. */
export function reachedUsers(userIds: readonly number[]): ProductEvent[] {
  if (userIds.length === 0) return []
  const ofUsers = changedUsers(userIds, ['user_changed', 'holdings_changed'])
  return [...ofUsers, { type: 'leaderboard_changed' }]
}

interface Done {
  readonly people: Reached
  readonly changed: readonly Changed[]
  readonly batchId: string
}

/**
 * Writes a grant to many as a batch with a row for each user and for each name that reached nobody.
 * What goes to one user known by id is no batch, and neither is what reached nobody.
 */
async function recordGrant(
  tx: Queryable,
  { actorId, now }: Author,
  order: Distribution,
  { people, changed, batchId }: Done,
): Promise<void> {
  const { target, amount, packTypeId } = order
  if (target.kind === 'user' || changed.length === 0) return
  const places =
    target.kind === 'all' ? undefined : new Map(target.usernames.map((name, at) => [name, at + 1]))
  const missed = places === undefined ? [] : missedRows(people, changed, places, amount)
  const placeOf = new Map(
    people.recipients.map(({ id, username }, at) => [id, places?.get(username) ?? at + 1]),
  )
  await addBatchWithRows(
    tx,
    {
      id: batchId,
      kind: packTypeId === undefined ? 'redcoin' : 'packs',
      packTypeId: packTypeId ?? null,
      actorId,
      recipients: target.kind === 'all' ? 'everyone' : 'named',
      description: order.description === '' ? null : order.description,
      now,
    },
    missed,
    changed.map((one) => ({ ...one, row: placeOf.get(one.userId) ?? 0 })),
  )
}

/** The names that reached nobody, and whoever has left for good in between. */
function missedRows(
  { recipients, errors }: Reached,
  changed: readonly Changed[],
  places: ReadonlyMap<string, number>,
  amount: number,
): NewBatchRow[] {
  const reached = new Set(changed.map(({ userId }) => userId))
  const row = (username: string, verdict: NewBatchRow['verdict'], reason: string): NewBatchRow => {
    const none = { userId: null, amount, applied: 0, after: null }
    return { row: places.get(username) ?? 0, username, verdict, reason, ...none }
  }
  const gone = recipients
    .filter(({ id }) => !reached.has(id))
    .map(({ id, username }) => ({
      ...row(username, 'gone', 'no longer there'),
      ...rowOfLeaver(id),
    }))
  const unreached = errors.map(({ username, verdict, reason }) => row(username, verdict, reason))
  return [...unreached, ...gone]
}

/** Takes every balance or every holding to 0 and answers how much that was, from how many users. */
export async function takeFromAll(
  tx: Queryable,
  { now }: Author,
  what: 'redcoin' | 'packs',
  batchId: string,
): Promise<Outcome<RemoveAllResponse>> {
  await allowLongBatch(tx)
  const take = what === 'redcoin' ? takeAllBalances : takeAllHoldings
  const changed = await take(tx, staffReason(batchId, 'Removed from all users', now))
  const reached = [...new Set(changed.map(({ userId }) => userId))]
  const totalRemoved = changed.reduce((sum, { delta }) => sum - delta, 0)
  const usersAffected = reached.length
  const granted = what === 'redcoin' ? 'RedCoin' : 'packs'
  const message =
    usersAffected === 0
      ? `There was nothing to remove: nobody has any ${granted}`
      : `Removed ${numberText(totalRemoved)} ${granted} from ${numberText(usersAffected)} users`
  return {
    answer: { success: true, message, totalRemoved, usersAffected },
    audit: {
      action: `${what}.take_all`,
      targetType: 'users',
      targetId: null,
      before: { total: totalRemoved },
      after: { total: 0, totalRemoved, usersAffected },
      batchId,
    },
    events: reachedUsers(reached),
  }
}
