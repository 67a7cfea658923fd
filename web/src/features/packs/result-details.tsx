// What a result says below its card: description, Claim ID and how to claim, or a kind word.

import type { OpeningResult } from '@redpack/contract'
import { Link } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { ClaimIdPlate } from './claim-id-plate.tsx'

interface ResultDetailsProps {
  readonly result: OpeningResult
  /** True when this browser drew the result again and found it. */
  readonly isProven: boolean
}

export function ResultDetails({ result, isProven }: ResultDetailsProps) {
  return (
    <>
      {result.won ? <WinDetails result={result} /> : <p className="result-note">{kindWord}</p>}
      {isProven && (
        <p className="result-proven">
          <ShieldCheck aria-hidden="true" />
          Proven in your browser · <Link to="/fairness">details</Link>
        </p>
      )}
    </>
  )
}

const kindWord = 'Better luck next time! Keep opening packs for more chances to win prizes.'

function WinDetails({ result: { prize, claimId } }: Pick<ResultDetailsProps, 'result'>) {
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
