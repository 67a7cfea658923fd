// What may be said to `npm run simulate`, and one sentence for each thing that cannot be meant.

import { parseArgs } from 'node:util'
import { severities } from './faults.ts'
import type { Plan } from './play.ts'

export interface Arguments {
  readonly plan: Plan
  /** Prints every step. */
  readonly isTold: boolean
  /** Makes a failing run small. */
  readonly isShrunk: boolean
  /** Plays one fresh seed after the other for so many minutes. */
  readonly minutes: number | undefined
  /** Plays so many seeds, from the one named on. */
  readonly seeds: number
  /** Plants the faults with this word in their name; the empty text means all of them. */
  readonly planted: string | undefined
  /** An empty PostgreSQL database for two real processes. */
  readonly database: string | undefined
}

export class BadArguments extends Error {}

const options = {
  seed: { type: 'string', default: '1' },
  seeds: { type: 'string', default: '1' },
  days: { type: 'string', default: '30' },
  viewers: { type: 'string', default: '300' },
  faults: { type: 'string', default: 'usual' },
  minutes: { type: 'string' },
  only: { type: 'string' },
  skip: { type: 'string' },
  spare: { type: 'string' },
  database: { type: 'string' },
  planted: { type: 'string' },
  story: { type: 'boolean', default: false },
  shrink: { type: 'boolean', default: false },
} as const

/** @throws BadArguments with a sentence for whoever typed them */
export function readArguments(words: readonly string[]): Arguments {
  const values = parsed(words)
  const number = (name: 'seed' | 'seeds' | 'days' | 'viewers' | 'minutes', max: number) => {
    const text = values[name] ?? ''
    const value = Number(text)
    if (/^\d{1,12}(\.\d+)?$/.test(text) && value <= max) return value
    throw new BadArguments(`--${name} must be a number up to ${max}, not "${text}"`)
  }
  const severity = severities.find((one) => one === values.faults)
  if (severity === undefined) {
    throw new BadArguments(`--faults must be one of ${severities.join(', ')}`)
  }
  const set = (text: string | undefined) => (text ? new Set(text.split(',')) : undefined)
  return {
    plan: {
      seed: number('seed', 1e12),
      days: number('days', 1_000),
      viewers: number('viewers', 10_000),
      severity,
      only: set(values.only),
      skipped: set(values.skip),
      spared: set(values.spare),
    },
    isTold: values.story,
    isShrunk: values.shrink,
    minutes: values.minutes === undefined ? undefined : number('minutes', 10_000),
    seeds: number('seeds', 1e6),
    planted: values.planted,
    database: values.database,
  }
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options }).values
  } catch (error) {
    throw new BadArguments(error instanceof Error ? error.message : String(error))
  }
}

/** The command that plays a plan again. */
export function commandOf({ seed, days, viewers, severity, only, skipped, spared }: Plan): string {
  const list = (name: string, set: ReadonlySet<string> | undefined) =>
    set === undefined || set.size === 0 ? [] : [`--${name} ${[...set].join(',')}`]
  return [
    `npm run simulate -- --seed ${seed} --days ${days} --viewers ${viewers} --faults ${severity}`,
    ...list('only', only),
    ...list('skip', skipped),
    ...list('spare', spared),
  ].join(' ')
}
