// Sends what is planned for channels of Discord, so that it stands there exactly once, and says why
// the bot cannot post to a channel. Refused by its token it stands still.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { PlaceCheck } from '../../adapters/discord/places.ts'
import { DeliveryFault, DiscordFault } from '../../shared/far-side-faults.ts'
import { botProblem, stopBot } from '../outbox/bot-stop-tables.ts'
import type { Carrier, Decision, DueMessage } from '../outbox/sending-tables.ts'
import { buttonIdOf, closedPost, openPost } from './message-texts.ts'
import {
  checkpointText,
  clearServerProblem,
  countRefusedPost,
  findActiveChannel,
  keepLastPostTime,
  markCheckpointPosted,
  nameMessage,
  type PlannedReward,
  plannedReward,
  readSettings,
} from './tables.ts'

const placeProblems: Readonly<
  Record<Exclude<PlaceCheck['kind'], 'fine' | 'missing_permissions'>, string>
> = {
  no_server: 'The bot is not a member of this Discord server. Invite it first.',
  no_channel: 'Discord does not know this channel.',
  no_access: 'The bot cannot see this channel. Give it the permission View Channel there.',
  other_server: 'This channel belongs to another Discord server.',
  no_text_channel: 'This channel is not a text channel.',
}
const listed = new Intl.ListFormat('en', { type: 'conjunction' })

/** What is wrong with a place, and which field says so; undefined when the bot can post there. */
export function problemOfPlace(check: PlaceCheck) {
  if (check.kind === 'fine') return undefined
  const field = check.kind === 'no_server' ? ('serverId' as const) : ('channelId' as const)
  if (check.kind !== 'missing_permissions') return { field, words: placeProblems[check.kind] }
  const noun = check.names.length === 1 ? 'permission' : 'permissions'
  return {
    field,
    words: `The bot lacks the ${noun} ${listed.format(check.names)} in this channel.`,
  }
}

/** What is wrong with a channel that has refused a post; `fallback` when Discord sees no fault. */
export async function errorWords(
  deps: Deps,
  serverId: string,
  channelId: string,
  fallback: string,
): Promise<string> {
  try {
    const problem = problemOfPlace(await deps.discord.checkPlace(serverId, channelId))
    return problem?.words ?? `${fallback}.`
  } catch (error) {
    if (error instanceof DiscordFault) return `${fallback}.`
    throw error
  }
}

/** Posts in a row that Discord may refuse before a channel is switched off. */
const refusalsMax = 3
const refusedAgainSeconds = 60
const checkpointAgainSeconds = 3_600

/** Posts to channels of Discord, and takes back the buttons of rewards that are over. */
export function postCarrier(deps: Deps): Carrier {
  return {
    backoff: { firstMillis: 10_000, mostMillis: 300_000 },
    isOpen: async () => deps.discord.hasToken && (await botProblem(deps)) === undefined,
    decide: (tx, message) => decide(deps, tx, message),
  }
}

async function decide(deps: Deps, tx: Queryable, message: DueMessage): Promise<Decision> {
  const { kind, event, lane: channelId } = message
  const about = event.slice(kind.length + 1)
  if (kind === 'checkpoint') {
    const content = await checkpointText(tx, about)
    return content === undefined ? 'drop' : () => sendCheckpoint(deps, message, about, content)
  }
  const reward = await plannedReward(tx, Number(about))
  if (reward === undefined) return 'drop'
  if (kind === 'reward_over') {
    const { messageId } = reward
    return messageId === null ? 'drop' : () => endReward(deps, messageId, reward)
  }
  // Its button was pressed before we heard from Discord.
  if (reward.messageId !== null) return async () => undefined
  if ((await findActiveChannel(tx, channelId)) === undefined) return 'drop'
  // The bot may have been switched off while the post waited.
  if ((await readSettings(tx))?.isActive === false) return 'drop'
  return () => sendPlanned(deps, message, reward)
}

/**
 * Posts a reward and makes it claimable. When posting was begun before, the channel is searched
 * first: the earlier try may have posted and died before it could say so. The nonce covers the
 * rest, since Discord answers the message it has for it.
 * @throws DiscordFault
 */
export async function sendReward(
  deps: Deps,
  reward: PlannedReward,
  isRepeated: boolean,
  inSameTransaction?: (tx: Queryable) => Promise<void>,
): Promise<string> {
  const { channelId, nonce } = reward
  const found = isRepeated ? await deps.discord.findPost(channelId, buttonIdOf(nonce)) : undefined
  const messageId = found ?? (await deps.discord.post(channelId, openPost(reward), nonce))
  await recordMessage(deps, reward, messageId, inSameTransaction)
  return messageId
}

/** Makes a reward claimable by the message that carries it, once. */
export async function recordMessage(
  deps: Deps,
  { id, channelId }: PlannedReward,
  messageId: string,
  inSameTransaction?: (tx: Queryable) => Promise<void>,
): Promise<void> {
  const now = deps.clock.now()
  await deps.db.transaction(async (tx) => {
    await inSameTransaction?.(tx)
    if (!(await nameMessage(tx, id, messageId, now))) return
    await clearServerProblem(tx, channelId, now)
    await keepLastPostTime(tx, channelId, now.toISOString())
  })
}

async function sendPlanned(deps: Deps, { attempts }: DueMessage, reward: PlannedReward) {
  const { serverId, channelId } = reward
  await sendReward(deps, reward, attempts > 0).catch(async (cause: unknown) => {
    if (!isOfPlace(cause)) return await refuse(deps, cause)
    const words = await errorWords(deps, serverId, channelId, cause.message)
    const channel = await countRefusedPost(deps.db, channelId, words, refusalsMax)
    const isStillOn = channel?.isActive === true
    const waitSeconds = refusedAgainSeconds
    throw new DeliveryFault(isStillOn ? 'later' : 'refused', words, { cause, waitSeconds })
  })
}

/** A message that is gone has no button any more. */
async function endReward(deps: Deps, messageId: string, reward: PlannedReward): Promise<void> {
  await deps.discord
    .closePost(reward.channelId, messageId, closedPost(reward))
    .catch((error: unknown) => {
      if (!(error instanceof DiscordFault && error.kind === 'unknown')) return refuse(deps, error)
    })
}

async function sendCheckpoint(
  deps: Deps,
  { id, lane: channelId, attempts }: DueMessage,
  day: string,
  content: string,
): Promise<void> {
  try {
    // An earlier try may have posted and died before it could say so.
    const found = attempts > 0 ? await deps.discord.findText(channelId, content) : undefined
    const messageId = found ?? (await deps.discord.say(channelId, content, `outbox-${id}`))
    await markCheckpointPosted(deps.db, day, messageId)
  } catch (cause) {
    if (!isOfPlace(cause)) return await refuse(deps, cause)
    const waitSeconds = checkpointAgainSeconds
    throw new DeliveryFault('later', cause.message, { cause, waitSeconds })
  }
}

export function isOfPlace(error: unknown): error is DiscordFault {
  return error instanceof DiscordFault && (error.kind === 'forbidden' || error.kind === 'unknown')
}

/** What a failure means for a post, whatever it says. */
async function refuse(deps: Deps, cause: unknown): Promise<never> {
  if (!(cause instanceof DiscordFault)) throw cause
  const { kind, message, waitSeconds } = cause
  switch (kind) {
    case 'token':
      await stopBot(deps)
      throw new DeliveryFault('unreachable', message, { cause, waitSeconds: 0 })
    case 'rate_limited':
      throw new DeliveryFault('later', message, { cause, waitSeconds })
    case 'unreachable':
      throw new DeliveryFault('unreachable', message, { cause })
    default:
      throw new DeliveryFault('refused', message, { cause })
  }
}
