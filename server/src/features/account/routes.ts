// Signing in with Twitch, signing out, and linking a Discord account over HTTP (W-001 to W-007).

import { authContract } from '@redpack/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SerializedAnswer, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { addressFor, isCrossSite, originFor } from '../../adapters/http/security-headers.ts'
import { productCookies } from '../../adapters/http/sessions-cookie.ts'
import { invariant } from '../../shared/domain-error.ts'
import {
  linkDiscord,
  type OnFirstSignIn,
  signInWithTwitch,
  startAttempt,
  unlinkDiscord,
  withdrawDiscord,
} from './provider-sign-in.ts'
import { isSignedIn } from './session-cache.ts'
import { endEverywhere, endSession, renewSession } from './sessions.ts'

/** Answers what other features need of it. */
export function registerAuth(context: FeatureContext, onFirstSignIn: OnFirstSignIn) {
  registerSession(context)
  registerTwitch(context, onFirstSignIn)
  registerDiscord(context)
  return { renewSession, withdrawDiscord }
}

function registerSession({ app, deps, guards }: FeatureContext): void {
  const { session, clearAll } = productCookies(deps.config)

  serve(app, guards, authContract.me, async ({ actor }) => {
    invariant(isSignedIn(actor), 'callers come from the session cache')
    return new SerializedAnswer(actor.userJson)
  })

  serve(app, guards, authContract.logout, async ({ request, reply }) => {
    await endSession(deps, session.read(request))
    clearAll(reply)
    return { success: true, message: 'Logged out successfully' } as const
  })

  serve(app, guards, authContract.logoutEverywhere, async ({ actor: { userId }, reply }) => {
    await endEverywhere(deps, userId)
    clearAll(reply)
    return { success: true, message: 'You are signed out everywhere' } as const
  })

  serve(app, guards, authContract.emergencyLogout, async ({ request, reply }) => {
    // Another site may send a browser here, and a picture may name this address, but neither may
    // sign anybody out.
    if (isCrossSite(request, deps.config) || !isNavigation(request)) return reply.redirect('/', 302)
    await endSession(deps, session.read(request)).catch((error: unknown) => {
      request.log.error({ err: error }, 'session not ended')
    })
    clearAll(reply)
    return reply.header('clear-site-data', leftBehind(request)).redirect('/', 302)
  })
}

/**
 * Whether somebody goes to this address: not a picture, a frame or a guess of the browser at where
 * they may go next. A program sends none of these headers and goes where it says.
 */
function isNavigation({ method, headers }: FastifyRequest): boolean {
  const isForPage = (headers['sec-fetch-dest'] ?? 'document') === 'document'
  return method !== 'GET' || (isForPage && headers['sec-purpose'] === undefined)
}

/**
 * What the browser is to forget. A page of ours has emptied its storages before it led here, and
 * the commitments that the browser remembers must outlive a sign-out: they are what it holds
 * against the server. Whoever comes any other way gets everything cleared.
 */
function leftBehind(request: FastifyRequest): string {
  const isOwnPage = request.headers['sec-fetch-site'] === 'same-origin'
  return isOwnPage ? '"cache"' : '"cache", "storage"'
}

function registerTwitch(context: FeatureContext, onFirstSignIn: OnFirstSignIn): void {
  const { app, deps, guards } = context
  const twitch = deps.twitchIdentity
  const { session, signInBrowser } = productCookies(deps.config)
  const wayBack = (request: FastifyRequest) =>
    `${originFor(request, deps.config)}/api/auth/twitch/callback`
  const fail = (reply: FastifyReply, why: string) => reply.redirect(`/?authError=${why}`, 302)

  serve(app, guards, authContract.twitch, async ({ request, reply }) => {
    if (!twitch.isConfigured) return fail(reply, 'not_configured')
    const attempt = await startAttempt(deps, 'twitch', { token: signInBrowser.read(request) })
    signInBrowser.set(reply, attempt.browserToken, signInBrowser.maxAgeSeconds)
    const address = twitch.authorizeUrl({ ...attempt, redirectUri: wayBack(request) })
    return reply.redirect(addressFor(request, deps.config, address), 302)
  })

  serve(app, guards, authContract.twitchCallback, async ({ query, request, reply }) => {
    if (!twitch.isConfigured) return fail(reply, 'not_configured')
    const redirectUri = wayBack(request)
    const callback = { ...query, ...cookiesOf(request, context), redirectUri }
    const outcome = await signInWithTwitch(deps, twitch, callback, onFirstSignIn)
    if (typeof outcome === 'string') return fail(reply, outcome)
    session.set(reply, outcome.token, outcome.maxAgeSeconds)
    return reply.redirect('/dashboard', 302)
  })
}

function registerDiscord(context: FeatureContext): void {
  const { app, deps, guards } = context
  const discord = deps.discordLink
  const { signInBrowser } = productCookies(deps.config)
  const wayBack = (request: FastifyRequest) =>
    `${originFor(request, deps.config)}/api/auth/discord/callback`
  const finish = (reply: FastifyReply, outcome: string) =>
    reply.redirect(`/profile?discord=${outcome}`, 302)

  serve(app, guards, authContract.discord, async ({ actor, request, reply }) => {
    if (actor === undefined) return reply.redirect('/', 302)
    if (!discord.isConfigured) return finish(reply, 'failed')
    const browser = { token: signInBrowser.read(request), userId: actor.userId }
    const attempt = await startAttempt(deps, 'discord', browser)
    signInBrowser.set(reply, attempt.browserToken, signInBrowser.maxAgeSeconds)
    const address = discord.authorizeUrl({ ...attempt, redirectUri: wayBack(request) })
    return reply.redirect(addressFor(request, deps.config, address), 302)
  })

  serve(app, guards, authContract.discordCallback, async ({ actor, query, request, reply }) => {
    if (actor === undefined) return reply.redirect('/', 302)
    if (!discord.isConfigured) return finish(reply, 'failed')
    const redirectUri = wayBack(request)
    const callback = { ...query, ...cookiesOf(request, context), redirectUri }
    return finish(reply, await linkDiscord(deps, discord, actor.userId, callback))
  })

  serve(app, guards, authContract.discordDisconnect, async ({ actor }) => {
    await unlinkDiscord(deps, actor.userId)
    return { success: true, message: 'Discord account disconnected' } as const
  })
}

function cookiesOf(request: FastifyRequest, { deps }: FeatureContext) {
  const { session, signInBrowser } = productCookies(deps.config)
  return { sessionToken: session.read(request), browserToken: signInBrowser.read(request) }
}
