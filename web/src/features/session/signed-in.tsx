// Stands around screens that need a session.

import { Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { changedTopics } from '../../lib/changed-topics.ts'
import { LoadError } from '../../ui/load-error.tsx'
import { SpinnerPage } from '../../ui/spinner.tsx'
import { useLoggingOut } from './logging-out.ts'
import { useSession } from './queries.ts'

/**
 * The screen for those who are signed in; a spinner until that is known; for others the site root.
 */
export function SignedIn({ children }: { readonly children: ReactNode }) {
  const session = useSession()
  const isLoggingOut = useLoggingOut()
  if (isLoggingOut || session.status === 'loading') return <SpinnerPage />
  if (session.status === 'authenticated') return children
  if (session.error) return <SessionUnknown error={session.error} />
  return <Navigate to="/" replace />
}

/** The server could not be asked: that is no reason to send anyone away from the page. */
export function SessionUnknown({ error }: { readonly error: Error }) {
  return (
    <LoadError
      title="We could not check who is signed in"
      description="The server did not answer. Your packs and prizes are safe."
      error={error}
      onRetry={() => changedTopics.announce(['session'], 'news')}
    />
  )
}
