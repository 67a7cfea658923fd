// What a start or a stop that fails says to whoever asked for it.

import { withoutCredentials } from '../adapters/log/told-error.ts'
import { BadSettings } from '../config/read-settings.ts'

/** A line for each setting that cannot be used, or the first line of any other error. */
export function linesOf(error: unknown): readonly string[] {
  if (error instanceof BadSettings) return error.lines
  const [line = ''] = String((error as Error | null)?.message ?? error).split('\n', 1)
  return [withoutCredentials(line) || 'The start failed']
}
