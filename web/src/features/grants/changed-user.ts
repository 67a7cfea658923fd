// A chosen user after an act: what the answer says they have now.

import type { AdminUser } from '@redpack/contract'

export function withBalance(user: AdminUser, balance: number | null): AdminUser {
  return balance === null ? user : { ...user, redCoinBalance: balance }
}

/** The holding of one pack type becomes `quantity`; one that is empty is not listed. */
export function withPacks(
  user: AdminUser,
  packTypeId: number,
  packTypeName: string,
  quantity: number | null,
): AdminUser {
  if (quantity === null) return user
  const others = user.userPacks.filter((held) => held.packTypeId !== packTypeId)
  const held = quantity > 0 ? [{ packTypeId, packTypeName, quantity }] : []
  return { ...user, userPacks: [...others, ...held].sort((a, b) => a.packTypeId - b.packTypeId) }
}
