// The button that moves the viewer's clock to another stream.

import type { WatchSession } from '@redpack/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Timer } from 'lucide-react'
import { messageOf } from '../../lib/api-error.ts'
import { announce } from '../../ui/feedback/live-region.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Button } from '../../ui/form/button.tsx'
import { chooseSession } from './queries.ts'

export interface CountHereProps {
  readonly session: WatchSession
  /** Time counts for this session now. */
  readonly onChosen: () => void
}

export function CountHere({ session, onChosen }: CountHereProps) {
  const queryClient = useQueryClient()
  const choice = useMutation({
    mutationFn: () => chooseSession(queryClient, session.id),
    onSuccess: () => {
      onChosen()
      announce(`Your time counts for ${session.stream.displayName} now`)
    },
    onError: (error) =>
      toast({
        title: 'Error',
        description: messageOf(error, 'Failed to choose the stream'),
        variant: 'destructive',
        detail: error.message,
      }),
  })
  return (
    <Button
      tone="secondary"
      isPending={choice.isPending}
      aria-label={`Count here: ${session.stream.displayName}`}
      onClick={() => choice.mutate()}
    >
      <Timer aria-hidden="true" />
      Count here
    </Button>
  )
}
