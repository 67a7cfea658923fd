// What staff decide on how somebody stands, and what that person may say to it.

import { standingContract as contract } from '@redpack/contract'
import type { AuditEntry, Author, Outcome } from '../../adapters/commands/run-command.ts'
import { writeSetting } from '../../adapters/db/app-settings.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Encryption } from '../../adapters/encryption/encryption.ts'
import { command, withSentence } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { refuseChangedMeanwhile } from '../../rules/changed-meanwhile.ts'
import { endless } from '../../rules/roles.ts'
import { DomainError, existing, wrongField } from '../../shared/domain-error.ts'
import { targetOf } from '../../shared/staff-call.ts'
import { liftRemembered } from '../account/leaving-tables.ts'
import {
  clearSuspension,
  hiddenName,
  lockNameWords,
  type NameWords,
  putShownName,
  putSuspension,
  putSuspensionAnswer,
  readNameWords,
  restoreOwnName,
} from '../account/standing-tables.ts'
import { type LockedAccount, lockAccountRow } from '../account/tables.ts'
import { lockUser } from '../ledger/ledger-tables.ts'
import { adminUser } from './tables.ts'

/** Shown names and suspensions: what staff decide, and what a suspended person answers. */
export function registerStanding(context: FeatureContext): void {
  const { app, deps, guards } = context
  command(context, contract.showName, {
    order: ({ params, body }) => ({ userId: params.id, ...body }),
    run: showName,
  })
  command(context, contract.restoreName, { order: ({ params }) => params.id, run: restoreName })
  command(context, contract.suspend, {
    order: ({ params, body }) => ({ userId: params.id, ...body }),
    run: suspend,
  })
  command(context, contract.endSuspension, {
    order: ({ params }) => params.id,
    run: (tx, by, id) => endSuspension(tx, by, deps.encryption, id),
  })
  command(context, contract.answer, { order: ({ body }) => body.text, run: answerSuspension })
  serve(app, guards, contract.nameWords, () => readNameWords(deps.db))
  command(context, contract.saveNameWords, { order: ({ body }) => body, run: saveNameWords })
}

const noUser = 'User not found'
const isShut = () =>
  new DomainError('protected_account', 'This account is protected and cannot be changed')

/** The user as staff see them after a change, with the entry and the events of it. */
async function changed(
  tx: Queryable,
  userId: number,
  said: Omit<AuditEntry, 'targetType' | 'targetId'>,
) {
  return {
    answer: await adminUser(tx, userId),
    audit: { ...targetOf('user', userId), ...said },
    events: [{ type: 'user_changed', userId }, { type: 'leaderboard_changed' }],
  } satisfies Outcome<unknown>
}

async function lockPerson(tx: Queryable, userId: number): Promise<LockedAccount> {
  const person = existing(await lockAccountRow(tx, userId), noUser)
  if (person.isProtected) throw isShut()
  return person
}

const shownIn = ({ ownName, displayName }: LockedAccount) => ({
  shownName: ownName === null ? null : displayName,
})

/**
 * Shows another name of somebody everywhere, or with null one that says nothing. Their own is kept,
 * and stays out of the log of staff actions, which outlives the account.
 * @throws DomainError not_found, protected_account
 */
export async function showName(
  tx: Queryable,
  { now }: Author,
  order: { readonly userId: number; readonly name: string | null; readonly reason: string },
) {
  const { userId, name, reason } = order
  const person = await lockPerson(tx, userId)
  const shownName = name ?? hiddenName(userId)
  await putShownName(tx, userId, shownName, false, now)
  const action = name === null ? 'name.hide' : 'name.replace'
  return changed(tx, userId, { action, before: shownIn(person), after: { shownName }, reason })
}

/** @throws DomainError not_found, protected_account */
async function restoreName(tx: Queryable, { now }: Author, userId: number) {
  const person = await lockPerson(tx, userId)
  if (person.ownName === null && !person.isFlagged) return { answer: await adminUser(tx, userId) }
  await restoreOwnName(tx, userId, now)
  const said = { before: shownIn(person), after: { shownName: null } }
  return changed(tx, userId, { action: 'name.restore', ...said })
}

/**
 * Keeps somebody from opening, buying and earning until a time, null for as long as staff want.
 * @throws DomainError not_found, protected_account, or invalid_input for a time that is over
 */
export async function suspend(
  tx: Queryable,
  { now }: Author,
  order: { readonly userId: number; readonly until: string | null; readonly reason: string },
) {
  const { userId, until, reason } = order
  const person = existing(await lockUser(tx, userId), noUser)
  if (person.is_protected) throw isShut()
  const end = until === null ? endless : new Date(until)
  if (end <= now) {
    throw wrongField('until', 'The end must be in the future')
  }
  await putSuspension(tx, userId, end, reason, now)
  const said = { before: { until: person.suspension?.until ?? null }, after: { until } }
  return changed(tx, userId, { action: 'suspension.set', ...said, reason })
}

/**
 * Ends a suspension, and what is remembered of one with the accounts elsewhere.
 * @throws DomainError not_found
 */
async function endSuspension(
  tx: Queryable,
  { now }: Author,
  encryption: Encryption,
  userId: number,
) {
  const person = existing(await lockUser(tx, userId), noUser)
  if (person.suspension === null) return { answer: await adminUser(tx, userId) }
  await clearSuspension(tx, userId, now)
  await liftRemembered(tx, encryption, 'suspension', userId)
  const before = { until: person.suspension.until }
  return changed(tx, userId, { action: 'suspension.end', before })
}

/** @throws DomainError wrong_state for who is not suspended, or has answered */
async function answerSuspension(tx: Queryable, { actorId: userId, now }: Author, text: string) {
  if (!(await putSuspensionAnswer(tx, userId, text, now))) {
    throw new DomainError('wrong_state', 'There is no suspension that waits for your answer')
  }
  const told = { answer: undefined, events: [{ type: 'user_changed', userId }] } as const
  return withSentence(told, 'Your answer was sent')
}

interface WordsChange extends NameWords {
  readonly expected?: { readonly [K in keyof NameWords]?: NameWords[K] | undefined } | undefined
}

/**
 * Sets the words that names are looked through for from now on; blank lines go, and each word
 * stands once.
 * @throws DomainError changed_meanwhile
 */
export async function saveNameWords(
  tx: Queryable,
  { now }: Author,
  { words, hidesAtOnce, expected }: WordsChange,
): Promise<Outcome<NameWords>> {
  const before = await lockNameWords(tx, now)
  const after = { words: [...new Set(words.filter((word) => word !== ''))], hidesAtOnce }
  refuseChangedMeanwhile(before, after, expected)
  await writeSetting(tx, 'name_words', JSON.stringify(after), now)
  const audit = { action: 'name_words.save', targetType: 'setting', targetId: 'name_words' }
  return { answer: after, audit: { ...audit, before, after } }
}
