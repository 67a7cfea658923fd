// The player's current seeds: what the server has committed to, and the player's own part.

import type { SeedsResponse } from '@redpack/contract'
import { formatNumber, plural } from '../../lib/format.ts'
import { Card, CardHeader } from '../../ui/card.tsx'
import { askAgain, LoadError } from '../../ui/load-error.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { ClientSeedForm } from './client-seed-form.tsx'
import { CommitmentInLog } from './commitment-in-log.tsx'
import { HashRow } from './hash-row.tsx'
import { useIsOwnSeed, useMixOwnSeed, useSeeds } from './queries.ts'
import { RotateSeeds } from './rotate-seeds.tsx'

export interface SeedCardProps {
  readonly userId: number
}

export function SeedCard({ userId }: SeedCardProps) {
  const seeds = useSeeds(userId)
  const { data, isPending, error } = seeds
  return (
    <Card>
      <CardHeader title="Your seeds" description="What your next packs are drawn with." />
      {data && <Seeds userId={userId} seeds={data} />}
      {isPending && (
        <Loading label="Loading your seeds" className="grid gap-4">
          <Skeleton className="h-16" />
          <Skeleton className="h-16" />
          <Skeleton className="h-24" />
          <Skeleton className="h-11 w-40" />
        </Loading>
      )}
      {error && !data && <LoadError title="Your seeds could not be loaded" {...askAgain(seeds)} />}
    </Card>
  )
}

interface SeedsProps extends SeedCardProps {
  readonly seeds: SeedsResponse
}

function Seeds({ userId, seeds }: SeedsProps) {
  const { active, next } = seeds
  const isUsed = active.nonce > 0
  return (
    <>
      <dl>
        <HashRow
          name="Commitment to the current server seed"
          hint="Your browser remembers it: the seed revealed later has to match it."
          value={active.serverSeedHash}
        />
        <HashRow
          name="Commitment to the next server seed"
          hint="Public already, so that the next seed cannot depend on what you choose for it. Your browser remembers it too."
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
      {!isUsed && <ClientSeedForm key={active.id} userId={userId} clientSeed={active.clientSeed} />}
      <SeedOrigin userId={userId} seeds={seeds} />
      <div className="mt-2 flex flex-wrap items-start gap-3">
        <RotateSeeds userId={userId} active={active} />
        <CommitmentInLog active={active} />
      </div>
    </>
  )
}

/** Who chose the client seed; a browser that finds none of the player's mixes in its own. */
function SeedOrigin({ userId, seeds }: SeedsProps) {
  const { active } = seeds
  const mixed = useMixOwnSeed(userId, seeds)
  const isOwn = useIsOwnSeed(active)
  const isOpen = active.nonce === 0 && active.clientSeedFrom !== 'player'
  const openText =
    mixed.data === 'failed'
      ? 'Your browser could not send a client seed of its own. Until it can, the server’s stand-in is used, and your proofs will say so.'
      : 'Your browser is mixing its own random seed in…'
  return (
    <p role="status" className="mb-3 text-sm text-muted">
      {isOpen ? openText : originText(active, isOwn)}
    </p>
  )
}

function originText({ clientSeedFrom }: SeedsResponse['active'], isOwn: boolean): string {
  if (isOwn) return 'Your browser mixed its own random seed into these draws.'
  if (clientSeedFrom === 'player') return 'This client seed came from you, on another device.'
  if (clientSeedFrom === null) return 'It was not written down who chose this client seed.'
  return 'This client seed is the server’s stand-in: no browser had sent one before the first pack, so the server knew both seeds. Rotate your seeds to use one of your own.'
}
