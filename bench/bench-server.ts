// The product in a process of its own for benchmarks, beside the plain way of opening packs.

import { pino } from 'pino'
import { movableClock } from '../server/src/adapters/clock/clock.ts'
import { openPostgres } from '../server/src/adapters/db/postgres.ts'
import { discordBot } from '../server/src/adapters/discord/bot.ts'
import { encryptionWith } from '../server/src/adapters/encryption/encryption.ts'
import { localEvents } from '../server/src/adapters/events/events.ts'
import { createScheduler } from '../server/src/adapters/jobs/scheduler.ts'
import { loadedRandom, systemRandom } from '../server/src/adapters/random/random.ts'
import { publicLog } from '../server/src/adapters/transparency-log/public-log.ts'
import { twitchApi } from '../server/src/adapters/twitch/twitch-api.ts'
import { buildApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/config.ts'
import { drawLogJobs } from '../server/src/features/draw-log/jobs.ts'
import { overviewJobs } from '../server/src/features/overview/jobs.ts'
import { registerPlainOpening } from './plain-opening.ts'
import { benchEncryptionKey } from './scene.ts'

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
  encryption: encryptionWith(benchEncryptionKey, systemRandom),
  events: localEvents((error) => log.error(error)),
  discord: discordBot(config.discord, config.publicUrl),
  twitch: twitchApi(config.twitch, clock),
  publicLog: publicLog(config),
}
const app = await buildApp(world)
registerPlainOpening(app, world)
// The public log is written beside the openings, as in the product.
const jobs =
  process.env['BENCH_JOBS'] === 'log and books' ? [...drawLogJobs, ...overviewJobs] : drawLogJobs
createScheduler(world, jobs).start()
await app.listen({ port: config.port, host: '127.0.0.1' })
process.send?.('ready')
