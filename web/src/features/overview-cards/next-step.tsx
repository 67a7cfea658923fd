// The one thing to do next, said in a strip above everything else.

import { ArrowRight, Gift, PackageOpen } from 'lucide-react'
import { plural } from '../../lib/format.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Undefined while it is not known how many packs there are; the room is kept. */
export function NextStep({ totalPacks }: { readonly totalPacks: number | undefined }) {
  const hasPacks = totalPacks !== undefined && totalPacks > 0
  return (
    <section
      aria-label="What to do next"
      className="next-step card on-card flex min-h-30 flex-wrap items-center gap-x-6 gap-y-4 p-4 sm:min-h-24 sm:p-6"
    >
      {totalPacks === undefined ? (
        <Skeleton className="h-8 w-56" />
      ) : (
        <>
          <p className="flex flex-1 items-center gap-3 font-display text-xl font-semibold">
            {hasPacks ? (
              <PackageOpen aria-hidden="true" className="size-7 flex-none text-accent-text" />
            ) : (
              <Gift aria-hidden="true" className="size-7 flex-none text-accent-text" />
            )}
            {hasPacks
              ? `${plural(totalPacks, 'pack', 'packs')} to open`
              : 'Watch a stream to earn your next pack'}
          </p>
          <LinkButton to={hasPacks ? '/inventory' : '/twitch-streams'}>
            {hasPacks ? 'Open now' : 'See rewards'}
            <ArrowRight aria-hidden="true" />
          </LinkButton>
        </>
      )}
    </section>
  )
}
