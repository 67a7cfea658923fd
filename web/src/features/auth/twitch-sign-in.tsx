// Starts the sign-in with Twitch by leaving the page.

import { authContract } from '@redpack/contract'
import type { ReactNode } from 'react'
import { visitHint } from '../../lib/visit-hint.ts'
import { Button, type ButtonProps } from '../../ui/button.tsx'
import { TwitchMark } from './twitch-mark.tsx'

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
      <TwitchMark />
      {children}
    </Button>
  )
}
