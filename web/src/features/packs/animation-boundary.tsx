// Catches a picture that cannot be drawn, so that the results stay within reach.

import { Component, type ReactNode } from 'react'
import { logFailure } from '../../lib/log.ts'

interface AnimationBoundaryProps {
  readonly onFail: () => void
  readonly children: ReactNode
}

/** Draws nothing once its children have failed; give it a new key to try again. */
export class AnimationBoundary extends Component<AnimationBoundaryProps> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch(cause: unknown) {
    logFailure('The pack opening could not be drawn', cause)
    this.props.onFail()
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children
  }
}
