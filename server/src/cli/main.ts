// The operator's commands on the configured database: backup, restore, restore-drill,
// verify-economy, remove-second-factor, renew-log, reseal.

import { commandLine } from '@redpack/contract/command-line'
import { FolderInUse } from '../adapters/data-folder/lock.ts'
import { withoutCredentials } from '../adapters/log/redact-error.ts'
import { type Config, loadConfig } from '../config/config.ts'
import { BadSettings } from '../config/read-settings.ts'
import { linesOf } from '../process/start-lines.ts'
import { backUp } from './backup.ts'
import { CannotRun, type CommandOutput } from './command.ts'
import { renewPublicLog, reseal, takeOffSecondFactor } from './keys.ts'
import { restore } from './restore.ts'
import { drillRestore } from './restore-drill.ts'
import { verifyEconomy } from './verify-economy.ts'

/** What stands behind the name of a command. */
interface Words {
  /** The name of a file, or of a key. */
  readonly name: string | undefined
  readonly has: (option: string) => boolean
}

/** Answers 1 when the check or the work failed, else 0 or nothing. */
type Command = (config: Config, words: Words) => Promise<unknown>

const commands: Readonly<Record<string, Command>> = {
  backup: (config, { name }) => backUp(config, fileNamed(name), output),
  restore: (config, { name, has }) => restore(config, fileNamed(name), has('--force'), output),
  'restore-drill': (config, { name }) => drillRestore(config, name, output),
  'verify-economy': (config, { has }) => verifyEconomy(config, output, { timing: has('--timing') }),
  'remove-second-factor': (config) => takeOffSecondFactor(config, output),
  'renew-log': (config) => renewPublicLog(config, output),
  reseal: (config, { name = '', has }) => reseal(config, has('--lost') ? name : undefined, output),
}
const usage = [
  `Usage: ${commandLine('COMMAND')}`,
  ...Object.entries({
    'backup FILE': 'writes a consistent dump of the database',
    'restore FILE [--force]': 'brings a dump into the database; --force replaces what it holds',
    'restore-drill [FILE]': 'restores a dump beside everything else and checks it',
    'verify-economy [--timing]': 'checks that all books agree; --timing: how long each took',
    'remove-second-factor': 'lets the local account in with its password alone',
    'renew-log': 'signs the public log with another key, or begins a new one',
    reseal: 'seals everything with ENCRYPTION_KEY, to leave earlier keys out',
    'reseal --lost KEY': 'starts without an earlier key that nobody has any more',
  }).map(([words, what]) => `  ${words.padEnd(26)} ${what}`),
].join('\n')

const options = ['--force', '--lost', '--timing']

function fileNamed(name: string | undefined): string {
  if (name === undefined) throw new CannotRun(`The name of the file is missing\n${usage}`)
  return name
}

const output: CommandOutput = {
  line: (text) => process.stdout.write(`${text}\n`),
  progress: (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${text}\u001b[K`)
  },
}

process.exit(await run(process.argv.slice(2)))

/** 0 when all is well, 1 when the check or the work failed, 2 when it could not be done at all. */
async function run([command = '', ...more]: readonly string[]): Promise<number> {
  const unknown = more.find((word) => word.startsWith('--') && !options.includes(word))
  try {
    if (unknown !== undefined) throw new CannotRun(`The option ${unknown} is not known\n${usage}`)
    const work = Object.hasOwn(commands, command) ? commands[command] : undefined
    if (work === undefined) throw new CannotRun(usage)
    const name = more.find((word) => !word.startsWith('--'))
    const words = { name, has: (option: string) => more.includes(option) }
    return (await work(loadConfig(), words)) === 1 ? 1 : 0
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
  return error instanceof CannotRun
    ? withoutCredentials(error.message)
    : linesOf(error).map(withoutCredentials).join('\n')
}
