// What staff change about a user: the role, whether they earn, and what is noted about them.

import { adminUsersContract, adminPeopleContract as contract } from '@redpack/contract'
import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { Encryption } from '../../adapters/encryption/encryption.ts'
import { command, withSentence } from '../../adapters/http/command.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { productCookies } from '../../adapters/http/sessions-cookie.ts'
import { refuseChangedMeanwhile } from '../../rules/changed-meanwhile.ts'
import { type Actor, mayChangeRole, type Role } from '../../rules/roles.ts'
import { DomainError, existing, signedOut } from '../../shared/domain-error.ts'
import { targetOf } from '../../shared/staff-call.ts'
import { liftRemembered } from '../account/leaving-tables.ts'
import {
  deleteSessions,
  type LockedAccount,
  lockAccountRow,
  setEarningBlock,
  setRole,
} from '../account/tables.ts'
import { adminUser, deleteNote, insertNote, noteById } from './tables.ts'

export function registerUserChanges(context: FeatureContext, renewSession: RenewSession): void {
  const { deps } = context
  const { session: cookie } = productCookies(deps.config)
  command(context, adminUsersContract.changeRole, {
    order: ({ actor, params, body, reply }) => ({ actor, userId: params.id, ...body, reply }),
    run: async (tx, by, { reply, ...change }) => {
      const { answer: renewed, ...done } = await changeRole(tx, by, deps, change, renewSession)
      const afterCommit = () => {
        if (renewed !== undefined) cookie.set(reply, renewed.token, renewed.maxAgeSeconds)
      }
      return { ...done, answer: await adminUser(tx, change.userId), afterCommit }
    },
  })
  command(context, contract.blockEarning, {
    order: ({ params, body }) => ({ userId: params.id, ...body }),
    run: (tx, by, change) => blockEarning(tx, by, deps.encryption, change),
  })
  command(context, contract.addNote, {
    order: ({ params, body }) => [params.id, body.body] as const,
    run: (tx, by, [userId, body]) => addNote(tx, by, userId, body),
  })
  command(context, contract.removeNote, { order: ({ params }) => params.id, run: removeNote })
}

interface EarningChange {
  readonly userId: number
  readonly isBlocked: boolean
  readonly reason: string
}

/**
 * While blocked a user earns nothing by watching and from the chat bot. Opening packs, buying,
 * claiming prizes and grants by staff stay open: what is theirs stays theirs.
 * @throws DomainError not_found, or protected_account
 */
export async function blockEarning(
  tx: Queryable,
  { now }: Author,
  encryption: Encryption,
  { userId, isBlocked, reason }: EarningChange,
) {
  const account = existing(await lockAccountRow(tx, userId), 'User not found')
  if (account.isProtected) {
    throw new DomainError('protected_account', 'This account is protected and cannot be blocked')
  }
  const events = [{ type: 'user_changed', userId }] as const
  // Blocking again may give a better reason; allowing what is allowed says nothing.
  if (!isBlocked && !account.isEarningBlocked) {
    return { answer: await adminUser(tx, userId), events }
  }
  await setEarningBlock(tx, userId, isBlocked, now)
  // Who may earn again is not to be shut out by leaving, coming back or linking an account.
  if (!isBlocked) await liftRemembered(tx, encryption, 'block', userId)
  const audit = {
    action: isBlocked ? 'earning.block' : 'earning.allow',
    ...targetOf('user', userId),
    before: { isEarningBlocked: account.isEarningBlocked },
    after: { isEarningBlocked: isBlocked },
    reason,
  }
  return { answer: await adminUser(tx, userId), audit, events }
}

/** A session for who has changed their own role, in place of the one they did it with. */
interface RenewedSession {
  /** Goes into the cookie and nowhere else. */
  readonly token: string
  readonly maxAgeSeconds: number
}

export type RenewSession = (
  deps: Deps,
  tx: Queryable,
  who: { readonly userId: number; readonly role: Role; readonly createdAt: Date },
) => Promise<RenewedSession>

interface RoleChange {
  readonly actor: Actor
  readonly userId: number
  readonly role: Role
  /** What the sender saw before. */
  readonly expected?: { readonly role: Role } | undefined
}

/**
 * Gives a user the role. Every session of theirs ends with it: what somebody may have copied while
 * it was worth less is not worth more now, and the other way round. Who changes their own role goes
 * on in a new session, which is answered. The same role again changes nothing and is not recorded.
 * @throws DomainError not_found, protected_account for the local account, unauthorized when the
 * actor's own role has changed, or forbidden where roles are strict and this is for super users
 * alone
 */
export async function changeRole(
  tx: Queryable,
  { now }: Author,
  deps: Deps,
  change: RoleChange,
  renewSession: RenewSession,
): Promise<Outcome<RenewedSession | undefined>> {
  const { actor, userId, role } = change
  const locked = new Map<number, LockedAccount | undefined>()
  for (const id of [actor.userId, userId].sort((a, b) => a - b)) {
    locked.set(id, await lockAccountRow(tx, id))
  }
  // Of two who take the role from each other, the second has none left to do it with.
  if (locked.get(actor.userId)?.role !== actor.role) throw signedOut()
  const account = existing(locked.get(userId), 'User not found')
  requirePower(deps, change, account)
  refuseChangedMeanwhile(account, { role }, change.expected)
  if (account.role === role) return { answer: undefined }
  await setRole(tx, userId, role, now)
  const ended = await deleteSessions(tx, userId)
  const done = {
    answer: undefined,
    audit: {
      action: 'role.change',
      ...targetOf('user', userId),
      before: { role: account.role },
      after: { role },
    },
    events: [
      { type: 'sessions_ended', userId },
      { type: 'user_changed', userId },
    ],
  } as const
  if (userId !== actor.userId) return done
  const own = ended.find(({ tokenHash }) => tokenHash === actor.sessionHash)
  if (own === undefined) throw signedOut()
  const answer = await renewSession(deps, tx, { userId, role, createdAt: own.createdAt })
  return { ...done, answer }
}

function requirePower({ config }: Deps, change: RoleChange, account: LockedAccount): void {
  if (account.isProtected) {
    throw new DomainError('protected_account', 'This account is protected and its role is locked')
  }
  if (!mayChangeRole(change.actor.role, account.role, change.role, config.strictRoles)) {
    throw new DomainError('forbidden', 'Only a super user can give or take this role')
  }
}

/**
 * The log of staff actions names the note and not its text, so that removing a note, or the person,
 * leaves nothing of it.
 * @throws DomainError not_found when there is no such user
 */
export async function addNote(
  tx: Queryable,
  { actorId: authorId, now }: Author,
  userId: number,
  body: string,
) {
  const noteId = existing(await insertNote(tx, { userId, authorId, body, now }), 'User not found')
  const audit = { action: 'note.add', ...targetOf('user', userId), after: { noteId } }
  return { answer: await noteById(tx, noteId), audit }
}

/** @throws DomainError not_found when there is no such note */
async function removeNote(tx: Queryable, _by: Author, noteId: number) {
  const userId = existing(await deleteNote(tx, noteId), 'Note not found')
  const audit = { action: 'note.remove', ...targetOf('user', userId), before: { noteId } }
  return withSentence({ answer: undefined, audit }, 'Note removed')
}
