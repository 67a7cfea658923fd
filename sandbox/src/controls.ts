// What the product hands to its sandbox: the only things the stand-ins may reach.

import type { FastifyRequest } from 'fastify'

/** Somebody who can sign in with the stand-ins under a name that is known beforehand. */
export interface KnownViewer {
  readonly id: string
  /** The sign-in name, lower case. */
  readonly login: string
  readonly displayName: string
  readonly avatar: string
}

export interface SandboxControls {
  /** Origin under which browsers reach the product, without a slash at the end. */
  readonly publicUrl: string
  readonly twitchClient: ClientSettings
  readonly discordClient: ClientSettings
  readonly discordBotToken: string
  /** Viewers that exist from the start; the consent pages offer them. */
  readonly viewers: readonly KnownViewer[]
  readonly liveChannelIds: readonly string[]
  readonly clock: {
    now(): Date
    /** Moves the product's clock forward. @throws RangeError when not 0 or more */
    advance(seconds: number): void
  }
  readonly dice: {
    /** The next server seeds, 32 bytes each, in order. */
    load(serverSeeds: readonly Buffer[]): void
    reset(): void
  }
  /** Runs the jobs that are due by the product's clock, and waits for them. */
  runDueJobs(): Promise<void>
  isLoopback(request: FastifyRequest): boolean
  /** True for an origin under which this browser knows the product. */
  isOwnOrigin(request: FastifyRequest, origin: string): boolean
}

interface ClientSettings {
  readonly clientId: string
  readonly clientSecret: string
}
