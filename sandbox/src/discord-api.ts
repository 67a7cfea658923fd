// Stand-in of the part of Discord's API that a bot needs to post rewards and to answer clicks.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SandboxControls } from './controls.ts'
import {
  emptyMessage,
  invalidRecipient,
  missingPermissions,
  notAuthorized,
  refuse,
  refuseField,
  unknownChannel,
  unknownGuild,
  unknownMessage,
  unknownWebhook,
} from './discord-errors.ts'
import {
  botShape,
  channelShape,
  guildShape,
  memberShape,
  messageShape,
  ownShape,
} from './discord-shapes.ts'
import type { DiscordState } from './discord-state.ts'
import { jsonOf, open } from './requests.ts'
import { discordIdOf } from './viewers.ts'

const base = '/discord/api/v10'
const contentMax = 2_000
const nonceMax = 25
const rowsMax = 5
const viewAndSend = (1n << 10n) | (1n << 11n)
const readHistory = 1n << 16n

type Params = Readonly<Record<string, string>>

export function serveDiscordApi(
  app: FastifyInstance,
  controls: SandboxControls,
  state: DiscordState,
): void {
  const isBot = (request: FastifyRequest) =>
    request.headers.authorization === `Bot ${controls.discordBotToken}`
  const asBot =
    (handle: (request: FastifyRequest, reply: FastifyReply, params: Params) => unknown) =>
    async (request: FastifyRequest, reply: FastifyReply) =>
      isBot(request)
        ? handle(request, reply, request.params as Params)
        : refuse(reply, notAuthorized)

  app.get(
    `${base}/guilds/:guild`,
    open,
    asBot((_request, reply, { guild = '' }) => {
      const id = state.guild(guild)
      return id === undefined
        ? refuse(reply, unknownGuild)
        : guildShape(id, discordIdOf('an owner'))
    }),
  )
  app.get(
    `${base}/guilds/:guild/members/:user`,
    open,
    asBot((_request, reply, { guild = '' }) =>
      state.missing.has(guild) ? refuse(reply, unknownGuild) : memberShape(botShape(state)),
    ),
  )
  app.get(
    `${base}/channels/:channel`,
    open,
    asBot((_request, reply, params) => {
      const channel = state.channelOfLastGuild(params['channel'] ?? '')
      return channel === undefined ? refuse(reply, unknownChannel) : channelShape(channel)
    }),
  )
  serveMessages(app, state, asBot)
  app.post(
    `${base}/users/@me/channels`,
    open,
    asBot((request, reply) => openDirectMessages(state, request, reply)),
  )
  app.patch(
    `${base}/webhooks/:application/:token/messages/@original`,
    open,
    async (request, reply) => {
      const { application, token = '' } = request.params as Params
      const late = state.replies.get(token)
      if (late === undefined || application !== controls.discordClient.clientId) {
        return refuse(reply, unknownWebhook)
      }
      late.content = String(jsonOf(request)['content'] ?? '')
      const message = { channelId: '0', content: late.content, components: [], nonce: undefined }
      const id = state.newId()
      const createdAt = controls.clock.now()
      return messageShape({ ...message, id, createdAt, editedAt: createdAt }, state)
    },
  )
}

type AsBot = (
  handle: (request: FastifyRequest, reply: FastifyReply, params: Params) => unknown,
) => (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

function serveMessages(app: FastifyInstance, state: DiscordState, asBot: AsBot): void {
  const path = `${base}/channels/:channel/messages`
  app.get(
    path,
    open,
    asBot((request, reply, { channel: id = '' }) => {
      const channel = state.channel(id)
      if (channel === undefined) return refuse(reply, unknownChannel)
      if ((channel.deniedPermissions & readHistory) !== 0n) return refuse(reply, missingPermissions)
      const limit = Number((request.query as Params)['limit'] ?? 50)
      const newest = state.of(id).toReversed().slice(0, limit)
      return newest.map((message) => messageShape(message, state))
    }),
  )
  app.post(
    path,
    open,
    asBot((request, reply, params) => createMessage(state, request, reply, params)),
  )
  app.patch(
    `${path}/:message`,
    open,
    asBot((request, reply, { message: id = '', channel }) => {
      const message = state.message(id)
      if (message === undefined || message.channelId !== channel) {
        return refuse(reply, unknownMessage)
      }
      const { content, components } = jsonOf(request)
      state.edit(message, {
        ...(typeof content === 'string' ? { content } : {}),
        ...(Array.isArray(components) ? { components } : {}),
      })
      return messageShape(message, state)
    }),
  )
}

/** Where the bot writes to one person: the same place every time. */
function openDirectMessages(state: DiscordState, request: FastifyRequest, reply: FastifyReply) {
  const recipient = jsonOf(request)['recipient_id']
  if (typeof recipient !== 'string' || !/^\d{5,20}$/.test(recipient)) {
    return refuse(reply, invalidRecipient)
  }
  const id = discordIdOf(`messages to ${recipient}`)
  const user = { ...botShape(state), id: recipient, username: `user-${recipient}`, bot: false }
  return { id, type: 1, last_message_id: state.of(id).at(-1)?.id ?? null, recipients: [user] }
}

function createMessage(
  state: DiscordState,
  request: FastifyRequest,
  reply: FastifyReply,
  params: Params,
): unknown {
  const channel = state.channel(params['channel'] ?? '')
  if (channel === undefined) return refuse(reply, unknownChannel)
  if ((channel.deniedPermissions & viewAndSend) !== 0n) return refuse(reply, missingPermissions)
  const body = jsonOf(request)
  const { content = '', components = [], enforce_nonce } = body
  const nonce = body['nonce'] === undefined ? undefined : String(body['nonce'])
  if (typeof content !== 'string' || content.length > contentMax) {
    const words = `Must be ${contentMax} or fewer in length.`
    return refuseField(reply, 'content', 'BASE_TYPE_BAD_LENGTH', words)
  }
  if (nonce !== undefined && nonce.length > nonceMax) {
    const words = `Must be ${nonceMax} or fewer in length.`
    return refuseField(reply, 'nonce', 'NONCE_TYPE_BAD_LENGTH', words)
  }
  if (!Array.isArray(components) || components.length > rowsMax) {
    return refuseField(reply, 'components', 'BASE_TYPE_BAD_LENGTH', 'Must be 5 or fewer in length.')
  }
  if (content === '' && components.length === 0) return refuse(reply, emptyMessage)
  const before =
    enforce_nonce === true && nonce !== undefined ? state.withNonce(channel.id, nonce) : undefined
  const message = before ?? state.add({ channelId: channel.id, content, components, nonce })
  return messageShape(message, state)
}

/** The bot's own account, for callers with its token; undefined for everybody else. */
export function botAccount(
  request: FastifyRequest,
  controls: SandboxControls,
  state: DiscordState,
): ReturnType<typeof ownShape> | undefined {
  const isBot = request.headers.authorization === `Bot ${controls.discordBotToken}`
  return isBot ? ownShape(state) : undefined
}
