// Secrets that stand in files, as containers and systemd hand them over: NAME_FILE names the file
// with the value of NAME.

import { readFileSync } from 'node:fs'
import { BadSettings, type Environment } from './settings.ts'

const secretNames = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'REDIS_URL',
  'ENCRYPTION_KEY',
  'ENCRYPTION_KEY_PREVIOUS',
  'LOG_SIGNING_KEY',
  'LOCAL_ADMIN_PASSWORD',
  'METRICS_TOKEN',
  'TWITCH_CLIENT_SECRET',
  'TWITCH_EVENTSUB_SECRET',
  'DISCORD_CLIENT_SECRET',
  'DISCORD_BOT_TOKEN',
  'S3_SECRET_ACCESS_KEY',
] as const

/**
 * The environment with the contents of such files, without the blanks around them.
 * @throws BadSettings with a line for each file that cannot be read, and for each secret that
 * stands in both places
 */
export function withSecretFiles(environment: Environment): Environment {
  const lines: string[] = []
  const values: Record<string, string> = {}
  for (const name of secretNames) {
    const file = environment[`${name}_FILE`]?.trim() ?? ''
    if (file === '') continue
    if ((environment[name] ?? '').trim() !== '') {
      lines.push(`${name}_FILE cannot be set together with ${name}`)
      continue
    }
    try {
      values[name] = readFileSync(file, 'utf8').trim()
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error)
      lines.push(`${name}_FILE names a file that cannot be read: ${code}`)
    }
  }
  if (lines.length > 0) throw new BadSettings(lines)
  return { ...environment, ...values }
}
