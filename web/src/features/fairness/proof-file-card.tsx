// Verifies a proof file that somebody kept: needs no session and asks the server nothing.

import { type OpeningProof, proofFileBytesMax, readProof } from '@redpack/fair/verify'
import { Download, FileSearch } from 'lucide-react'
import { type ChangeEvent, useState } from 'react'
import { buttonLook } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { VerificationReport } from './verification-report.tsx'

export function ProofFileCard() {
  const [proof, setProof] = useState<OpeningProof | null>(null)
  const [error, setError] = useState<string>()

  const read = async (file: File | undefined) => {
    setProof(null)
    setError(undefined)
    if (!file) return
    try {
      if (file.size > proofFileBytesMax) throw new Error('This file is too large for a proof.')
      setProof(readProof(await file.text()))
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : 'The file could not be read.')
    }
  }
  return (
    <Card>
      <CardHeader
        title="Check a proof file"
        icon={FileSearch}
        iconClassName="size-6 text-accent-text"
        description="Anyone can check a downloaded proof here, also without signing in and without a connection."
      />
      <TextField
        label="Proof file"
        type="file"
        accept="application/json,.json"
        error={error}
        onChange={(event: ChangeEvent<HTMLInputElement>) => void read(event.target.files?.[0])}
        fieldClassName="mb-4 max-w-md"
      />
      {proof && <VerificationReport proof={proof} />}
      <div className="mt-4 border-t border-line pt-4">
        <p className="mb-3 text-muted">
          You do not need this site for it: the same check as one file to keep, which works without
          a network.
        </p>
        <a href="/verify-proof.html" download className={buttonLook({ tone: 'secondary' })}>
          <Download aria-hidden="true" />
          Download the offline verifier
        </a>
      </div>
    </Card>
  )
}
