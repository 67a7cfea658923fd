// Whether the previous program still runs after a migration, unless the migration denies it.

/** The baseline of version 1.0: no program was released before it. */
export const lastOfBaseline = 14

const marked = /^-- (expand|contract): \S/m
const createdTable = /\bCREATE TABLE (?:IF NOT EXISTS )?(\w+)/gi
const targetTable = /\b(?:ALTER TABLE|ON) (?:ONLY )?(\w+)/i

/** What an older program may stumble over, in a statement on a table that was there before. */
const narrowing: readonly RegExp[] = [
  /\bDROP (TABLE|COLUMN|VIEW|FUNCTION|TYPE|SCHEMA|DEFAULT)\b/i,
  /\bTRUNCATE\b/i,
  /\bRENAME\b/i,
  /\bSET NOT NULL\b/i,
  /\bALTER COLUMN \w+ (SET DATA )?TYPE\b/i,
  /\bADD (CONSTRAINT|CHECK|UNIQUE|PRIMARY KEY|FOREIGN KEY|EXCLUDE)\b/i,
  /\bCREATE UNIQUE INDEX\b/i,
  /\bCREATE (CONSTRAINT )?TRIGGER \w+ BEFORE\b/i,
]

/** A column that an older program does not fill must fill itself. */
function demandsValue(statement: string): boolean {
  return statement
    .split(/\bADD COLUMN\b/i)
    .slice(1)
    .some((column) => /\bNOT NULL\b/i.test(column) && !/\b(DEFAULT|GENERATED)\b/i.test(column))
}

/**
 * The statements of a migration that narrow what was there, unless it says what it is by a line
 * `-- contract: WHY`, or `-- expand: WHY` where the statement harms no older program after all.
 */
export function unmarkedNarrowing(path: string, sql: string): string[] {
  const version = Number(/(\d{4})_\w+\.sql$/.exec(path)?.[1])
  if (version <= lastOfBaseline || marked.test(sql)) return []
  const statements = sql
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
  const created = new Set([...sql.matchAll(createdTable)].map(([, name]) => name))
  return statements
    .filter((statement) => !created.has(targetTable.exec(statement)?.[1]))
    .filter(
      (statement) =>
        narrowing.some((pattern) => pattern.test(statement)) || demandsValue(statement),
    )
    .map((statement) => `says neither "-- contract: WHY" nor "-- expand: WHY": ${statement}`)
}
