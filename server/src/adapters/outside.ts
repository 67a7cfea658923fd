// Everything outside except the database and this process, opened as the settings say.

import type { Config } from '../config/config.ts'
import type { Clock } from './clock/clock.ts'
import type { Deps } from './deps.ts'
import { discordAccountLink } from './discord/account-link.ts'
import { discordBot } from './discord/bot.ts'
import { openBucket } from './images/bucket.ts'
import { openImages } from './images/images.ts'
import { openMailer } from './mail/mailer.ts'
import { timedCodes } from './one-time-codes/one-time-codes.ts'
import { argon2Passwords } from './passwords/passwords.ts'
import { openPusher } from './push/pusher.ts'
import { openSimulator } from './simulation/simulator.ts'
import { twitchIdentity } from './twitch/identity.ts'
import { twitchApi } from './twitch/twitch-api.ts'

/** Nothing is connected yet: each is reached when it is first asked. */
export function openOutside(config: Config, clock: Clock) {
  return {
    discord: discordBot(config.discord, config.publicUrl),
    discordLink: discordAccountLink(config.discord),
    twitch: twitchApi(config.twitch, clock),
    twitchIdentity: twitchIdentity(config.twitch, clock),
    passwords: argon2Passwords,
    oneTimeCodes: timedCodes,
    images: openImages(),
    mailer: openMailer(config.mail),
    pusher: openPusher(config.push),
    bucket: config.bucket && openBucket(config.bucket),
    simulate: openSimulator(),
  } satisfies Partial<Deps>
}
