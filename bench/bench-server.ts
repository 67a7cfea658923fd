// The product in a process of its own for benchmarks.

import { pino } from 'pino'
import { movableClock } from '../server/src/adapters/clock/clock.ts'
import { openPostgres } from '../server/src/adapters/db/postgres.ts'
import { encryptionWith } from '../server/src/adapters/encryption/encryption.ts'
import { localEvents } from '../server/src/adapters/events/events.ts'
import { createScheduler } from '../server/src/adapters/jobs/scheduler.ts'
import { openOutside } from '../server/src/adapters/outside.ts'
import { loadedRandom, systemRandom } from '../server/src/adapters/random/random.ts'
import { publicLog } from '../server/src/adapters/transparency-log/public-log.ts'
import { buildApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/config/config.ts'
import { jobsNamed } from '../server/test/jobs.ts'
import { benchEncryptionKey } from './scene.ts'

const config = readConfig({ ...process.env, SANDBOX: 'on', SEED_DEMO: 'off', LOG_LEVEL: 'warn' })
const log = pino({ level: config.logLevel })
const db = openPostgres({
  url: config.databaseUrl ?? '',
  connectionsMax: 8,
  onError: (error) => log.error(error),
})
const clock = movableClock()
const deps = {
  config,
  db,
  log,
  clock,
  random: loadedRandom(),
  encryption: encryptionWith(benchEncryptionKey, systemRandom),
  events: localEvents((error) => log.error(error)),
  ...openOutside(config, clock),
  publicLog: publicLog(config),
}
const app = await buildApp(deps)
// The public log is written beside the openings, as in the product.
const chosen = process.env['BENCH_JOBS'] ?? 'log'
const jobs = { log: ['draw-log-'], 'log and books': ['draw-log-', 'overview-'] }[chosen]
createScheduler(deps, jobsNamed(...(jobs ?? []))).start()
await app.listen({ port: config.port, host: '127.0.0.1' })
process.send?.('ready')
