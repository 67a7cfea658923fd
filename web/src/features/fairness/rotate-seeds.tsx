// Rotating: the secret comes to light, and the pair that was committed to next takes its place.

import type { ActiveSeedPair } from '@redpack/contract'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { plural } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast-state.ts'
import { ClientSeedField } from './client-seed-field.tsx'
import { clientSeedError } from './client-seed-form.tsx'
import { HashRow } from './hash-row.tsx'
import { useRotateSeeds } from './queries.ts'
import { randomClientSeed } from './random-seed.ts'

/** What a rotation does to a pair that `opened` packs were drawn with. */
function rotationText(opened: number): string {
  const revealed =
    opened === 0
      ? 'No pack was opened with this pair yet; its server seed is revealed unused.'
      : `This reveals the server seed behind ${plural(opened, 'opened pack', 'opened packs')}, so that you can verify every draw.`
  return `${revealed} Your next packs are drawn with the next pair. A pair does not come back.`
}

export interface RotateSeedsProps {
  readonly userId: number
  readonly active: ActiveSeedPair
}

export function RotateSeeds({ userId, active }: RotateSeedsProps) {
  const [isOpen, setOpen] = useState(false)
  const [seed, setSeed] = useState('')
  const rotate = useRotateSeeds(userId)
  const error = clientSeedError(seed)

  const open = () => {
    setSeed(randomClientSeed())
    setOpen(true)
  }
  const confirm = () => {
    rotate.mutate(seed, {
      onSuccess: ({ revealed }) => {
        setOpen(false)
        toast({
          title: 'Seeds rotated',
          description: `The server seed behind ${plural(revealed.openings, 'pack', 'packs')} is public now.`,
        })
      },
      onError: (cause) =>
        toast({
          title: 'Error',
          description: messageOf(cause, 'The seeds could not be rotated.'),
          variant: 'destructive',
          detail: cause.message,
        }),
    })
  }
  const revealed = rotate.data?.revealed
  return (
    <>
      <Button tone="secondary" onClick={open}>
        <RefreshCw aria-hidden="true" />
        Rotate seeds
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        tone="primary"
        title="Rotate your seeds?"
        description={rotationText(active.nonce)}
        confirmLabel={rotate.isPending ? 'Rotating...' : 'Rotate'}
        isPending={rotate.isPending}
        canConfirm={error === undefined}
        onConfirm={confirm}
      >
        <ClientSeedField
          label="Client seed of the next pair"
          value={seed}
          onChange={setSeed}
          error={error}
          disabled={rotate.isPending}
        />
      </ConfirmDialog>
      {revealed && (
        <section
          aria-labelledby="revealed-title"
          className="basis-full rounded-control bg-raised p-4"
        >
          <h3 id="revealed-title" className="text-lg">
            Revealed just now
          </h3>
          <p className="text-muted">
            {plural(revealed.openings, 'pack was', 'packs were')} drawn with this pair. Verify them
            below.
          </p>
          <dl className="mt-2">
            <HashRow name="Server seed" value={revealed.serverSeed} />
            <HashRow name="Its commitment" value={revealed.serverSeedHash} />
            <HashRow name="Its client seed" value={revealed.clientSeed} />
          </dl>
        </section>
      )}
    </>
  )
}
