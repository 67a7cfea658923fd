// The doors of screens: for those who are signed in, and the two of the admin panel, its own check
// and the older page's guard.

import { authContract } from '@redpack/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { LayoutDashboard, ShieldX } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { namesInTab } from '../../lib/browser-switch.ts'
import { changedTopics } from '../../lib/changed-topics.ts'
import { useOnline } from '../../lib/online.ts'
import { SpinnerPage } from '../../ui/feedback/spinner.tsx'
import { LoadError } from '../../ui/feedback/state.tsx'
import { Button, LinkButton } from '../../ui/form/button.tsx'
import { isStaff, useSession } from './queries.ts'

/** Door of /admin and /admin-new: says why it stays closed, to visitors too. */
export function StaffGate({ children }: { readonly children: ReactNode }) {
  const session = useSession()
  if (session.status === 'loading') {
    return <SpinnerPage label="Checking authentication..." isLabelShown />
  }
  if (session.status === 'authenticated' && isStaff(session.user.role)) {
    return <Watched>{children}</Watched>
  }
  if (session.error) return <SessionUnknown error={session.error} />
  return (
    <AccessDenied text="You need admin privileges to access this panel.">
      {session.status === 'unauthenticated' && namesInTab(':form-draft:').length > 0 && (
        <p className="mb-4">
          Your session has ended. What you entered is kept in this tab: sign in and open the form
          again.
        </p>
      )}
      <Button
        tone="twitch"
        size="large"
        onClick={() => window.location.assign(authContract.twitch.path)}
      >
        Login with Twitch
      </Button>
    </AccessDenied>
  )
}

/** Door of /admin-old: needs a session first, then the role. */
export function OldStaffGate({ children }: { readonly children: ReactNode }) {
  return (
    <SignedIn>
      <StaffOnly>{children}</StaffOnly>
    </SignedIn>
  )
}

function StaffOnly({ children }: { readonly children: ReactNode }) {
  const { user } = useSession()
  if (user && isStaff(user.role)) return <Watched>{children}</Watched>
  return (
    <AccessDenied text="You don't have permission to access the admin panel.">
      <LinkButton icon={LayoutDashboard} to="/dashboard">
        Return to Dashboard
      </LinkButton>
    </AccessDenied>
  )
}

/** The panel. Once a call of it was refused, who is signed in is asked, and the door shows that. */
function Watched({ children }: { readonly children: ReactNode }) {
  const queryClient = useQueryClient()
  useEffect(() => {
    const look = ({ action }: { type: string; action?: { type: string; error?: unknown } }) => {
      if (action?.type === 'error' && endsAccess(action.error)) askAgain()
    }
    const stops = [
      queryClient.getQueryCache().subscribe(look),
      queryClient.getMutationCache().subscribe(look),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [queryClient])
  return children
}

function AccessDenied({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <div className="grid min-h-[60dvh] place-content-center justify-items-center gap-3 text-center">
      <ShieldX strokeWidth={1.5} className="size-16 text-danger" />
      <h1 tabIndex={-1} className="text-3xl">
        Access Denied
      </h1>
      <p className="mb-4 text-lg text-muted">{text}</p>
      {children}
    </div>
  )
}

/** The session is gone, or the role is; other refusals of staff have codes of their own. */
export function endsAccess(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 401 || (error.status === 403 && error.code === 'forbidden')
}

/**
 * The screen for those who are signed in; a spinner until that is known; for others the site root.
 */
export function SignedIn({ children }: { readonly children: ReactNode }) {
  const session = useSession()
  if (session.status === 'loading') return <SpinnerPage />
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
          : 'This screen will load once you are back online. Your packs and prizes are safe.'
      }
      error={error}
      onRetry={askAgain}
    />
  )
}
