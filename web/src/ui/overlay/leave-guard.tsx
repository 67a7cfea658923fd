// The question before a form that stands on the page is left with something unsaved.

import { useBlocker } from '@tanstack/react-router'
import { useSignedIn } from '../../lib/signed-in.ts'
import { ConfirmDialog } from './dialog.tsx'

interface Place {
  readonly pathname: string
  readonly search: object
}

/** What else of an address is a part of the page that goes with what stands on it. */
const parts = ['tab', 'bot', 'view', 'user'] as const

const isElsewhere = (current: Place, next: Place) =>
  current.pathname !== next.pathname ||
  parts.some((part) => Reflect.get(current.search, part) !== Reflect.get(next.search, part))

/** Asks as long as somebody is signed in: after that the page must go. */
export function LeaveGuard({ isUnsaved }: { readonly isUnsaved: boolean }) {
  const signedIn = useSignedIn()
  const mustAsk = () => isUnsaved && signedIn() !== null
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isElsewhere(current, next) && mustAsk(),
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
      description="Your changes are not saved. They will be lost if you leave."
      confirmLabel="Leave without saving"
      cancelLabel="Stay here"
      onConfirm={() => blocker.proceed?.()}
    />
  )
}
