// What a bot may do in a channel, from the roles of the server and the channel's overwrites.

import { PermissionFlagsBits } from 'discord-api-types/v10'

/** What the bot needs in a channel to post a reward and to find its post again. */
const needed: readonly { readonly bit: bigint; readonly name: string }[] = [
  { bit: PermissionFlagsBits.ViewChannel, name: 'View Channel' },
  { bit: PermissionFlagsBits.SendMessages, name: 'Send Messages' },
  { bit: PermissionFlagsBits.ReadMessageHistory, name: 'Read Message History' },
]

export interface Overwrite {
  readonly id: string
  readonly allow: string
  readonly deny: string
}

export interface PermissionFacts {
  readonly serverId: string
  readonly ownerId: string
  readonly roles: readonly { readonly id: string; readonly permissions: string }[]
  readonly botId: string
  readonly botRoleIds: readonly string[]
  readonly overwrites: readonly Overwrite[]
}

/** Names of the permissions that the bot lacks, worked out in the order Discord documents. */
export function missingPermissions(facts: PermissionFacts): string[] {
  const granted = permissionsOf(facts)
  return needed.filter(({ bit }) => (granted & bit) === 0n).map(({ name }) => name)
}

function permissionsOf(facts: PermissionFacts): bigint {
  const { serverId, roles, botId, botRoleIds, overwrites } = facts
  const everything = ~0n
  if (facts.ownerId === botId) return everything
  const held = roles.filter(({ id }) => id === serverId || botRoleIds.includes(id))
  const base = held.reduce((sum, { permissions }) => sum | BigInt(permissions), 0n)
  if ((base & PermissionFlagsBits.Administrator) !== 0n) return everything
  const ofRoles = overwrites.filter(({ id }) => id !== serverId && botRoleIds.includes(id))
  const steps = [
    overwrites.filter(({ id }) => id === serverId),
    ofRoles,
    overwrites.filter(({ id }) => id === botId),
  ]
  return steps.reduce((granted, step) => {
    const denied = step.reduce((sum, { deny }) => sum | BigInt(deny), 0n)
    const allowed = step.reduce((sum, { allow }) => sum | BigInt(allow), 0n)
    return (granted & ~denied) | allowed
  }, base)
}
