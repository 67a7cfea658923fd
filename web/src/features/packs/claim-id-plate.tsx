// A Claim ID that can be copied.

import { CopyButton } from '../../ui/form/copy-button.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import './claim-id-plate.css'

interface ClaimIdPlateProps {
  readonly claimId: string
}

export function ClaimIdPlate({ claimId }: ClaimIdPlateProps) {
  return (
    <div className="claim-plate">
      <span className="claim-plate-label">Claim ID</span>
      <Masked what="Claim ID">
        <span className="flex min-w-0 flex-auto items-center justify-between gap-2">
          <code>{claimId}</code>
          <CopyButton text={claimId} label="Copy Claim ID" />
        </span>
      </Masked>
    </div>
  )
}
