// The JSON of Discord's API as the stand-in answers it. Facts: discord-api-docs resources/guild,
// resources/channel, resources/message and resources/user.

import type { DiscordState, SandboxChannel, SandboxMessage } from './discord-state.ts'

/** View Channel, Send Messages, Embed Links, Read Message History. */
const everyonePermissions = (1n << 10n) | (1n << 11n) | (1n << 14n) | (1n << 16n)

const nulls = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>

/** A user as others see it. */
export function userShape(id: string, username: string, isBot = false) {
  return {
    id,
    username,
    avatar: null,
    discriminator: '0',
    public_flags: 0,
    flags: 0,
    global_name: username,
    primary_guild: null,
    ...(isBot ? { bot: true } : {}),
  }
}

/** The bot as others see it. */
export function botShape({ botId }: DiscordState) {
  return userShape(botId, 'redpack-bot', true)
}

/** The bot as it sees itself. */
export function ownShape(state: DiscordState) {
  return {
    ...botShape(state),
    mfa_enabled: false,
    locale: 'en-US',
    verified: true,
    email: null,
  }
}

export function memberShape(user: ReturnType<typeof userShape>) {
  return {
    ...nulls('avatar', 'banner', 'communication_disabled_until', 'nick', 'premium_since'),
    flags: 0,
    joined_at: '2026-01-01T00:00:00.000000+00:00',
    pending: false,
    roles: [],
    user,
    mute: false,
    deaf: false,
  }
}

function everyoneRole(guildId: string) {
  return {
    id: guildId,
    name: '@everyone',
    permissions: String(everyonePermissions),
    position: 0,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    managed: false,
    mentionable: false,
    icon: null,
    unicode_emoji: null,
    flags: 0,
  }
}

export function guildShape(id: string, ownerId: string) {
  return {
    id,
    ...nulls('icon', 'description', 'home_header', 'splash', 'discovery_splash', 'banner'),
    ...nulls('application_id', 'afk_channel_id', 'system_channel_id', 'widget_channel_id'),
    ...nulls('max_presences', 'vanity_url_code', 'rules_channel_id', 'safety_alerts_channel_id'),
    ...nulls('public_updates_channel_id', 'incidents_data'),
    name: 'A sandbox server',
    features: [],
    owner_id: ownerId,
    region: 'us-east',
    afk_timeout: 300,
    system_channel_flags: 0,
    widget_enabled: false,
    verification_level: 1,
    roles: [everyoneRole(id)],
    default_message_notifications: 1,
    mfa_level: 0,
    explicit_content_filter: 2,
    max_members: 500_000,
    max_stage_video_channel_users: 50,
    max_video_channel_users: 25,
    premium_tier: 0,
    premium_subscription_count: 0,
    preferred_locale: 'en-US',
    premium_progress_bar_enabled: false,
    nsfw: false,
    nsfw_level: 0,
    emojis: [],
    stickers: [],
  }
}

export function channelShape(channel: SandboxChannel) {
  const { id, guildId, type, deniedPermissions } = channel
  const overwrite = { id: guildId, type: 0, allow: '0', deny: String(deniedPermissions) }
  return {
    id,
    type,
    ...nulls('parent_id', 'last_message_id', 'topic'),
    flags: 0,
    guild_id: guildId,
    name: 'rewards',
    position: 0,
    rate_limit_per_user: 0,
    nsfw: false,
    permission_overwrites: deniedPermissions === 0n ? [] : [overwrite],
  }
}

/** Components come back numbered in the order in which they stand, as Discord does it. */
function numbered(components: readonly unknown[]): unknown[] {
  let count = 0
  const walk = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part
    count += 1
    const id = count
    const inner = (part as { components?: unknown }).components
    return { ...part, id, ...(Array.isArray(inner) ? { components: inner.map(walk) } : {}) }
  }
  return components.map(walk)
}

/** The shape of a time in Discord's answers: microseconds and an offset. */
function timeShape(time: Date): string {
  return time.toISOString().replace('Z', '000+00:00')
}

export function messageShape(message: SandboxMessage, state: DiscordState) {
  const { id, channelId, content, components, nonce, createdAt, editedAt } = message
  return {
    type: 0,
    content,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: [],
    timestamp: timeShape(createdAt),
    edited_timestamp: editedAt === undefined ? null : timeShape(editedAt),
    flags: 0,
    components: numbered(components),
    id,
    channel_id: channelId,
    author: botShape(state),
    pinned: false,
    mention_everyone: false,
    tts: false,
    ...(nonce === undefined ? {} : { nonce }),
  }
}
