// For addresses that lead nowhere.

import { House } from 'lucide-react'
import { LinkButton } from '../ui/form/link-button.tsx'

export function NotFoundScreen() {
  return (
    <div className="grid min-h-[60dvh] place-content-center justify-items-center gap-3 text-center">
      <img src="/art/not-found.svg" alt="" width={320} height={240} className="h-auto max-w-full" />
      <p className="font-display text-lg font-semibold text-muted">404</p>
      <h1 tabIndex={-1} className="text-3xl">
        Page Not Found
      </h1>
      <p className="mb-4 max-w-prose text-lg text-muted">There is nothing at this address.</p>
      <LinkButton to="/">
        <House aria-hidden="true" />
        Back to the start
      </LinkButton>
    </div>
  )
}
