// Stand-in of Twitch's Helix API: users, streams, chatters and chat messages.
// Facts: dev.twitch.tv/docs/api/reference.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { KnownViewer } from './controls.ts'
import { open, queryOf } from './requests.ts'
import { grantOf, HelixError, personWith, speakHelix } from './twitch-errors.ts'
import { serveSubscriptions } from './twitch-eventsub.ts'
import type { TokenGrant, TwitchState } from './twitch-state.ts'
import { avatarOf } from './viewers.ts'

const idsMax = 100
const messageMax = 500

/** `paths` says where the calls stand; the real ones share one base. */
export async function serveHelix(
  app: FastifyInstance,
  state: TwitchState,
  paths: { readonly base: string; readonly events: string },
): Promise<void> {
  await app.register(async (scope) => {
    speakHelix(scope, state)
    const { base } = paths
    scope.get(`${base}/users`, open, async (request) => users(state, request))
    scope.get(`${base}/streams`, open, async (request) => streams(state, request))
    scope.get(`${base}/chat/chatters`, open, async (request) => chatters(state, request))
    scope.post(`${base}/chat/messages`, open, async (request) => say(state, request))
    serveSubscriptions(scope, state, paths.events)
  })
}

function users(state: TwitchState, request: FastifyRequest) {
  const grant = grantOf(state, request)
  const query = queryOf(request)
  const [ids, logins] = [query.getAll('id'), query.getAll('login')]
  if (ids.length + logins.length > idsMax) {
    throw new HelixError(400, 'The number of id and login query parameters must be <= 100')
  }
  if (ids.length + logins.length === 0) {
    if (grant.viewer === undefined) {
      throw new HelixError(400, 'The id or login query parameter is required')
    }
    return { data: [user(grant.viewer, grant)] }
  }
  const found = [
    ...ids.map((id) => personOf(state, id)),
    ...logins.map((login) => state.viewers.named(login)),
  ]
  return { data: found.flatMap((viewer) => (viewer === undefined ? [] : [user(viewer, grant)])) }
}

/** A viewer, or the owner of a channel that was named. */
function personOf(state: TwitchState, id: string): KnownViewer | undefined {
  const viewer = state.viewers.withId(id)
  if (viewer !== undefined) return viewer
  if (!state.channels.known.has(id)) return undefined
  const avatar = avatarOf(/^\d+$/.test(id) ? BigInt(id) : 0n)
  return { id, login: `channel_${id}`, displayName: `Channel ${id}`, avatar }
}

function user(viewer: KnownViewer, grant: TokenGrant) {
  const isOwn = grant.viewer?.id === viewer.id && grant.scopes.includes('user:read:email')
  return {
    id: viewer.id,
    login: viewer.login,
    display_name: viewer.displayName,
    type: '',
    broadcaster_type: '',
    description: '',
    profile_image_url: viewer.avatar,
    offline_image_url: '',
    view_count: 0,
    ...(isOwn ? { email: `${viewer.login}@example.com` } : {}),
    created_at: '2020-01-01T00:00:00Z',
  }
}

function streams(state: TwitchState, request: FastifyRequest) {
  grantOf(state, request)
  const query = queryOf(request)
  const first = pageSize(query, 20, 100)
  const [ids, logins] = [query.getAll('user_id'), query.getAll('user_login')]
  if (ids.length > idsMax || logins.length > idsMax) {
    throw new HelixError(400, 'The number of user_id query parameters must be <= 100')
  }
  const wanted = [...ids, ...logins.map((login) => state.viewers.named(login)?.id ?? '')]
  for (const id of wanted) state.channels.meet(id)
  const asked = wanted.length === 0 ? [...state.channels.live.keys()] : [...new Set(wanted)]
  const live = asked.filter((id) => state.channels.live.has(id))
  return page(query, live, first, (id) => stream(state, id))
}

function stream(state: TwitchState, channelId: string) {
  const broadcast = state.channels.live.get(channelId)
  const person = personOf(state, channelId)
  return {
    id: broadcast?.id ?? '',
    user_id: channelId,
    user_login: person?.login ?? '',
    user_name: person?.displayName ?? '',
    game_id: '509658',
    game_name: 'Just Chatting',
    type: 'live',
    title: 'Live in the sandbox',
    viewer_count: state.channels.chatters.get(channelId)?.length ?? 0,
    started_at: broadcast?.startedAt.toISOString().replace(/\.\d+Z$/, 'Z') ?? '',
    language: 'en',
    thumbnail_url: 'https://static-cdn.jtvnw.net/previews-ttv/live-{width}x{height}.jpg',
    tag_ids: [],
    tags: ['English'],
    is_mature: false,
  }
}

function chatters(state: TwitchState, request: FastifyRequest) {
  const grant = grantOf(state, request)
  const moderator = personWith(grant, 'moderator:read:chatters')
  const query = queryOf(request)
  const channelId = needed(query, 'broadcaster_id')
  if (needed(query, 'moderator_id') !== moderator.id) {
    throw new HelixError(
      401,
      'The ID in moderator_id must match the user ID found in the OAuth token.',
    )
  }
  requireModerator(grant, channelId)
  const first = pageSize(query, 100, 1_000)
  const people = (state.channels.chatters.get(channelId) ?? []).flatMap((login) => {
    const viewer = state.viewers.named(login)
    return viewer === undefined ? [] : [viewer]
  })
  const shown = page(query, people, first, ({ id, login, displayName }) => {
    return { user_id: id, user_login: login, user_name: displayName }
  })
  return { ...shown, total: people.length }
}

/** The bot is a moderator everywhere, everybody else in their own channel. */
function requireModerator(grant: TokenGrant, channelId: string): void {
  if (grant.isBot === true || grant.viewer?.id === channelId) return
  throw new HelixError(403, "The user in moderator_id is not one of the broadcaster's moderators.")
}

function say(state: TwitchState, request: FastifyRequest) {
  const sender = personWith(grantOf(state, request), 'user:write:chat')
  // The real service takes the ids from the address as well.
  const body = {
    ...Object.fromEntries(queryOf(request)),
    ...((request.body ?? {}) as Record<string, unknown>),
  } as Record<string, unknown>
  const { broadcaster_id: channelId, sender_id: senderId, message } = body
  for (const [name, value] of Object.entries({ broadcaster_id: channelId, sender_id: senderId })) {
    if (typeof value !== 'string' || value === '') {
      throw new HelixError(400, `The ${name} field is required.`)
    }
  }
  if (typeof message !== 'string' || message.trim() === '') {
    throw new HelixError(400, 'The message field is required.')
  }
  if (senderId !== sender.id) {
    throw new HelixError(
      401,
      'The ID in sender_id must match the user ID found in the OAuth token.',
    )
  }
  if (message.length > messageMax) throw new HelixError(422, 'The message is too large.')
  state.channels.meet(String(channelId))
  const { messageId, drop } = state.channels.say(String(channelId), sender.id, message)
  const isSent = drop === undefined
  return { data: [{ message_id: messageId, is_sent: isSent, drop_reason: drop ?? null }] }
}

function needed(query: URLSearchParams, name: string): string {
  const value = query.get(name)
  if (value === null || value === '') {
    throw new HelixError(400, `Missing required parameter "${name}"`)
  }
  return value
}

function pageSize(query: URLSearchParams, fallback: number, max: number): number {
  const first = query.get('first')
  if (first === null) return fallback
  if (!/^\d+$/.test(first) || Number(first) < 1 || Number(first) > max) {
    throw new HelixError(400, `The parameter "first" must be from 1 to ${max}`)
  }
  return Number(first)
}

function page<Item, Shown>(
  query: URLSearchParams,
  items: readonly Item[],
  first: number,
  show: (item: Item) => Shown,
) {
  const after = query.get('after')
  const place = after === null ? '0' : Buffer.from(after, 'base64url').toString()
  if (!/^\d{1,9}$/.test(place)) throw new HelixError(400, 'Invalid cursor.')
  const from = Number(place)
  const next = from + first
  const cursor = Buffer.from(String(next)).toString('base64url')
  return {
    data: items.slice(from, next).map(show),
    pagination: next < items.length ? { cursor } : {},
  }
}
