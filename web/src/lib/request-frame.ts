// Frames of the browser, for what moves. Nothing may depend on one: a browser can refuse it.

import { logFailure } from './log.ts'

/**
 * Runs something in the next frame, or `otherwise` at once where none can be had.
 * @returns a function that takes it back
 */
export function requestFrame(run: FrameRequestCallback, otherwise?: () => void): () => void {
  try {
    const frame = requestAnimationFrame(run)
    return () => cancelAnimationFrame(frame)
  } catch (error) {
    logFailure('No frame could be had', error)
    otherwise?.()
    return () => undefined
  }
}
