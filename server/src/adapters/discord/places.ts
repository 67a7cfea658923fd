// Whether the bot can post to a channel of a server, and if not, why: its permissions follow from
// the roles of the server and the overwrites of the channel.

import { ChannelType, PermissionFlagsBits, Routes } from 'discord-api-types/v10'
import * as z from 'zod/mini'
import { DiscordFault } from '../../shared/far-side-faults.ts'
import { type DiscordCalls, read } from './calls.ts'

export type PlaceCheck =
  | { readonly kind: 'fine' }
  | {
      readonly kind:
        | 'no_server'
        | 'no_channel'
        | 'no_access'
        | 'other_server'
        /** Voice channels, threads, categories and the like. */
        | 'no_text_channel'
    }
  | { readonly kind: 'missing_permissions'; readonly names: readonly string[] }

const Guild = z.object({
  owner_id: z.string(),
  roles: z.array(z.object({ id: z.string(), permissions: z.string().check(z.regex(/^\d+$/)) })),
})
const bits = z.string().check(z.regex(/^\d+$/))
const Channel = z.object({
  type: z.int(),
  guild_id: z.optional(z.string()),
  permission_overwrites: z.optional(z.array(z.object({ id: z.string(), allow: bits, deny: bits }))),
})
const Member = z.object({ roles: z.array(z.string()) })
const User = z.object({ id: z.string() })

const textTypes: ReadonlySet<number> = new Set([
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
])

/** @throws DiscordFault of the kinds token, rate_limited and unreachable */
export async function checkPlace(
  calls: DiscordCalls,
  serverId: string,
  channelId: string,
): Promise<PlaceCheck> {
  const [server, channel] = [encodeURIComponent(serverId), encodeURIComponent(channelId)]
  const guild = await look(calls, Routes.guild(server), Guild)
  if ('fault' in guild) return { kind: 'no_server' }
  const place = await look(calls, Routes.channel(channel), Channel)
  if ('fault' in place) return { kind: place.fault === 'forbidden' ? 'no_access' : 'no_channel' }
  const { type, guild_id, permission_overwrites = [] } = place.seen
  if (guild_id !== serverId) return { kind: 'other_server' }
  if (!textTypes.has(type)) return { kind: 'no_text_channel' }
  const bot = await look(calls, Routes.user(), User)
  if ('fault' in bot) throw new DiscordFault('token', 'Discord does not accept the bot token')
  const { id: botId } = bot.seen
  const member = await look(calls, Routes.guildMember(server, botId), Member)
  if ('fault' in member) return { kind: 'no_server' }
  const names = missingPermissions({
    serverId,
    ownerId: guild.seen.owner_id,
    roles: guild.seen.roles,
    botId,
    botRoleIds: member.seen.roles,
    overwrites: permission_overwrites,
  })
  return names.length === 0 ? { kind: 'fine' } : { kind: 'missing_permissions', names }
}

type Look<Seen> = { readonly seen: Seen } | { readonly fault: 'unknown' | 'forbidden' }

/** Reads one thing; what does not exist or may not be seen is an answer too. */
async function look<Schema extends z.ZodMiniType>(
  calls: DiscordCalls,
  path: string,
  schema: Schema,
): Promise<Look<z.output<Schema>>> {
  try {
    return { seen: read(schema, await calls.get(path)) }
  } catch (error) {
    if (!(error instanceof DiscordFault)) throw error
    // Ids that are no numbers of Discord's are refused as such; to staff they do not exist.
    if (error.kind === 'unknown' || error.kind === 'refused') return { fault: 'unknown' }
    if (error.kind === 'forbidden') return { fault: 'forbidden' }
    throw error
  }
}

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
