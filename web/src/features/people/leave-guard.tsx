// Asks before unsaved changes are left behind.

import { useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { sessionQuery } from '../session/queries.ts'

export interface LeaveGuardProps {
  readonly isUnsaved: boolean
  /** Called when the person leaves although something is unsaved. */
  readonly onLeave: () => void
}

export function LeaveGuard({ isUnsaved, onLeave }: LeaveGuardProps) {
  const queryClient = useQueryClient()
  // Once nobody is signed in the page must go, and the changes are kept for the next visit.
  const mustAsk = () => isUnsaved && queryClient.getQueryData(sessionQuery.queryKey) !== null
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && mustAsk(),
    enableBeforeUnload: mustAsk,
    disabled: !isUnsaved,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      isOpen={blocker.status === 'blocked'}
      onOpenChange={(isOpen) => {
        if (!isOpen) blocker.reset?.()
      }}
      title="Leave without saving?"
      description="Your profile changes are not saved. They will be lost if you leave this page."
      confirmLabel="Leave without saving"
      cancelLabel="Stay here"
      onConfirm={() => {
        onLeave()
        blocker.proceed?.()
      }}
    />
  )
}
