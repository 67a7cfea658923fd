// What a start prints, and what a failed start or stop prints.

import { relative } from 'node:path'
import { withoutCredentials } from '../adapters/log/redact-error.ts'
import type { Config } from '../config/config.ts'
import { BadSettings } from '../config/read-settings.ts'

/** The address on the first line, below it how to sign in and where the data is. */
export function readyLines(config: Config, passwordFile: string | undefined): string[] {
  return [
    `Redpack is ready at ${config.publicUrl}`,
    ...(config.sandbox ? [sandboxLine] : []),
    ...adminLines(config, passwordFile),
    ...databaseLines(config),
    ...config.notes.map((note) => `  Note: ${note}.`),
  ]
}

const sandboxLine =
  '  Players: "Login with Twitch" leads to a sandbox page; pick a viewer there or type any name.'

function adminLines({ localAdmin }: Config, passwordFile: string | undefined): string[] {
  if (localAdmin === undefined) return []
  const { username, password } = localAdmin
  return [
    passwordFile === undefined
      ? `  Staff: "System Access" with the name ${username} and LOCAL_ADMIN_PASSWORD.`
      : `  Staff: "System Access" with the name ${username} and the password ${password}` +
        ` (made once, kept in ${shown(passwordFile)}).`,
  ]
}

function databaseLines({ databaseUrl, dataDir }: Config): string[] {
  if (databaseUrl !== undefined) return []
  return [
    `  Database: embedded, in ${shown(dataDir)}. A commit is synced to the disk before it is` +
      ' answered; dumps are kept in its folder dumps, hourly and at a stop, the last 24.',
    '  For several processes or machines use PostgreSQL: set DATABASE_URL and restore a backup there.',
  ]
}

function shown(path: string): string {
  const fromHere = relative(process.cwd(), path)
  return fromHere.startsWith('..') ? path : fromHere || '.'
}

/** A line for each setting that cannot be used, or the first line of any other error. */
export function linesOf(error: unknown): readonly string[] {
  if (error instanceof BadSettings) return error.lines
  const [line = ''] = String((error as Error | null)?.message ?? error).split('\n', 1)
  return [withoutCredentials(line) || 'The start failed']
}
