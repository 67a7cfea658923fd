// What a played fault leaves behind: a line of the table that `npm run test:faults` prints, and
// books that still agree.

import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'
import { runCommand } from '../programs.ts'

export interface PlayedFault {
  /** What was done to the installation. */
  readonly fault: string
  /** What docs/operating.md promises then. */
  readonly promise: string
  /** What was seen, with its figures. */
  readonly seen: string
}

/** Adds a line to the table. Call it after the assertions: a fault that failed has no line. */
export function tell(played: PlayedFault): void {
  const file = process.env['FAULT_TABLE']
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(played)}\n`)
}

/**
 * Runs the operator's own `verify:economy` on the database and expects that every book agrees.
 * `settings` are those that the product was started with, `repository` is where its program stands.
 */
export async function expectTrueBooks(
  settings: Record<string, string>,
  repository?: string,
): Promise<void> {
  const options = repository === undefined ? {} : { repository }
  const { code, output, errors } = await runCommand(['verify-economy'], settings, options)
  expect(`${code} ${code === 0 ? '' : output + errors}`).toBe('0 ')
}
