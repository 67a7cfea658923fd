// Where the links in mails end: proving an address, and leaving the list.

import { useSearch } from '@tanstack/react-router'
import { MailLink } from '../features/outbox/mail-link.tsx'
import { LinkButton } from '../ui/form/button.tsx'

export function NotificationsScreen() {
  const { verify, unsubscribe } = useSearch({ from: '/notifications' })
  const token = verify ?? unsubscribe
  return (
    <div className="grid min-h-[60dvh] place-content-center justify-items-center gap-4 px-4 text-center">
      <h1 tabIndex={-1} className="text-3xl">
        News by email
      </h1>
      {token ? (
        <MailLink purpose={verify === undefined ? 'unsubscribe' : 'verify'} token={token} />
      ) : (
        <p role="status">This link is not complete. Open it from the email again.</p>
      )}
      <LinkButton to="/profile" tone="secondary">
        Open your profile
      </LinkButton>
    </div>
  )
}
