// The words of the Users tab that stand in more than one place.

import type { AdminUser, Role } from '@redpack/contract'

export const roleNames: Readonly<Record<Role, string>> = {
  user: 'User',
  admin: 'Admin',
  super_user: 'Super User',
}

/** The account behind the local sign-in: nobody changes its role. */
export const protectedWords = {
  title: 'Protected Account',
  text: 'Emergency Admin Only',
  role: 'SUPER USER',
  lock: 'LOCKED',
} as const

export function isShutToChanges({ isProtected, isLocked }: AdminUser): boolean {
  return isProtected || isLocked
}

export function roleQuestion(user: AdminUser, role: Role, isOwn: boolean): string {
  return `Make ${isOwn ? 'yourself' : user.displayName} ${roleNames[role]}?`
}

export function roleChangedText(user: AdminUser, role: Role, isOwn: boolean): string {
  return `${isOwn ? 'You are' : `${user.displayName} is`} now ${roleNames[role]}`
}

/** What a new role means, for the question before it is given. */
export function roleChangeText(user: AdminUser, role: Role, isOwn: boolean): string {
  if (isOwn) return ownRoleText(user.role, role)
  const change = `${user.displayName} (@${user.username}) goes from ${roleNames[user.role]} to ${roleNames[role]} and has to sign in again.`
  return role === 'user'
    ? `${change} They lose the admin panel at once.`
    : `${change} They can then grant and remove RedCoin and packs, handle claims and change roles.`
}

/** What is lost with one's own role. */
function ownRoleText(from: Role, to: Role): string {
  const change = `You go from ${roleNames[from]} to ${roleNames[to]}. Other browsers in which you are signed in are signed out.`
  if (to === 'user') {
    return `${change} You lose the admin panel at once, and only another member of staff can give it back.`
  }
  if (to === 'admin') {
    return `${change} You may lose what super users alone may do, and then only a super user can give it back.`
  }
  return change
}
