// The one thing to do next, in the light above everything else.

import { ArrowRight } from 'lucide-react'
import { plural } from '../../lib/format.ts'
import { Skeleton } from '../../ui/feedback/data-state.tsx'
import { LinkButton } from '../../ui/form/link-button.tsx'

const fan = ['/art/pack-nebula.svg', '/art/pack-crown.svg', '/art/pack-vault.svg'] as const

/** Undefined while it is not known how many packs there are; the room is kept. */
export function NextStep({ totalPacks }: { readonly totalPacks: number | undefined }) {
  const hasPacks = totalPacks !== undefined && totalPacks > 0
  return (
    <section aria-label="What to do next" className="next-step card on-card">
      <div className="next-step-words">
        {totalPacks === undefined ? (
          <>
            <Skeleton className="h-8 w-48" />
            <Skeleton className="h-14 w-40" />
          </>
        ) : (
          <>
            <p className="font-display text-2xl font-bold">
              {hasPacks
                ? `${plural(totalPacks, 'pack', 'packs')} to open`
                : 'Watch a stream to earn your next pack'}
            </p>
            <LinkButton
              size="large"
              className="whitespace-nowrap max-sm:px-4 max-[22.5rem]:px-3"
              to={hasPacks ? '/inventory' : '/twitch-streams'}
            >
              {hasPacks ? 'Open now' : 'See rewards'}
              <ArrowRight aria-hidden="true" />
            </LinkButton>
          </>
        )}
      </div>
      <div aria-hidden="true" className="next-step-fan">
        {fan.map((pack) => (
          <img key={pack} src={pack} alt="" width={200} height={240} decoding="async" />
        ))}
      </div>
    </section>
  )
}
