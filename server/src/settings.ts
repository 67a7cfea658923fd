// Reads values of the environment by name, and gathers a line for each that cannot be used.

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

/** The bounds of a number, both included, and what it is when nobody says. */
export interface WholeNumber {
  readonly min: number
  readonly max: number
  readonly fallback: number
}

/** Whether one letter too many, too few, wrong or in the wrong place makes `known` of `name`. */
function isCloseTo(name: string, known: string): boolean {
  if (known.length < 8 || Math.abs(name.length - known.length) > 1) return false
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

/** Reads named values and gathers the sentence of each one that cannot be used. */
export class Settings {
  readonly lines: string[] = []
  /** What is no fault and may still be a mistake, a line each. */
  readonly notes: string[] = []
  private readonly asked = new Set<string>()
  private readonly environment: Environment

  constructor(environment: Environment) {
    this.environment = environment
  }

  text(name: string): string | undefined {
    this.asked.add(name)
    const value = this.environment[name]?.trim()
    return value === '' ? undefined : value
  }

  /** Values with commas between them. */
  list(name: string): string[] {
    const values = (this.text(name) ?? '').split(',').map((value) => value.trim())
    return values.filter((value) => value !== '')
  }

  /** Notes a set of settings of which only some are set: what they are for stays off. */
  noteHalfSet(names: readonly string[], what: string): void {
    const missing = names.filter((name) => this.text(name) === undefined)
    if (missing.length === 0 || missing.length === names.length) return
    this.notes.push(`${missing.join(' and ')} not set, so ${what}`)
  }

  /** Notes names of the environment that look like a setting, once every setting was read. */
  noteTypos(): void {
    for (const name of Object.keys(this.environment)) {
      if (this.asked.has(name) || this.asked.has(name.replace(/_FILE$/, ''))) continue
      const meant = [...this.asked].find((known) => isCloseTo(name, known))
      if (meant !== undefined) this.notes.push(`${name} is no setting; ${meant} is one`)
    }
  }

  refuse(name: string, why: string): void {
    this.lines.push(`${name} ${why}`)
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.text(name)
    if (value === undefined) return fallback
    if (value === 'on' || value === 'off') return value === 'on'
    this.refuse(name, `must be on or off, not "${value}"`)
    return fallback
  }

  port(name: string, fallback: number): number {
    const value = this.text(name)
    if (value === undefined) return fallback
    const port = Number(value)
    if (/^\d{1,5}$/.test(value) && port <= 65_535) return port
    this.refuse(name, `must be a port number from 0 to 65535, not "${value}"`)
    return fallback
  }

  /** A whole number of seconds from 0 to `max`. */
  seconds(name: string, max: number, fallback: number): number {
    const value = this.text(name)
    if (value === undefined) return fallback
    const seconds = Number(value)
    if (/^\d{1,9}$/.test(value) && seconds <= max) return seconds
    this.refuse(name, `must be a number of seconds from 0 to ${max}, not "${value}"`)
    return fallback
  }

  wholeNumber(name: string, { min, max, fallback }: WholeNumber): number {
    const value = this.text(name)
    if (value === undefined) return fallback
    const number = Number(value)
    if (/^\d{1,9}$/.test(value) && number >= min && number <= max) return number
    this.refuse(name, `must be a whole number from ${min} to ${max}, not "${value}"`)
    return fallback
  }

  choice<Choice extends string>(
    name: string,
    choices: readonly Choice[],
    fallback: Choice,
  ): Choice {
    const value = this.text(name)
    if (value === undefined) return fallback
    const found = choices.find((choice) => choice === value)
    if (found === undefined)
      this.refuse(name, `must be one of ${choices.join(', ')}, not "${value}"`)
    return found ?? fallback
  }

  /**
   * A URL without a slash at its end. The value itself is not repeated: it may carry a password.
   */
  url(name: string, protocols: readonly string[], fallback: string): string
  url(name: string, protocols: readonly string[], fallback?: undefined): string | undefined
  url(name: string, protocols: readonly string[], fallback?: string): string | undefined {
    const value = this.text(name)
    if (value === undefined) return fallback
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) {
      return value.replace(/\/+$/, '')
    }
    this.refuse(name, `must be an address that starts with ${protocols.join('// or ')}//`)
    return fallback
  }
}
