// Everything outside the program that use-cases may touch, passed in so that tests can choose it.

import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Clock } from './clock/clock.ts'
import type { Database } from './db/database.ts'
import type { DiscordBot } from './discord/bot.ts'
import type { Encryption } from './encryption/encryption.ts'
import type { Events } from './events/events.ts'
import type { Random } from './random/random.ts'
import type { PublicLog } from './transparency-log/public-log.ts'
import type { TwitchApi } from './twitch/twitch-api.ts'

export interface World {
  readonly config: Config
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly encryption: Encryption
  readonly events: Events
  readonly discord: DiscordBot
  readonly twitch: TwitchApi
  readonly publicLog: PublicLog
  readonly log: FastifyBaseLogger
}
