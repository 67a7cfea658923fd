// A database remembers whose it is: the sandbox's or real people's. The two never mix.

import { type Database, type Queryable, statement } from './database.ts'

/** The database belongs to the other mode; it is unchanged. */
export class OtherMode extends Error {}

const record = statement(
  'record_database_mode',
  `INSERT INTO database_mode (is_sandbox) VALUES ($1) ON CONFLICT DO NOTHING
   RETURNING is_sandbox AS "isSandbox"`,
)
const read = statement('read_database_mode', 'SELECT is_sandbox AS "isSandbox" FROM database_mode')

/**
 * Records the mode of a database that has none yet; `onFirst` runs in the same transaction then.
 * Of several processes that start at once, one records and the others compare.
 * @throws OtherMode whose message is one line for whoever started the program
 */
export async function rememberMode(
  db: Database,
  sandbox: boolean,
  onFirst: (tx: Queryable) => Promise<void>,
): Promise<void> {
  const isSandbox = await db.transaction(async (tx) => {
    const recorded = await tx.run(record, [sandbox])
    if (recorded.length > 0) await onFirst(tx)
    const [row] = await tx.run<{ isSandbox: boolean }>(read, [])
    return row?.isSandbox
  })
  if (isSandbox !== sandbox) throw otherMode(isSandbox === true)
}

/**
 * Compares without recording anything.
 * @throws OtherMode as `rememberMode` does
 */
export async function refuseOtherMode(tx: Queryable, sandbox: boolean): Promise<void> {
  const [row] = await tx.run<{ isSandbox: boolean }>(read, [])
  if (row !== undefined && row.isSandbox !== sandbox) throw otherMode(row.isSandbox)
}

function otherMode(isSandbox: boolean): OtherMode {
  return new OtherMode(
    isSandbox
      ? 'The database belongs to the sandbox, where anybody can sign in as anybody: choose another ' +
          'DATA_DIR or DATABASE_URL'
      : 'The database belongs to real people and not to the sandbox: set TWITCH_CLIENT_ID or ' +
          'SANDBOX=off, or choose another DATA_DIR or DATABASE_URL',
  )
}
