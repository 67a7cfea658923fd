// The operator's commands on the configured database: backup, restore, restore-drill,
// verify-economy, remove-second-factor, renew-log, reseal.

import { commandLine } from '@redpack/contract/command-line'
import { FolderInUse } from '../adapters/data-folder/lock.ts'
import { withoutCredentials } from '../adapters/log/told-error.ts'
import { loadConfig } from '../config/config.ts'
import { BadSettings } from '../config/read-settings.ts'
import { backUp } from './backup.ts'
import { CannotRun, type CommandOutput } from './command.ts'
import { takeOffSecondFactor } from './remove-second-factor.ts'
import { renewPublicLog } from './renew-log.ts'
import { reseal } from './reseal.ts'
import { restore } from './restore.ts'
import { drillRestore } from './restore-drill.ts'
import { verifyEconomy } from './verify-economy.ts'

const commands = {
  'backup FILE': 'writes a consistent dump of the database',
  'restore FILE [--force]': 'brings a dump into the database; --force replaces what it holds',
  'restore-drill [FILE]': 'restores a dump beside everything else and checks it',
  'verify-economy [--timing]': 'checks that all books agree; --timing: how long each took',
  'remove-second-factor': 'lets the local account in with its password alone',
  'renew-log': 'signs the public log with another key, or begins a new one',
  reseal: 'seals everything with ENCRYPTION_KEY, to leave earlier keys out',
  'reseal --lost KEY': 'starts without an earlier key that nobody has any more',
}
const usage = [
  `Usage: ${commandLine('COMMAND')}`,
  ...Object.entries(commands).map(([words, what]) => `  ${words.padEnd(26)} ${what}`),
].join('\n')

const options = ['--force', '--lost', '--timing']

const output: CommandOutput = {
  line: (text) => process.stdout.write(`${text}\n`),
  progress: (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${text}\u001b[K`)
  },
}

process.exit(await run(process.argv.slice(2)))

/** 0 when all is well, 1 when the check or the work failed, 2 when it could not be done at all. */
async function run([command, ...more]: readonly string[]): Promise<number> {
  const file = more.find((word) => !word.startsWith('--'))
  const unknown = more.find((word) => word.startsWith('--') && !options.includes(word))
  try {
    if (unknown !== undefined) throw new CannotRun(`The option ${unknown} is not known\n${usage}`)
    if (command === 'verify-economy') {
      return await verifyEconomy(loadConfig(), output, { timing: more.includes('--timing') })
    }
    if (command === 'restore-drill') return await drillRestore(loadConfig(), file, output)
    if (command === 'remove-second-factor') {
      await takeOffSecondFactor(loadConfig(), output)
      return 0
    }
    if (command === 'renew-log') {
      await renewPublicLog(loadConfig(), output)
      return 0
    }
    if (command === 'reseal') {
      const lost = more.includes('--lost') ? (file ?? '') : undefined
      return await reseal(loadConfig(), lost, output)
    }
    if (command !== 'backup' && command !== 'restore') throw new CannotRun(usage)
    if (file === undefined) throw new CannotRun(`The name of the file is missing\n${usage}`)
    if (command === 'backup') await backUp(loadConfig(), file, output)
    else await restore(loadConfig(), file, more.includes('--force'), output)
    return 0
  } catch (error) {
    output.progress('')
    process.stderr.write(`${messageOf(error)}\n`)
    return error instanceof CannotRun ||
      error instanceof FolderInUse ||
      error instanceof BadSettings
      ? 2
      : 1
  }
}

function messageOf(error: unknown): string {
  if (error instanceof CannotRun || error instanceof BadSettings) {
    return withoutCredentials(error.message)
  }
  const [line = ''] = String((error as Error | null)?.message ?? error).split('\n', 1)
  return withoutCredentials(line)
}
