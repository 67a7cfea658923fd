// Sets the count of opened packs back to 0, after asking.

import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { plural } from '../../lib/format.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Button } from '../../ui/form/button.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { useStaffPowers } from '../session/queries.ts'
import { useResetOpenings } from './overview-queries.ts'

/** How long messages to staff are shown, in milliseconds. */
const successMs = 3000
const errorMs = 5000

export function ResetStatistics({ totalPacks }: { readonly totalPacks: number }) {
  const [isAsking, setAsking] = useState(false)
  const reset = useResetOpenings()
  const { mayActOnEverybody } = useStaffPowers()
  const confirm = () =>
    reset.mutate(undefined, {
      onSuccess: ({ deletedCount }) =>
        toast({
          title: 'Success',
          description: `${plural(deletedCount, 'pack opening', 'pack openings')} reset`,
          duration: successMs,
        }),
      onError: (error) =>
        toast({
          title: 'Error',
          description: messageOf(error, 'Failed to reset pack openings count'),
          variant: 'destructive',
          duration: errorMs,
        }),
      onSettled: () => setAsking(false),
    })
  return (
    <Card>
      <CardHeader
        level={3}
        title="Reset Statistics"
        description="Sets the number of opened packs back to 0 for everyone."
      />
      <Button tone="danger" onClick={() => setAsking(true)} disabled={!mayActOnEverybody}>
        <RotateCcw aria-hidden="true" />
        Reset Total Packs to 0
      </Button>
      {!mayActOnEverybody && (
        <p className="mt-2 text-sm text-muted">Only a super user can do this.</p>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title="Reset Total Packs to 0?"
        description={`Removes ${plural(totalPacks, 'opening', 'openings')} from all totals and activity lists. This cannot be undone. Balances, packs and prize claims stay.`}
        confirmLabel="Reset Total Packs to 0"
        onConfirm={confirm}
        isPending={reset.isPending}
      />
    </Card>
  )
}
