// The columns of a table by the names of their values, as its statements say them.

/** One column for each of the values. */
export type Columns<Values> = Readonly<Record<keyof Values, string>>

type Named = Readonly<Record<string, string>>

/** What is read of the columns: `s.is_live AS "isLive"`. */
export const selected = (columns: Named, of: string): string =>
  Object.entries(columns)
    .map(([name, column]) => `${of}.${column} AS "${name}"`)
    .join(', ')

/** What sets the columns of a row: `is_live = :isLive`. */
export const assigned = (columns: Named): string =>
  Object.entries(columns)
    .map(([name, column]) => `${column} = :${name}`)
    .join(', ')

/** What makes a row of the columns, at the time `:now`. */
export const inserted = (columns: Named): string =>
  `(${Object.values(columns).join(', ')}, created_at, updated_at)
   VALUES (${Object.keys(columns).map((name) => `:${name}`)}, :now, :now)`
