// How draws stay fair, for everyone; for players their seeds, their openings and the proofs.

import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AlarmList } from '../features/fairness/alarm-list.tsx'
import { DrawLogCard } from '../features/fairness/draw-log-card.tsx'
import { Explanation } from '../features/fairness/explanation.tsx'
import { ObservedCard } from '../features/fairness/observed-card.tsx'
import { OpeningsList } from '../features/fairness/openings-list.tsx'
import { ProofFileCard } from '../features/fairness/proof-file-card.tsx'
import { useFairOpenings, useSeeds } from '../features/fairness/queries.ts'
import { SeedCard } from '../features/fairness/seed-card.tsx'
import { useSession } from '../features/session/queries.ts'
import { useOnceTrue } from '../lib/once-true.ts'
import { pageNumberOf } from '../lib/page-number.ts'
import { Card } from '../ui/card.tsx'
import { PageHeading } from '../ui/page-heading.tsx'

export function FairnessScreen() {
  const { status, user } = useSession()
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const openPage = (next: number) => {
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, page: next === 1 ? undefined : next }),
      resetScroll: false,
    })
  }
  const turnLog = (draws: number | undefined) => {
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, draws }),
      resetScroll: false,
    })
  }
  const everybodys = (
    <>
      <ProofFileCard />
      <ObservedCard />
      <DrawLogCard
        upTo={typeof search.draws === 'number' ? search.draws : undefined}
        onTurn={turnLog}
      />
    </>
  )
  return (
    <>
      <PageHeading
        title="Fairness"
        description="Every draw can be computed again, by you, in your own browser"
      />
      <div className="grid gap-6">
        <AlarmList userId={user?.id ?? null} hasSeen />
        <Explanation />
        {user && (
          <OwnDraws userId={user.id} page={pageNumberOf(search.page)} onPageChange={openPage}>
            {everybodys}
          </OwnDraws>
        )}
        {status === 'unauthenticated' && (
          <>
            <Card>
              <p>Sign in to see your own seeds and to verify the packs you opened.</p>
            </Card>
            {everybodys}
          </>
        )}
      </div>
    </>
  )
}

interface OwnDrawsProps {
  readonly userId: number
  readonly page: number
  readonly onPageChange: (page: number) => void
  /** What stands below. */
  readonly children: ReactNode
}

/** How tall the player's own cards get is known with their answers: what is below waits. */
function OwnDraws({ userId, page, onPageChange, children }: OwnDrawsProps) {
  const seeds = useSeeds(userId)
  const openings = useFairOpenings(page)
  const isWhole = useOnceTrue(!seeds.isPending && !openings.isPending)
  return (
    <>
      <SeedCard userId={userId} />
      <div hidden={!isWhole} className="grid gap-6">
        <OpeningsList page={page} onPageChange={onPageChange} />
        {children}
      </div>
    </>
  )
}
