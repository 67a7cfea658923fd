// Changes the client seed while no pack has been opened with the active pair.

import { ClientSeed } from '@redpack/contract'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast-state.ts'
import { ClientSeedField } from './client-seed-field.tsx'
import { useChangeClientSeed } from './queries.ts'

/** The sentence that refuses a client seed, undefined for a good one. */
export function clientSeedError(seed: string): string | undefined {
  return ClientSeed.safeParse(seed).error?.issues[0]?.message
}

export interface ClientSeedFormProps {
  readonly userId: number
  readonly clientSeed: string
}

export function ClientSeedForm({ userId, clientSeed }: ClientSeedFormProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const change = useChangeClientSeed(userId)
  const seed = typed ?? clientSeed

  const save = (event: FormEvent) => {
    event.preventDefault()
    const found = clientSeedError(seed)
    setError(found)
    if (found) return
    change.mutate(
      { clientSeed: seed },
      {
        onSuccess: () => {
          setTyped(null)
          toast({ title: 'Client seed saved', description: 'Your next packs are drawn with it.' })
        },
        onError: (cause) => setError(messageOf(cause, 'The client seed could not be saved.')),
      },
    )
  }
  return (
    <form noValidate onSubmit={save} className="grid gap-3 border-t border-line py-4">
      <ClientSeedField
        label="Client seed"
        value={seed}
        onChange={(next) => {
          setTyped(next)
          setError(undefined)
        }}
        error={error}
        disabled={change.isPending}
      />
      <Button
        type="submit"
        tone="secondary"
        isPending={change.isPending}
        disabled={seed === clientSeed}
        className="justify-self-start"
      >
        {change.isPending ? 'Saving...' : 'Save client seed'}
      </Button>
    </form>
  )
}
