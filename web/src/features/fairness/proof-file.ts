// The proof file: one opening and its odds table as JSON, to be kept and checked anywhere.

import { OpeningProof } from '@redpack/contract'

/** Largest proof file that is read, in bytes. */
export const proofFileBytesMax = 5 * 1024 * 1024

/** Hands a proof to the browser as a file to keep. */
export function downloadProof(proof: OpeningProof): void {
  const file = new Blob([`${JSON.stringify(proof, null, 2)}\n`], { type: 'application/json' })
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = `draw-proof-${proof.opening.id}.json`
  link.click()
  // The browser reads the file after the click; it has long begun by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/**
 * Reads a proof from the text of a file.
 * @throws Error with a sentence for the reader when the text is no proof
 */
export function readProof(text: string): OpeningProof {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new Error('This file is not JSON.')
  }
  const proof = OpeningProof.safeParse(content)
  if (!proof.success) throw new Error('This file is not a proof of an opening.')
  return proof.data
}
