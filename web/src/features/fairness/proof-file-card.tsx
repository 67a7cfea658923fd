// Checks a file that somebody kept, a proof or a memory: needs no session.

import { readSavedFile, type SavedMemory } from '@redpack/fair/memory'
import type { OpeningProof } from '@redpack/fair/verify'
import { Download, FileSearch } from 'lucide-react'
import { type ChangeEvent, useState } from 'react'
import { buttonLook } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { VerificationReport } from './verification-report.tsx'

export function ProofFileCard() {
  const [saved, setSaved] = useState<OpeningProof | SavedMemory | null>(null)
  const [error, setError] = useState<string>()

  const read = async (file: File | undefined) => {
    setSaved(null)
    setError(undefined)
    if (!file) return
    try {
      setSaved(await readSavedFile(file))
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : 'The file could not be read.')
    }
  }
  return (
    <Card>
      <CardHeader
        title="Check a saved file"
        icon={FileSearch}
        iconClassName="size-6 text-accent-text"
        description="The proof of an opening, or the memory of a browser. You do not have to sign in, and nothing is sent."
      />
      <TextField
        label="Saved file"
        type="file"
        accept="application/json,.json"
        error={error}
        onChange={(event: ChangeEvent<HTMLInputElement>) => void read(event.target.files?.[0])}
        className="text-muted file:me-3 file:font-display file:font-semibold file:text-ink"
        fieldClassName="mb-4 max-w-md"
      />
      {saved && <VerificationReport saved={saved} />}
      <div className="mt-4 border-t border-line pt-4">
        <p className="mb-3 text-muted">
          The same check as one file for your computer. It works without this site and without a
          network.
        </p>
        <a href="/verify-proof.html" download className={buttonLook({ tone: 'secondary' })}>
          <Download aria-hidden="true" />
          Download the offline verifier
        </a>
      </div>
    </Card>
  )
}
