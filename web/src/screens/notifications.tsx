// Where the links in mails end: an address that was proven or not, and leaving the list.

import { useSearch } from '@tanstack/react-router'
import { Unsubscribe } from '../features/outbox/unsubscribe.tsx'
import { LinkButton } from '../ui/form/link-button.tsx'

const sentences = {
  verified: 'Your address is confirmed. News reaches you there from now on.',
  expired: 'This link has expired. Get a new one from your profile.',
} as const

export function NotificationsScreen() {
  const { result, unsubscribe } = useSearch({ from: '/notifications' })
  return (
    <div className="grid min-h-[60dvh] place-content-center justify-items-center gap-4 text-center">
      <h1 tabIndex={-1} className="text-3xl">
        News by email
      </h1>
      {unsubscribe === undefined ? (
        <p role="status" className="max-w-prose text-lg">
          {sentences[result ?? 'expired']}
        </p>
      ) : (
        <Unsubscribe token={unsubscribe} />
      )}
      <LinkButton to="/profile" tone="secondary">
        Open your profile
      </LinkButton>
    </div>
  )
}
