// Rows of the database as the wire says them: moments are texts.

/** A row of what the wire says, in which the named fields are moments. */
export type Dated<Wire, Times extends keyof Wire> = Omit<Wire, Times> & {
  readonly [Time in Times]: Date | Extract<Wire[Time], null>
}

type Told<Row> = {
  [Key in keyof Row]: Row[Key] extends Date
    ? string
    : Row[Key] extends Date | null
      ? string | null
      : Row[Key]
}

/** The row with each moment as an ISO text. */
export function isoTimes<Row extends object>(row: Row): Told<Row> {
  const told = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ])
  return Object.fromEntries(told) as Told<Row>
}
