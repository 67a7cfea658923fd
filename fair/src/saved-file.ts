// Checks what was saved as a file, a proof or a memory, on the site and without it. Apart, since a
// browser that opens packs needs none of it.

import { parsed } from './bytes.ts'
import { portableHashing } from './hashing.ts'
import {
  disagreementsIn,
  isMemory,
  type SavedMemory,
  withheldOf,
  withheldSummary,
} from './memory.ts'
import { openCheckpoint, openLogProof, parseVerifierKey, type Verify } from './notes.ts'
import { LogFault, treeHashes } from './tree.ts'
import {
  checked,
  type Findings,
  isProof,
  type OpeningProof,
  stepOf,
  type Verdict,
  type VerificationStep,
  verifyProof,
  worstOf,
} from './verify.ts'

/** Largest file that is read, in bytes. */
const bytesMax = 5 * 1024 * 1024

/** A file of a browser, or what stands for one. */
export interface ReadableFile {
  readonly size: number
  text(): Promise<string>
}

/** Reads what was saved, evidence too. @throws Error with a sentence for the reader */
export async function readSavedFile(file: ReadableFile): Promise<OpeningProof | SavedMemory> {
  if (file.size > bytesMax) throw new Error('This file is too large: it has more than 5 MB.')
  const value = parsed(await file.text())
  if (value === undefined) throw new Error('This file is not JSON, or only a part of it.')
  const inner = (value as { readonly memory?: unknown } | null)?.memory ?? value
  if (isProof(value)) return value
  if (isMemory(inner)) return inner
  throw new Error('This file is neither the proof of an opening nor a saved memory.')
}

/** Checks signatures too where the log's key is given. @throws Error when that is none */
export async function checkSaved(
  saved: OpeningProof | SavedMemory,
  keyText: string,
  verify: Verify,
): Promise<Findings> {
  const key = parseVerifierKey(keyText, portableHashing.sha256)
  if (keyText !== '' && key === undefined) throw new Error('This is not the key of a log.')
  if ('requests' in saved) return checkMemory(saved, keyText, verify)
  const hashes = treeHashes(portableHashing)
  return verifyProof(saved, key ? (log) => openLogProof(log, key, hashes, verify) : null)
}

/** What a memory holds against the site. `keyText` is empty for the key that it remembers. */
export async function checkMemory(
  memory: SavedMemory,
  keyText: string,
  verify: Verify,
): Promise<Findings> {
  const steps = [answersStep(memory), withheldStep(memory), await logStep(memory, keyText, verify)]
  const verdict = worstOf(steps)
  const summaries: Partial<Record<Verdict, string>> = {
    failed: 'This memory disagrees with what the site said.',
    noted: 'Nothing in this memory disagrees, but requests came to nothing.',
  }
  const well = 'Nothing in this memory disagrees with what the site said.'
  return { verdict, summary: summaries[verdict] ?? well, steps }
}

function answersStep(memory: SavedMemory): VerificationStep {
  const faults = disagreementsIn(memory)
  const told = memory.requests.filter((request) => request.told).length
  return checked('answers', faults.length === 0, [
    `Answers drawn again: ${told}.`,
    faults.join(' '),
  ])
}

function withheldStep(memory: SavedMemory): VerificationStep {
  const withheld = withheldOf(memory)
  const values = withheld.map(({ request, text }) => ({
    name: new Date(request.sentAt).toISOString(),
    value: text,
  }))
  const verdict = withheld.length === 0 ? 'passed' : 'noted'
  return { ...stepOf('withheld', verdict, withheldSummary(withheld)), values }
}

async function logStep(
  { log }: SavedMemory,
  keyText: string,
  verify: Verify,
): Promise<VerificationStep> {
  const failed = (text: string) => stepOf('remembered', 'failed', text)
  if (log === null) {
    return stepOf('remembered', 'unchecked', 'This browser had not read the log yet.')
  }
  const key = parseVerifierKey(log.key, portableHashing.sha256)
  if (key === undefined) return failed('It remembers a key that cannot be read.')
  if (keyText !== '' && keyText !== log.key) {
    return failed(`This memory is of another log, or of one with another key: ${log.key}`)
  }
  try {
    const { size, origin } = await openCheckpoint(log.note, key, verify)
    const text = `It knows ${size} entries of ${origin}, signed with the key that it saw first.`
    return stepOf('remembered', 'passed', text, { Checkpoint: log.note })
  } catch (error) {
    if (error instanceof LogFault) return failed(error.message)
    throw error
  }
}
