// Where the PostgreSQL is, and how many connections each process keeps to it.

import { databaseAddresses } from './adapters/db/postgres-addresses.ts'
import type { Settings } from './settings.ts'

export interface DatabaseSettings {
  /** May name several hosts; undefined means the embedded database. */
  readonly databaseUrl: string | undefined
  /** The same database without a pooler, where `databaseUrl` leads to one. */
  readonly databaseDirectUrl: string | undefined
  /** Connections of this process that requests share. */
  readonly databasePoolSize: number
}

/** About four per core of a small server; beyond that they only wait for each other. */
const poolSizeDefault = 8
/** Fewer would leave none apart for reads. */
const poolSizeMin = 4
const poolSizeMax = 100

/** Reads DATABASE_URL, DATABASE_DIRECT_URL and DATABASE_POOL_SIZE. */
export function readDatabase(settings: Settings): DatabaseSettings {
  const databaseUrl = readAddress(settings, 'DATABASE_URL')
  const databaseDirectUrl = readAddress(settings, 'DATABASE_DIRECT_URL')
  if (databaseDirectUrl !== undefined && databaseUrl === undefined) {
    settings.refuse('DATABASE_DIRECT_URL', 'has no meaning without DATABASE_URL')
  }
  return { databaseUrl, databaseDirectUrl, databasePoolSize: readPoolSize(settings) }
}

/** The value itself is not repeated: it may carry a password. */
function readAddress(settings: Settings, name: string): string | undefined {
  const value = settings.text(name)
  if (value === undefined) return undefined
  if (!/^postgres(ql)?:\/\//.test(value)) {
    settings.refuse(name, 'must be an address that starts with postgres:// or postgresql://')
  } else if (databaseAddresses(value) === undefined) {
    settings.refuse(
      name,
      'cannot be read: write postgres://user:password@host:5432/database, several hosts with ' +
        'commas between them, and target_session_attrs only as any, primary or read-write',
    )
  }
  return value
}

function readPoolSize(settings: Settings): number {
  const value = settings.text('DATABASE_POOL_SIZE')
  if (value === undefined) return poolSizeDefault
  const size = Number(value)
  if (/^\d{1,3}$/.test(value) && size >= poolSizeMin && size <= poolSizeMax) return size
  settings.refuse(
    'DATABASE_POOL_SIZE',
    `must be a number from ${poolSizeMin} to ${poolSizeMax}, not "${value}"`,
  )
  return poolSizeDefault
}
