// Everything outside the program that use-cases may use, passed in so that tests can replace it.

import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config/config.ts'
import type { RunSimulation } from '../rules/simulation.ts'
import type { Clock } from './clock/clock.ts'
import type { Database } from './db/database.ts'
import type { DiscordAccountLink } from './discord/account-link.ts'
import type { DiscordBot } from './discord/bot.ts'
import type { Encryption } from './encryption/encryption.ts'
import type { Events } from './events/events.ts'
import type { Bucket } from './images/bucket.ts'
import type { Images } from './images/images.ts'
import type { Mailer } from './mail/mailer.ts'
import type { OneTimeCodes } from './one-time-codes/one-time-codes.ts'
import type { Passwords } from './passwords/passwords.ts'
import type { Pusher } from './push/pusher.ts'
import type { Random } from './random/random.ts'
import type { PublicLog } from './transparency-log/public-log.ts'
import type { TwitchIdentity } from './twitch/identity.ts'
import type { TwitchApi } from './twitch/twitch-api.ts'

export interface Deps {
  readonly config: Config
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly encryption: Encryption
  readonly events: Events
  readonly discord: DiscordBot
  readonly discordLink: DiscordAccountLink
  readonly twitch: TwitchApi
  readonly twitchIdentity: TwitchIdentity
  readonly passwords: Passwords
  readonly oneTimeCodes: OneTimeCodes
  readonly images: Images
  readonly mailer: Mailer
  readonly pusher: Pusher
  /** Undefined while pictures stand in the database. */
  readonly bucket: Bucket | undefined
  /** Opens packs that nobody has, in a thread of its own. */
  readonly simulate: RunSimulation
  readonly publicLog: PublicLog
  readonly log: FastifyBaseLogger
}
