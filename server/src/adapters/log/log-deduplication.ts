// Keeps a repeated failure from filling the log: one line a minute with a count, and for a service
// that is away one line then and one when it is back.

/** A line as it would be written. */
export interface Line {
  readonly fields: Readonly<Record<string, unknown>>
  readonly message: string
  write(fields: Readonly<Record<string, unknown>>): void
}

const everyMillis = 60_000
/** Different failures that are told apart in one minute; more of them count by their sentence. */
const kindsMax = 200

interface Kind {
  count: number
  last: Line | undefined
}

interface Outage {
  readonly away: Set<string>
  isTold: boolean
  count: number
}

/**
 * Writes the first line of each kind at once. What comes within a minute is counted; at its end one
 * line says how often. A line with `down` names a service, and `by` the connection that is away:
 * only the first of an outage is written, and a line with `back` when every connection is there
 * again. A line with `because` is left out while the service that it names is known to be away.
 * Records, which have an `event`, are no failures and always written.
 */
export class Repeats {
  private readonly kinds = new Map<string, Kind>()
  private readonly outages = new Map<string, Outage>()

  take(line: Line): void {
    const { event, down, back, because, by = '' } = line.fields
    if (typeof down === 'string') this.goesDown(down, String(by), line)
    else if (typeof back === 'string') this.comesBack(back, String(by), line)
    else if (event !== undefined) line.write(line.fields)
    else if (!this.isConsequence(because)) this.limit(line)
  }

  /** While it is known that a service is away, what fails because of it is only counted. */
  private isConsequence(service: unknown): boolean {
    const outage = this.outages.get(String(service))
    if (outage?.isTold !== true) return false
    outage.count += 1
    return true
  }

  private goesDown(service: string, by: string, line: Line): void {
    const outage = this.outages.get(service) ?? { away: new Set(), isTold: false, count: 0 }
    this.outages.set(service, outage)
    outage.away.add(by)
    outage.count += 1
    // Whoever watches the service says each change once; its words are never held back.
    if (line.fields['event'] !== undefined) {
      outage.isTold = true
      line.write(line.fields)
      return
    }
    if (outage.isTold) return
    // A service that comes and goes is told of once a minute, like any failure.
    const write = (fields: Line['fields']) => {
      if (outage.away.size === 0) return
      outage.isTold = true
      line.write(fields)
    }
    this.limit({ ...line, write })
  }

  private comesBack(service: string, by: string, line: Line): void {
    const outage = this.outages.get(service)
    if (line.fields['event'] !== undefined) {
      this.outages.delete(service)
      line.write({ ...line.fields, failures: outage?.count ?? 0 })
      return
    }
    if (outage === undefined || !outage.away.delete(by) || outage.away.size > 0) return
    this.outages.delete(service)
    if (outage.isTold) line.write({ ...line.fields, failures: outage.count })
  }

  private limit(line: Line): void {
    const key = this.kindOf(line)
    const known = this.kinds.get(key)
    if (known !== undefined) {
      known.count += 1
      known.last = line
      return
    }
    this.begin(key)
    line.write(line.fields)
  }

  private begin(key: string): void {
    const timer = setTimeout(() => {
      const kind = this.kinds.get(key)
      this.kinds.delete(key)
      if (kind?.last === undefined) return
      this.begin(key)
      kind.last.write({ ...kind.last.fields, repeated: kind.count })
    }, everyMillis)
    timer.unref()
    this.kinds.set(key, { count: 0, last: undefined })
  }

  private kindOf({ fields, message }: Line): string {
    const told = Object.entries(fields).filter(([, value]) => typeof value !== 'number')
    const key = `${message} ${JSON.stringify(told)}`
    return this.kinds.size < kindsMax || this.kinds.has(key) ? key : message
  }
}
