// Stands around screens that need a session.

import { Navigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { changedTopics } from '../../lib/changed-topics.ts'
import { useOnline } from '../../lib/online.ts'
import { LoadError } from '../../ui/feedback/data-state.tsx'
import { SpinnerPage } from '../../ui/feedback/spinner.tsx'
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

const askAgain = () => changedTopics.announce(['session'], 'news')

/**
 * The server could not be asked: that is no reason to send anyone away from the page. Asks again by
 * itself as soon as there is a network.
 */
export function SessionUnknown({ error }: { readonly error: Error }) {
  const isOnline = useOnline()
  useEffect(() => {
    window.addEventListener('online', askAgain)
    return () => window.removeEventListener('online', askAgain)
  }, [])
  return (
    <LoadError
      title={isOnline ? 'We could not check who is signed in' : 'You are offline'}
      description={
        isOnline
          ? 'The server did not answer. Your packs and prizes are safe.'
          : 'This screen is shown when you are connected again. Your packs and prizes are safe.'
      }
      error={error}
      onRetry={askAgain}
    />
  )
}
