// The Discord bot for the product: places it may post to, posts with one button, and answers to
// those who press it. It uses HTTP only and keeps no connection open.

import {
  type APIMessageTopLevelComponent,
  ButtonStyle,
  ComponentType,
  MessageFlags,
  type RESTPatchAPIChannelMessageJSONBody,
  type RESTPostAPIChannelMessageJSONBody,
  type RESTPostAPICurrentUserCreateDMChannelJSONBody,
  Routes,
} from 'discord-api-types/v10'
import * as z from 'zod/mini'
import type { Config } from '../../config/config.ts'
import { type DiscordCalls, discordCalls, read } from './calls.ts'
import { openEvent, openInteraction, type SignedRequest } from './interactions.ts'
import { checkPlace } from './places.ts'

/** A message with one button. */
export interface ButtonPost {
  readonly content: string
  readonly label: string
  /** Comes back with every click, 1 to 100 characters. */
  readonly buttonId: string
}

/** An answer that only the person who clicked can see. */
export interface PrivateAnswer {
  readonly content: string
  readonly link?: { readonly label: string; readonly url: string } | undefined
}

const historyLength = 50

const PostedMessage = z.object({ id: z.string() })
const Messages = z.array(
  z.object({
    id: z.string(),
    author: z.object({ id: z.string() }),
    content: z.optional(z.string()),
    components: z.optional(z.array(z.unknown())),
  }),
)

export type DiscordBot = ReturnType<typeof discordBot>

export function discordBot(settings: Config['discord'], publicUrl: string) {
  const calls = discordCalls(settings, publicUrl)
  const path = (id: string) => encodeURIComponent(id)
  return {
    hasToken: settings.botToken !== undefined,
    /** What Discord says of a channel. @throws DiscordFault when Discord does not answer */
    checkPlace: (serverId: string, channelId: string) => checkPlace(calls, serverId, channelId),
    /**
     * Posts to a channel and answers the message's id. The same `nonce` within a few minutes
     * answers the message that is there already, so a call may be repeated. @throws DiscordFault
     */
    post: (channelId: string, post: ButtonPost, nonce: string): Promise<string> =>
      say(calls, path(channelId), post.content, nonce, [buttonRow(post, false)]),
    /** The same with text alone. @throws DiscordFault */
    say: (channelId: string, content: string, nonce: string): Promise<string> =>
      say(calls, path(channelId), content, nonce),
    /** The same to one person. @throws DiscordFault, `forbidden` where they take no messages */
    async tell(userId: string, content: string, nonce: string): Promise<void> {
      // The channel between the bot and a person is always the same one.
      const body: RESTPostAPICurrentUserCreateDMChannelJSONBody = { recipient_id: userId }
      const channel = read(PostedMessage, await calls.post(Routes.userChannels(), body))
      await say(calls, path(channel.id), content, nonce)
    },
    /** Id of the message with this text among the newest of a channel. @throws DiscordFault */
    async findText(channelId: string, content: string): Promise<string | undefined> {
      const messages = await newestMessages(calls, path(channelId))
      return messages.find((message) => message.content === content)?.id
    },
    /** Id of the bot's own message with this button among the newest of a channel. */
    findPost: (channelId: string, buttonId: string) => findPost(calls, path(channelId), buttonId),
    /** Replaces the text and takes the button back. @throws DiscordFault */
    async closePost(channelId: string, messageId: string, post: ButtonPost): Promise<void> {
      const body: RESTPatchAPIChannelMessageJSONBody = {
        content: post.content,
        components: [buttonRow(post, true)],
        allowed_mentions: { parse: [] },
      }
      await calls.patch(Routes.channelMessage(path(channelId), path(messageId)), body)
    },
    openInteraction: (request: SignedRequest, now: Date) => openInteraction(settings, request, now),
    openEvent: (request: SignedRequest, now: Date) => openEvent(settings, request, now),
    /** The body that answers a click at once. */
    privateAnswer: (answer: PrivateAnswer): Record<string, unknown> => ({
      ...answerBody(answer),
      flags: MessageFlags.Ephemeral,
    }),
    /** Answers a click that was put off; possible for 15 minutes. @throws DiscordFault */
    async answerLater(interactionToken: string, answer: PrivateAnswer): Promise<void> {
      const application = path(settings.clientId ?? '')
      const route = Routes.webhookMessage(application, path(interactionToken))
      await calls.patch(route, answerBody(answer), false)
    },
  }
}

async function say(
  calls: DiscordCalls,
  channelId: string,
  content: string,
  nonce: string,
  components: APIMessageTopLevelComponent[] = [],
) {
  const body: RESTPostAPIChannelMessageJSONBody = {
    content,
    ...(components.length > 0 && { components }),
    allowed_mentions: { parse: [] },
    nonce,
    enforce_nonce: true,
  }
  return read(PostedMessage, await calls.post(Routes.channelMessages(channelId), body)).id
}

async function newestMessages(
  calls: DiscordCalls,
  channelId: string,
): Promise<z.output<typeof Messages>> {
  const query = { limit: String(historyLength) }
  return read(Messages, await calls.get(Routes.channelMessages(channelId), query))
}

async function findPost(
  calls: DiscordCalls,
  channelId: string,
  buttonId: string,
): Promise<string | undefined> {
  // Nobody but our application can have posted a button with an id that only we know.
  return (await newestMessages(calls, channelId)).find(({ components }) =>
    JSON.stringify(components ?? []).includes(JSON.stringify(buttonId)),
  )?.id
}

function buttonRow(post: ButtonPost, isClosed: boolean): APIMessageTopLevelComponent {
  return {
    type: ComponentType.ActionRow,
    components: [
      {
        type: ComponentType.Button,
        style: isClosed ? ButtonStyle.Secondary : ButtonStyle.Primary,
        label: post.label,
        custom_id: post.buttonId,
        disabled: isClosed,
      },
    ],
  }
}

function answerBody({ content, link }: PrivateAnswer) {
  const components: APIMessageTopLevelComponent[] =
    link === undefined
      ? []
      : [
          {
            type: ComponentType.ActionRow,
            components: [{ type: ComponentType.Button, style: ButtonStyle.Link, ...link }],
          },
        ]
  return { content, components, allowed_mentions: { parse: [] } }
}
