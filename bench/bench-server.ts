// The product in a process of its own for benchmarks, beside the plain way of opening packs.

import { pino } from 'pino'
import { movableClock } from '../server/src/adapters/clock/clock.ts'
import { openPostgres } from '../server/src/adapters/db/postgres.ts'
import { discordBot } from '../server/src/adapters/discord/bot.ts'
import { encryptionWith } from '../server/src/adapters/encryption/encryption.ts'
import { localEvents } from '../server/src/adapters/events/events.ts'
import { loadedRandom, systemRandom } from '../server/src/adapters/random/random.ts'
import { twitchApi } from '../server/src/adapters/twitch/twitch-api.ts'
import { buildApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/config.ts'
import { registerPlainOpening } from './plain-opening.ts'

const config = readConfig({ ...process.env, SANDBOX: 'on', SEED_DEMO: 'off', LOG_LEVEL: 'warn' })
if (config.databaseUrl === undefined) throw new Error('DATABASE_URL is missing')
const log = pino({ level: config.logLevel })
const db = openPostgres({
  url: config.databaseUrl,
  connectionsMax: 8,
  onError: (error) => log.error(error),
})
const clock = movableClock()
const world = {
  config,
  db,
  log,
  clock,
  random: loadedRandom(),
  encryption: encryptionWith(config.encryptionKey, systemRandom),
  events: localEvents((error) => log.error(error)),
  discord: discordBot(config.discord, config.publicUrl),
  twitch: twitchApi(config.twitch, clock),
}
const app = await buildApp(world)
registerPlainOpening(app, world)
await app.listen({ port: config.port, host: '127.0.0.1' })
process.send?.('ready')
