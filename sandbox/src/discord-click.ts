// Presses a button: builds the interaction as Discord does, signs it and sends it to the product.
// Facts: discord-api-docs interactions/receiving-and-responding and interactions/overview.

import { createHash, createPrivateKey, randomBytes, sign } from 'node:crypto'
import type { SandboxControls } from './controls.ts'
import { memberShape, messageShape, userShape } from './discord-shapes.ts'
import type { DiscordState, SandboxMessage } from './discord-state.ts'

/** Discord gives an application three seconds. */
const answerMillisMax = 3_000
const lateMillisMax = 10_000
const lookEveryMillis = 50

/** What everybody in the sandbox may do, as the bits of permissions. */
const permissions = '2248473465835073'

/** The key of the sandbox: the same on every machine, so the product knows its public half. */
const signingKey = createPrivateKey({
  key: Buffer.concat([
    // What stands before the 32 bytes of an Ed25519 key in its PKCS 8 form (RFC 8410).
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    createHash('sha256').update('sandbox of discord').digest(),
  ]),
  format: 'der',
  type: 'pkcs8',
})

/** The headers that prove that a body comes from this Discord. */
export function signedHeaders(body: string, at: Date): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  return {
    'content-type': 'application/json',
    'user-agent': 'Discord-Interactions/1.0 (+https://discord.com)',
    'x-signature-timestamp': timestamp,
    'x-signature-ed25519': sign(null, Buffer.from(timestamp + body), signingKey).toString('hex'),
  }
}

export interface Clicker {
  readonly discordUserId: string
  readonly username: string
}

/** What the person who clicked gets to see. */
export interface ClickAnswer {
  readonly status: number
  readonly type: number | null
  readonly content: string | null
  readonly ephemeral: boolean
}

/**
 * Answers as the product replied; for a reply that is put off, its later text. A product that does
 * not answer within three seconds has failed: status 504.
 */
export async function pressButton(
  controls: SandboxControls,
  state: DiscordState,
  message: SandboxMessage,
  clicker: Clicker,
): Promise<ClickAnswer> {
  const token = randomBytes(64).toString('base64url')
  const body = JSON.stringify(interaction(controls, state, message, clicker, token))
  state.replies.set(token, { content: undefined })
  try {
    const answer = await fetch(`${controls.publicUrl}/api/discord/interactions`, {
      method: 'POST',
      headers: signedHeaders(body, controls.clock.now()),
      body,
      signal: AbortSignal.timeout(answerMillisMax),
    })
    const reply = (await answer.json()) as {
      type?: number
      data?: { content?: string; flags?: number }
    }
    const { type = null, data } = reply
    const content = type === 5 ? await lateContent(state, token) : data?.content
    return {
      status: answer.status,
      type,
      content: content ?? null,
      ephemeral: ((data?.flags ?? 0) & 64) !== 0,
    }
  } catch {
    return { status: 504, type: null, content: null, ephemeral: false }
  } finally {
    state.replies.delete(token)
  }
}

async function lateContent(state: DiscordState, token: string): Promise<string | undefined> {
  for (let waited = 0; waited < lateMillisMax; waited += lookEveryMillis) {
    const content = state.replies.get(token)?.content
    if (content !== undefined) return content
    await new Promise((resolve) => setTimeout(resolve, lookEveryMillis))
  }
  return undefined
}

export function interaction(
  controls: SandboxControls,
  state: DiscordState,
  message: SandboxMessage,
  { discordUserId, username }: Clicker,
  token: string,
) {
  const guildId = state.channel(message.channelId)?.guildId ?? ''
  return {
    id: state.newId(),
    application_id: controls.discordClient.clientId,
    type: 3,
    data: { id: 2, custom_id: buttonOf(message), component_type: 2 },
    guild_id: guildId,
    guild: { id: guildId, locale: 'en-US', features: [] },
    channel_id: message.channelId,
    channel: { id: message.channelId, type: 0, guild_id: guildId, name: 'rewards' },
    member: { ...memberShape(userShape(discordUserId, username)), permissions },
    token,
    version: 1,
    message: messageShape(message, state),
    app_permissions: permissions,
    locale: 'en-US',
    guild_locale: 'en-US',
    entitlements: [],
    authorizing_integration_owners: { 0: guildId },
    context: 0,
    attachment_size_limit: 10_485_760,
  }
}

/** The id of the first button of a message, pressed whether or not it can still be pressed. */
function buttonOf(message: SandboxMessage): string {
  const ids: string[] = []
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    const { custom_id, components } = part as { custom_id?: unknown; components?: unknown }
    if (typeof custom_id === 'string') ids.push(custom_id)
    if (Array.isArray(components)) components.forEach(walk)
  }
  message.components.forEach(walk)
  return ids[0] ?? 'none'
}
