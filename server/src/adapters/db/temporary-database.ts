// A database on the same PostgreSQL server that is there for one piece of work and gone after it.

import { randomBytes } from 'node:crypto'
import pg from 'pg'

const connectMillisMax = 10_000

/**
 * Makes an empty database beside the one at `url` and runs `work` with its address; the database is
 * dropped whatever becomes of the work. Its name begins with `prefix`, for whoever finds one that a
 * killed process has left.
 * @throws the driver's error 42501 when the user of `url` may not make databases
 */
export async function withTemporaryDatabase<Result>(
  url: string,
  prefix: string,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const name = `${prefix}_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMillisMax,
    application_name: 'redpack command',
  })
  admin.on('error', () => undefined)
  await admin.connect()
  try {
    await admin.query(`CREATE DATABASE ${name}`)
    const address = new URL(url)
    address.pathname = `/${name}`
    try {
      return await work(address.href)
    } finally {
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    }
  } finally {
    await admin.end().catch(() => undefined)
  }
}
