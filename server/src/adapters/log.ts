// The one log: lines of JSON on standard error, without anything that signs somebody in.

import { destination, type Logger, pino } from 'pino'
import type { Config } from '../config.ts'

const secretNames = [
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'clientSecret',
  'secret',
  'authorization',
  'cookie',
  'serverSeed',
  'contactInfo',
]

/** Written at once, so that nothing is lost when the process ends. */
export function openLog(config: Pick<Config, 'logLevel'>): Logger {
  return pino(
    {
      level: config.logLevel,
      base: undefined,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      redact: {
        paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: 'hidden',
      },
    },
    destination({ dest: 2, sync: true }),
  )
}
