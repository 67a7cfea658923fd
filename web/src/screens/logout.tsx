// Ends the session and says so until the page is left.

import { useQueryClient } from '@tanstack/react-query'
import { type MouseEvent, useEffect, useState } from 'react'
import { leaveFor, logOut, wayOut } from '../features/session/log-out.ts'
import { logFailure } from '../lib/log.ts'
import { Spinner } from '../ui/feedback/spinner.tsx'

/** After this time a link offers the way that the browser should have taken, in milliseconds. */
export const logoutPatienceMs = 4000

let isUnderWay = false

function takeWayOut(event: MouseEvent): void {
  event.preventDefault()
  leaveFor(wayOut)
}

export function LogoutScreen() {
  const queryClient = useQueryClient()
  const [isSlow, setSlow] = useState(false)

  useEffect(() => {
    const timer = window.setTimeout(setSlow, logoutPatienceMs, true)
    if (!isUnderWay) {
      isUnderWay = true
      logOut(queryClient)
        .catch((error) => logFailure('The logout did not finish', error))
        .finally(() => {
          isUnderWay = false
        })
    }
    return () => window.clearTimeout(timer)
  }, [queryClient])

  return (
    <div className="grid min-h-[60dvh] place-content-center justify-items-center gap-4 text-center">
      <Spinner className="text-[3rem] text-primary-graphic" />
      <h1 tabIndex={-1} role="status" className="text-2xl">
        Logging out...
      </h1>
      {isSlow && (
        <p className="text-muted">
          This is taking longer than usual.{' '}
          <a href={wayOut} onClick={takeWayOut} className="text-ink underline">
            Continue
          </a>
        </p>
      )}
    </div>
  )
}
