// The first screen: what this is, and the two ways in.

import { getRouteApi, Navigate, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { TwitchSignIn } from '../features/account/twitch-sign-in.tsx'
import { SessionUnknown } from '../features/session/gates.tsx'
import { useSession } from '../features/session/queries.ts'
import { brand } from '../lib/brand.ts'
import { visitHint } from '../lib/visit-hint.ts'
import { Spinner, SpinnerPage } from '../ui/feedback/spinner.tsx'
import { toast } from '../ui/feedback/toast.ts'
import { Button, LinkButton } from '../ui/form/button.tsx'

const reasons: Readonly<Record<string, string>> = {
  denied: 'You did not allow the login. Nothing was changed.',
  state: 'The login took too long or was started in another tab. Please try again.',
  provider: 'The login could not be completed. Please try again in a moment.',
  not_configured: 'This login is not set up on this server.',
}

const landingRoute = getRouteApi('/')

const LocalSignIn = lazy(async () => ({
  default: (await import('../features/account/local-sign-in.tsx')).LocalSignIn,
}))

/**
 * Signed in, this is only the way to the dashboard. Its first view stands as static markup in the
 * page itself, so that it is there before any script; both must stay the same.
 */
export function LandingScreen() {
  const session = useSession()
  const [isAdmin, setAdmin] = useState(false)
  useSignInError()

  if (session.status === 'authenticated' && !isAdmin) return <Navigate to="/dashboard" replace />
  // Somebody signed in may have opened this, as the installed application does without a network.
  const mayBeSignedIn = visitHint.isSet() && !isAdmin
  if (mayBeSignedIn && session.status === 'loading') return <SpinnerPage />
  return (
    <Hero
      isWaiting={session.status === 'loading'}
      isFootShown={!isAdmin}
      onAdmin={() => setAdmin(true)}
    >
      {isAdmin ? (
        <Suspense fallback={<Spinner className="text-3xl" />}>
          <LocalSignIn onDone={() => setAdmin(false)} />
        </Suspense>
      ) : (
        mayBeSignedIn && session.error && <SessionUnknown error={session.error} />
      )}
    </Hero>
  )
}

interface HeroProps {
  /** True while it is not known yet whether someone is signed in. */
  readonly isWaiting: boolean
  readonly isFootShown: boolean
  readonly onAdmin: () => void
  /** Stands in place of the invitation. */
  readonly children: ReactNode
}

function Hero({ isWaiting, isFootShown, onAdmin, children }: HeroProps) {
  return (
    <div className="hero">
      <div className="hero-words">
        <img src="/art/brand-mark.svg" alt="" width={72} height={72} className="hero-mark" />
        {children || (
          <>
            <h1 className="hero-title" tabIndex={-1}>
              {brand.name}
            </h1>
            <p className="hero-tagline">
              Open digital packs, collect amazing prizes, and experience the thrill of winning.
              Connect with your Twitch account to get started!
            </p>
            <div className="hero-action">
              <TwitchSignIn size="large">Login with Twitch</TwitchSignIn>
              <span role="status" className="hero-wait">
                {isWaiting && (
                  <>
                    <Spinner />
                    <span className="sr-only">Loading</span>
                  </>
                )}
              </span>
            </div>
            <nav aria-label="Without an account" className="hero-links">
              <LinkButton to="/leaderboard" tone="ghost">
                Leaderboard
              </LinkButton>
              <LinkButton to="/fairness" tone="ghost">
                Fairness
              </LinkButton>
            </nav>
          </>
        )}
        {isFootShown && (
          <div className="hero-foot">
            <Button tone="faint" onClick={onAdmin}>
              System Access
            </Button>
          </div>
        )}
      </div>
      <div className="hero-picture">
        <img src="/art/hero.svg" alt="" width={960} height={720} fetchPriority="high" />
      </div>
    </div>
  )
}

/**
 * Says why a sign-in came back without a session, once, where it knows the reason, and takes that
 * out of the address.
 */
function useSignInError(): void {
  const { authError } = landingRoute.useSearch()
  const navigate = useNavigate()
  useEffect(() => {
    if (!authError) return
    visitHint.set(false)
    const description = Object.hasOwn(reasons, authError) ? reasons[authError] : undefined
    if (description) toast({ title: 'Login failed', description, variant: 'destructive' })
    navigate({ to: '/', search: {}, replace: true }).catch(() => undefined)
  }, [authError, navigate])
}
