// The player's current seeds: what the server has committed to, and the player's own part.

import type { SeedsResponse } from '@redpack/contract'
import { formatNumber, plural } from '../../lib/format.ts'
import { Card, CardHeader } from '../../ui/card.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { ClientSeedForm } from './client-seed-form.tsx'
import { HashRow } from './hash-row.tsx'
import { useSeeds } from './queries.ts'
import { RotateSeeds } from './rotate-seeds.tsx'

export function SeedCard() {
  const { data, isPending, isFetching, error, refetch } = useSeeds()
  return (
    <Card>
      <CardHeader title="Your seeds" description="What your next packs are drawn with." />
      {data && <Seeds seeds={data} />}
      {isPending && (
        <Loading label="Loading your seeds" className="grid gap-4">
          <Skeleton className="h-16" />
          <Skeleton className="h-16" />
          <Skeleton className="h-24" />
          <Skeleton className="h-11 w-40" />
        </Loading>
      )}
      {error && !data && (
        <LoadError
          title="Your seeds could not be loaded"
          error={error}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      )}
    </Card>
  )
}

function Seeds({ seeds: { active, next } }: { readonly seeds: SeedsResponse }) {
  const isUsed = active.nonce > 0
  return (
    <>
      <dl>
        <HashRow
          name="Commitment to the current server seed"
          hint="Note it before you open packs: the seed revealed later has to match it."
          value={active.serverSeedHash}
        />
        <HashRow
          name="Commitment to the next server seed"
          hint="Public already, so that the next seed cannot depend on what you choose for it."
          value={next.serverSeedHash}
        />
        <div className="border-t border-line py-3">
          <dt className="font-medium">Nonce</dt>
          <dd className="text-sm text-muted">The counter that your next pack is drawn with.</dd>
          <dd className="mt-1 font-mono tabular-nums">{formatNumber(active.nonce)}</dd>
        </div>
        {isUsed && (
          <HashRow
            name="Client seed"
            hint={`${plural(active.nonce, 'pack was', 'packs were')} opened with it, so it stays as it is. Rotate your seeds to choose another.`}
            value={active.clientSeed}
          />
        )}
      </dl>
      {!isUsed && <ClientSeedForm key={active.id} clientSeed={active.clientSeed} />}
      <RotateSeeds active={active} />
    </>
  )
}
