// What a winner has to do to get a prize.

import { LongText } from '../../ui/layout/long-text.tsx'

export function ClaimInstructions({ text }: { readonly text: string }) {
  return (
    <div>
      <h4 className="text-sm font-semibold text-muted">How to Claim</h4>
      <LongText text={text} className="mt-1" />
    </div>
  )
}
