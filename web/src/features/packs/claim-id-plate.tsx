// A Claim ID that can be copied.

import { CopyButton } from '../../ui/copy-button.tsx'

interface ClaimIdPlateProps {
  readonly claimId: string
}

export function ClaimIdPlate({ claimId }: ClaimIdPlateProps) {
  return (
    <div className="claim-plate">
      <p>
        <span className="claim-plate-label">Claim ID</span> <code>{claimId}</code>
      </p>
      <CopyButton text={claimId} label="Copy Claim ID" />
    </div>
  )
}
