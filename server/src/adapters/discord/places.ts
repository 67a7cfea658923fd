// Whether the bot can post to a channel of a server, and if not, why.

import { ChannelType, Routes } from 'discord-api-types/v10'
import * as z from 'zod/mini'
import { DiscordFault } from '../../shared/far-side-faults.ts'
import type { DiscordCalls } from './calls.ts'
import { missingPermissions } from './permissions.ts'

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
  let answer: unknown
  try {
    answer = await calls.get(path)
  } catch (error) {
    if (!(error instanceof DiscordFault)) throw error
    // Ids that are no numbers of Discord's are refused as such; to staff they do not exist.
    if (error.kind === 'unknown' || error.kind === 'refused') return { fault: 'unknown' }
    if (error.kind === 'forbidden') return { fault: 'forbidden' }
    throw error
  }
  const result = schema.safeParse(answer)
  if (result.success) return { seen: result.data }
  throw new DiscordFault('unreachable', 'Discord cannot be understood right now')
}
