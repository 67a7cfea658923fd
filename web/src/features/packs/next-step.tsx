// The one thing to do next, in the light above everything else.

import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { plural } from '../../lib/format.ts'
import { Skeleton } from '../../ui/feedback/data-state.tsx'
import { LinkButton } from '../../ui/form/link-button.tsx'
import { holdingsQuery } from './stats-queries.ts'

/** What can be won, for somebody without packs. */
const fan = ['/art/pack-nebula.svg', '/art/pack-crown.svg', '/art/pack-vault.svg'] as const

/** Pictures of the packs that are owned, nothing while they are not known. */
function useFan(): readonly string[] {
  const { data } = useQuery(holdingsQuery)
  const owned = data?.filter(({ quantity }) => quantity > 0)
  if (owned?.length === 0) return fan
  const pictures = owned?.map(({ packType }) => packType.imageUrl ?? '/art/brand-mark.svg')
  return [...new Set(pictures)].slice(0, fan.length)
}

/** Undefined while it is not known how many packs there are; the room is kept. */
export function NextStep({ totalPacks }: { readonly totalPacks: number | undefined }) {
  const hasPacks = totalPacks !== undefined && totalPacks > 0
  const packs = useFan()
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
            <p className="font-display text-xl font-bold sm:text-2xl">
              {hasPacks
                ? `${plural(totalPacks, 'pack', 'packs')} to open`
                : 'Watch a stream to earn your next pack'}
            </p>
            <div className="flex flex-wrap gap-2">
              <LinkButton
                size="large"
                className="whitespace-nowrap max-sm:px-4 max-[22.5rem]:px-3"
                to={hasPacks ? '/inventory' : '/twitch-streams'}
              >
                {hasPacks ? 'Open now' : 'See rewards'}
                <ArrowRight aria-hidden="true" />
              </LinkButton>
              {hasPacks && (
                <LinkButton
                  tone="ghost"
                  className="self-center whitespace-nowrap max-[22.5rem]:px-3"
                  to="/twitch-streams"
                >
                  Earn more
                </LinkButton>
              )}
            </div>
          </>
        )}
      </div>
      <div aria-hidden="true" className="next-step-fan">
        {packs.map((pack) => (
          <img key={pack} src={pack} alt="" width={200} height={240} decoding="async" />
        ))}
      </div>
    </section>
  )
}
