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

/** What a new role means, for the question before it is given. */
export function roleChangeText(user: AdminUser, role: Role): string {
  const change = `${user.displayName} (@${user.username}) goes from ${roleNames[user.role]} to ${roleNames[role]}.`
  return role === 'user'
    ? `${change} They lose the admin panel at once.`
    : `${change} They can then grant and remove RedCoin and packs, handle claims and change roles.`
}
