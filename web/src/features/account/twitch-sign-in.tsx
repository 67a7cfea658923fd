// Starts the sign-in with Twitch by leaving the page.

import { authContract } from '@redpack/contract'
import type { ReactNode } from 'react'
import { visitHint } from '../../lib/visit-hint.ts'
import { Button, type ButtonProps } from '../../ui/form/button.tsx'

export interface TwitchSignInProps extends Pick<ButtonProps, 'size' | 'className'> {
  readonly children: ReactNode
}

export function TwitchSignIn({ size, className, children }: TwitchSignInProps) {
  const start = () => {
    // On the way back the page waits for the session instead of inviting again.
    visitHint.set(true)
    window.location.assign(authContract.twitch.path)
  }
  return (
    <Button tone="twitch" size={size} className={className} onClick={start}>
      {/* A speech bubble with two strokes, beside the word Twitch. */}
      <svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2">
        <path d="M4 3h16v11l-5 5h-4l-3 3v-3H4z" strokeLinejoin="round" />
        <path d="M10.5 8v4.5M15.5 8v4.5" strokeLinecap="round" />
      </svg>
      {children}
    </Button>
  )
}
