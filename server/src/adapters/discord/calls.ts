// The bot's calls to Discord's API: token, time-outs, rate limits, and one kind of failure.

import { DiscordAPIError, HTTPError, RateLimitError, REST, type RouteLike } from '@discordjs/rest'
import type * as z from 'zod/mini'
import { DiscordFault } from '../../shared/far-side-faults.ts'

const timeoutMillis = 5_000
/** For a whole call: the library's own patience ends with the first bytes of an answer. */
const callMillis = 10_000
/** A rate limit that passes this soon is waited for; a longer one is the caller's matter. */
const patienceMillis = 2_000

export type DiscordCalls = ReturnType<typeof discordCalls>

/**
 * `apiUrl` ends with the version, for example `https://discord.com/api/v10`. Every call throws a
 * DiscordFault when it fails; nothing is tried twice here, since only the caller knows what may be.
 */
export function discordCalls(
  settings: { readonly apiUrl: string; readonly botToken: string | undefined },
  publicUrl: string,
) {
  const [, api = settings.apiUrl, version = '10'] = /^(.*)\/v(\d+)$/.exec(settings.apiUrl) ?? []
  const rest = new REST({
    api,
    version,
    retries: 0,
    timeout: timeoutMillis,
    userAgentAppendix: `Redpack (${publicUrl})`,
    // Where no time is named that it can read, the library would ask again at once, and again.
    rejectOnRateLimit: ({ retryAfter }) => !(retryAfter > 0 && retryAfter <= patienceMillis),
  })
  const route = (path: string) => path as RouteLike
  const limit = () => ({ signal: AbortSignal.timeout(callMillis) })
  const withToken = <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    const { botToken } = settings
    if (botToken === undefined) throw new DiscordFault('token', 'The Discord bot has no token')
    // The library forgets a token that was refused once; whether to go on is not its decision.
    rest.setToken(botToken)
    return call().catch(fail)
  }
  return {
    get: (path: string, query?: Readonly<Record<string, string>>) =>
      withToken(() => rest.get(route(path), { query: new URLSearchParams(query), ...limit() })),
    post: (path: string, body: unknown) =>
      withToken(() => rest.post(route(path), { body, ...limit() })),
    /** `hasToken` is false for calls that are allowed by the address itself. */
    patch: (path: string, body: unknown, hasToken = true) =>
      hasToken
        ? withToken(() => rest.patch(route(path), { body, ...limit() }))
        : rest.patch(route(path), { body, auth: false, ...limit() }).catch(fail),
  }
}

/** An answer in the shape that is expected of it. @throws DiscordFault unreachable for another */
export function read<Schema extends z.ZodMiniType>(
  schema: Schema,
  answer: unknown,
): z.output<Schema> {
  const result = schema.safeParse(answer)
  if (result.success) return result.data
  const cause = new Error('The answer has an unknown shape')
  throw new DiscordFault('unreachable', 'Discord cannot be understood right now', { cause })
}

/** Error numbers of Discord for a place, a message or an account that does not exist. */
const unknownCodes = new Set([10_003, 10_004, 10_008, 10_015])

/** Error numbers that come with a 403 and pass by themselves: they say nothing of a place. */
const passingCodes = new Set([40_003, 40_004, 40_006, 40_333])

/** Error numbers whose meaning staff can act on. */
const sentences: Readonly<Record<number, string>> = {
  10003: 'Discord does not know this channel',
  10004: 'The bot is not a member of this Discord server',
  50001: 'The bot cannot see this channel on Discord',
  50007: 'This person takes no messages from the bot on Discord',
  50013: 'The bot lacks a permission in this channel on Discord',
}

function fail(error: unknown): never {
  throw faultOf(error)
}

function faultOf(error: unknown): DiscordFault {
  const cause = withoutRequest(error)
  // Without limit and time it is no route that is full: whoever answers has shut us out.
  if (error instanceof RateLimitError && Number.isFinite(error.limit) && error.retryAfter > 0) {
    const details = { cause, waitSeconds: Math.ceil(error.retryAfter / 1000) }
    return new DiscordFault('rate_limited', 'Discord asks to wait', details)
  }
  if (error instanceof DiscordAPIError) return faultOfAnswer(error)
  return new DiscordFault('unreachable', 'Discord cannot be reached right now', { cause })
}

function faultOfAnswer(error: DiscordAPIError): DiscordFault {
  const code = Number.isInteger(error.code) ? Number(error.code) : undefined
  const details = { cause: withoutRequest(error), code }
  // Discord names a number with each refusal; pages of services in front of it do not.
  if (passingCodes.has(code ?? 0) || (code === undefined && error.status !== 400)) {
    return new DiscordFault('unreachable', 'Discord does not take this right now', details)
  }
  const words = sentences[code ?? 0]
  if (error.status === 401) {
    return new DiscordFault('token', 'Discord does not accept the bot token', details)
  }
  if (error.status === 404 || unknownCodes.has(code ?? 0)) {
    return new DiscordFault('unknown', words ?? 'Discord does not know this', details)
  }
  if (error.status === 403) {
    return new DiscordFault('forbidden', words ?? 'Discord does not allow this', details)
  }
  return new DiscordFault('refused', `Discord refused this (${code ?? error.status})`, details)
}

/** Errors of the library carry the request, and in their words the answer: neither is kept. */
function withoutRequest(error: unknown): Error {
  if (error instanceof DiscordAPIError) {
    return new Error(`Discord answered ${error.status}, number ${Number(error.code)}`)
  }
  if (error instanceof HTTPError) return new Error(`Discord answered ${error.status}`)
  const name = error instanceof Error && /^\w{1,40}$/.test(error.name) ? error.name : 'unknown'
  return new Error(`The call to Discord failed: ${name}`)
}
