// What the text of a setting can mean, and the sentence when it means nothing.

/** What is wrong with a value, in words that follow the name of the setting. */
export class Refusal {
  readonly why: string

  constructor(why: string) {
    this.why = why
  }
}

/** One setting: how its text is read, and what holds where nobody has set it. */
export interface Setting<Value, Default extends Value | undefined = Value | undefined> {
  readonly read: (text: string, isProduction: boolean) => Value | Refusal
  readonly default: Default
  /** May stand in a file of its own, which NAME_FILE names. */
  readonly isFile?: boolean
  /** Somebody who guesses it gets in: production refuses what can be guessed. */
  readonly isGuarded?: boolean
}

/** 32 bytes as keys are written, and as push services write them. */
export const hexKey = /^[0-9a-f]{64}$/i
export const webKey = /^[A-Za-z0-9_-]{43}$/

const web = ['http:', 'https:'] as const

export const text = <Default extends string | undefined>(
  fallback: Default,
): Setting<string, Default> => ({ read: (value) => value, default: fallback })

/** A text of one form; `why` says which. */
export const pattern = (form: RegExp, why: string): Setting<string, undefined> => ({
  read: (value) => (form.test(value) ? value : new Refusal(why)),
  default: undefined,
})

export const flag = <Default extends boolean | undefined>(
  fallback: Default,
): Setting<boolean, Default> => ({
  read: (value) =>
    value === 'on' || value === 'off' ? value === 'on' : refused('must be on or off', value),
  default: fallback,
})

/** A number between two others, both included; `what` says what it counts. */
export const number = <Default extends number | undefined>(
  what: string,
  [min, max]: readonly [number, number],
  fallback: Default,
): Setting<number, Default> => ({
  read: (value) => {
    const isWithin = /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max
    return isWithin ? Number(value) : refused(`must be ${what} from ${min} to ${max}`, value)
  },
  default: fallback,
})

/** One of a few words; `all` says which, as the sentence about another one does. */
export const choice = <Choice extends string, Default extends Choice | undefined>(
  choices: readonly Choice[],
  fallback: Default,
  all = `must be one of ${choices.join(', ')}`,
): Setting<Choice, Default> => ({
  read: (value) => choices.find((one) => one === value) ?? refused(all, value),
  default: fallback,
})

/**
 * An address without a slash at its end. The value itself is not repeated: it may carry a password.
 */
export const address = <Default extends string | undefined>(
  protocols: readonly string[],
  fallback: Default,
): Setting<string, Default> => ({
  read: (value) => readAddress(value, protocols),
  default: fallback,
})

/** An address of the web, in production with https. */
export const webAddress: Setting<string, undefined> = {
  read: (value, isProduction) => readAddress(value, isProduction ? ['https:'] : web),
  default: undefined,
}

function readAddress(value: string, protocols: readonly string[]): string | Refusal {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !protocols.includes(url.protocol)) {
    return new Refusal(`must be an address that starts with ${protocols.join('// or ')}//`)
  }
  return url.hostname === '' ? new Refusal('names no host') : value.replace(/\/+$/, '')
}

/** Values with commas between them; `why` says what is wrong with one that is none. */
export const list = (
  isOne: (value: string) => boolean,
  why: (bad: string) => string,
  fallback: readonly string[] = [],
): Setting<readonly string[], readonly string[]> => ({
  read: (value) => {
    const values = value.split(/\s*,\s*/).filter((one) => one !== '')
    const bad = values.find((one) => !isOne(one))
    if (bad !== undefined) return new Refusal(why(bad))
    return values.length === 0 ? fallback : values
  },
  default: fallback,
})

function refused(must: string, value: string): Refusal {
  return new Refusal(`${must}, not "${value}"`)
}
