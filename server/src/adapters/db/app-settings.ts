// Settings in the database: one JSON value per key.

import { oneValueQuery, valueQuery, writeQuery } from './queries.ts'

/** Undefined as long as nothing is saved. */
export const readSetting = valueQuery<{ value: unknown }, [key: string]>(
  'read_setting',
  'SELECT value FROM app_settings WHERE key = $1',
)

// Made where there is none, so that two who save for the first time wait for each other as well.
/** Locks a setting and answers its value: `initial`, as JSON text, where nothing was saved. */
export const lockSetting = oneValueQuery<
  { value: unknown },
  [key: string, initial: string, now: Date]
>(
  'lock_setting',
  `INSERT INTO app_settings (key, value, created_at, updated_at) VALUES ($1, $2::jsonb, $3, $3)
   ON CONFLICT (key) DO UPDATE SET key = EXCLUDED.key RETURNING value`,
)

/** Saves a value, as JSON text. */
export const writeSetting = writeQuery<[key: string, value: string, now: Date]>(
  'write_setting',
  `INSERT INTO app_settings (key, value, created_at, updated_at) VALUES ($1, $2::jsonb, $3, $3)
   ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, updated_at = EXCLUDED.updated_at`,
)

export const removeSetting = writeQuery<[key: string]>(
  'remove_setting',
  'DELETE FROM app_settings WHERE key = $1',
)
