// What a result says below its card: description, Claim ID and how to claim, or a kind word.

import type { OpeningResult } from '@redpack/contract'
import { ClaimIdPlate } from './claim-id-plate.tsx'

interface ResultDetailsProps {
  readonly result: OpeningResult
}

export function ResultDetails({ result }: ResultDetailsProps) {
  if (!result.won) {
    return (
      <p className="result-note">
        Better luck next time! Keep opening packs for more chances to win prizes.
      </p>
    )
  }
  const { prize, claimId } = result
  return (
    <>
      {prize?.description && <p className="result-note">{prize.description}</p>}
      {claimId && <ClaimIdPlate claimId={claimId} />}
      {prize?.claimInstructions && (
        <section className="result-claim">
          <h4>How to Claim</h4>
          <p>{prize.claimInstructions}</p>
        </section>
      )}
    </>
  )
}
