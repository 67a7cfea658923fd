// The operator's commands on the configured database: backup, restore, restore-drill,
// verify-economy, remove-second-factor, renew-log, reseal.

import { commandLine } from '@redpack/contract/command-line'
import { UnusableFolder } from '../adapters/data-folder/data-folder.ts'
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

interface Command {
  /** The words that may follow, as the list of commands shows them. */
  readonly takes: string
  readonly what: string
  /** Answers 1 when the check or the work failed, else 0 or nothing. */
  readonly run: (config: Config, words: Words) => Promise<unknown>
}

const output: CommandOutput = {
  line: (text) => process.stdout.write(`${text}\n`),
  progress: (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${text}\u001b[K`)
  },
}

const commands: Readonly<Record<string, Command>> = {
  backup: {
    takes: 'FILE',
    what: 'writes a consistent dump of the database',
    run: (config, { name = '' }) => backUp(config, name, output),
  },
  restore: {
    takes: 'FILE [--force]',
    what: 'restores a dump into the database; --force replaces what it holds',
    run: (config, { name = '', has }) => restore(config, name, has('--force'), output),
  },
  'restore-drill': {
    takes: '[FILE]',
    what: 'restores a dump into a database of its own and checks it',
    run: (config, { name }) => drillRestore(config, name, output),
  },
  'verify-economy': {
    takes: '[--timing]',
    what: 'checks that all books agree; --timing says how long each check took',
    run: (config, { has }) => verifyEconomy(config, output, has('--timing')),
  },
  'remove-second-factor': {
    takes: '',
    what: 'lets the local account in with its password alone',
    run: (config) => takeOffSecondFactor(config, output),
  },
  'renew-log': {
    takes: '',
    what: 'signs the public log with another key, or begins a new one',
    run: (config) => renewPublicLog(config, output),
  },
  reseal: {
    takes: '[--lost KEY]',
    what: 'seals everything with ENCRYPTION_KEY; --lost gives up a lost key',
    run: (config, { name, has }) => reseal(config, has('--lost') ? name : undefined, output),
  },
}
const usage = [
  `Usage: ${commandLine('COMMAND')}`,
  ...Object.entries(commands).map(
    ([name, { takes, what }]) => `  ${`${name} ${takes}`.padEnd(26)} ${what}`,
  ),
].join('\n')

process.exit(await run(process.argv.slice(2)))

/** 0 when all is well, 1 when the check or the work failed, 2 when it could not be done at all. */
async function run([first = '', ...more]: readonly string[]): Promise<number> {
  if ([first, ...more].some((word) => ['--help', '-h', 'help'].includes(word))) {
    output.line(usage)
    return 0
  }
  try {
    const command = Object.hasOwn(commands, first) ? commands[first] : undefined
    if (command === undefined) throw new CannotRun(usage)
    const words = wordsOf(command, more)
    return (await command.run(loadConfig(), words)) === 1 ? 1 : 0
  } catch (error) {
    output.progress('')
    process.stderr.write(`${messageOf(error)}\n`)
    const refusals = [CannotRun, FolderInUse, UnusableFolder, BadSettings]
    return refusals.some((kind) => error instanceof kind) ? 2 : 1
  }
}

/** @throws CannotRun for a word that the command does not take, or one that it lacks */
function wordsOf({ takes }: Command, given: readonly string[]): Words {
  const options = given.filter((word) => word.startsWith('-'))
  const [name, ...names] = given.filter((word) => !word.startsWith('-'))
  const mayBeNamed = takes.includes('FILE') || options.includes('--lost')
  const strange = [
    ...options.filter((word) => !takes.split(/[[\] ]+/).includes(word)),
    ...(mayBeNamed || name === undefined ? [] : [name]),
    ...names,
  ]
  if (strange.length > 0) throw new CannotRun(`${strange[0]} is not expected here\n${usage}`)
  if (name === undefined && takes.startsWith('FILE')) {
    throw new CannotRun(`Name the file\n${usage}`)
  }
  if (name === undefined && options.includes('--lost')) {
    throw new CannotRun(`Name the key\n${usage}`)
  }
  return { name, has: (option) => options.includes(option) }
}

function messageOf(error: unknown): string {
  return error instanceof CannotRun
    ? withoutCredentials(error.message)
    : linesOf(error).map(withoutCredentials).join('\n')
}
