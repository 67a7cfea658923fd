// Reads the settings out of an environment, and gathers a line for each that cannot be used.

import { readFileSync } from 'node:fs'
import { Refusal, type Setting } from './setting-kinds.ts'
import { settings } from './settings.ts'
import { weaknessOf } from './weak-secrets.ts'

/** One or more settings cannot be used; each has its line. */
export class BadSettings extends Error {
  readonly lines: readonly string[]

  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.name = 'BadSettings'
    this.lines = lines
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

type Name = keyof typeof settings

/** What every setting says, with the defaults of those that nobody has set. */
export type Values = {
  readonly [Each in Name]: (typeof settings)[Each] extends Setting<infer Value, infer Default>
    ? Value | Default
    : never
}

/** Settings as they were read, to be held against each other. */
export interface Reading {
  readonly values: Values
  readonly isProduction: boolean
  readonly lines: string[]
  readonly isSet: (name: Name) => boolean
  readonly refuse: (name: Name, why: string) => void
}

const entries = Object.entries(settings) as [Name, Setting<unknown>][]

/** Secrets that may stand in files of their own. */
const ofFiles = entries.flatMap(([name, { isFile }]) => (isFile === true ? [name] : []))
const fileNames = ofFiles.map((name) => `${name}_FILE`)

function given(environment: Environment, name: string): string | undefined {
  return environment[name]?.trim() || undefined
}

/** Reads every setting by its kind. */
export function readSettings(environment: Environment): Reading {
  const lines: string[] = []
  const refuse = (name: Name, why: string) => void lines.push(`${name} ${why}`)
  const isProduction = given(environment, 'NODE_ENV') === 'production'
  const values = entries.map(([name, setting]) => {
    const value = given(environment, name)
    const read = value === undefined ? setting.default : setting.read(value, isProduction)
    if (read instanceof Refusal) refuse(name, read.why)
    return [name, read instanceof Refusal ? setting.default : read]
  })
  return {
    values: Object.fromEntries(values) as Values,
    isProduction,
    lines,
    isSet: (name) => given(environment, name) !== undefined,
    refuse,
  }
}

/** A line for each secret of `environment` that can be guessed; the secret is not repeated. */
export function weakSecretsIn(environment: Environment): string[] {
  return entries.flatMap(([name, { isGuarded }]) => {
    const weakness = isGuarded === true ? weaknessOf(given(environment, name) ?? '') : undefined
    return weakness === undefined ? [] : [`${name} can be guessed: ${weakness}`]
  })
}

/**
 * The environment with the contents of the files that NAME_FILE names, as containers and systemd
 * hand secrets over, without the blanks around them.
 * @throws BadSettings with a line for each file that cannot be read or is empty, and for each
 * secret that stands in both places
 */
export function withSecretFiles(environment: Environment): Environment {
  const lines: string[] = []
  const values: Record<string, string> = {}
  for (const name of ofFiles) {
    const file = given(environment, `${name}_FILE`)
    if (file === undefined) continue
    if (given(environment, name) !== undefined) {
      lines.push(`${name}_FILE cannot be set together with ${name}`)
      continue
    }
    try {
      const value = readFileSync(file, 'utf8').trim()
      if (value === '') lines.push(`${name}_FILE names an empty file`)
      values[name] = value
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error)
      lines.push(`${name}_FILE names a file that cannot be read: ${code}`)
    }
  }
  if (lines.length > 0) throw new BadSettings(lines)
  return { ...environment, ...values }
}

/** Sets of settings of which some alone are of no use, and what then stays off. */
const sets: readonly (readonly [names: readonly Name[], what: string])[] = [
  [['TWITCH_CLIENT_ID', 'TWITCH_CLIENT_SECRET'], 'nobody can sign in with Twitch'],
  [['DISCORD_CLIENT_ID', 'DISCORD_CLIENT_SECRET'], 'nobody can link a Discord account'],
  [['DISCORD_BOT_TOKEN', 'DISCORD_PUBLIC_KEY'], 'the Discord bot posts nothing or hears no clicks'],
]

/** What is no fault and may still be a mistake: half a set, and a name that is nearly a setting. */
export function notesOn(environment: Environment, sandbox: boolean): string[] {
  // The stand-ins of the sandbox have the other half.
  const halves = (sandbox ? [] : sets).flatMap(([names, what]) => {
    const missing = names.filter((name) => given(environment, name) === undefined)
    const isHalf = missing.length > 0 && missing.length < names.length
    return isHalf ? [`${missing.join(' and ')} not set, so ${what}`] : []
  })
  const known = entries.map(([name]) => name)
  const strangers = Object.keys(environment).filter(
    (name) => !(name in settings) && !fileNames.includes(name),
  )
  const typos = strangers.flatMap((name) => {
    const inFile = known.find((one) => name === `${one}_FILE`)
    if (inFile !== undefined) {
      return [`${name} is no setting; ${inFile} is one, and stands in no file`]
    }
    const meant = known.find((one) => isCloseTo(name, one))
    return meant === undefined ? [] : [`${name} is no setting; ${meant} is one`]
  })
  return [...halves, ...typos]
}

/** Whether one letter too many, too few, wrong or in the wrong place makes `known` of `name`. */
function isCloseTo(name: string, known: string): boolean {
  if (known.length < 7 || Math.abs(name.length - known.length) > 1) return false
  const plain = (text: string) => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  if (plain(name) === plain(known)) return true
  let from = 0
  while (from < known.length && name[from] === known[from]) from += 1
  const [left, right] = [name.slice(from), known.slice(from)]
  return (
    left.slice(1) === right.slice(1) ||
    left.slice(1) === right ||
    left === right.slice(1) ||
    (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2))
  )
}
