// What a batch is called.

import type { Batch } from '@redpack/contract'

const grantNames = {
  file: 'Grant by file',
  named: 'Grant to named users',
  everyone: 'Grant to all users',
} as const satisfies Readonly<Record<Batch['recipients'], string>>

/** What the batch is called: its file, whom it reached, or what it takes back. */
export function batchName({ fileName, reverses, recipients }: Batch): string {
  if (reverses !== null) return `Reversal of batch ${reverses.slice(0, 8)}`
  return fileName ?? grantNames[recipients]
}
