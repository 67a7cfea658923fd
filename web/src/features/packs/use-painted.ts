// Spreads what is heavy to draw over frames, so that no single one of them takes long.

import { useEffect, useState } from 'react'
import { logFailure } from '../../lib/log.ts'
import { requestFrame } from '../../lib/request-frame.ts'

/** A hidden tab paints nothing: what waits for it is drawn after this time, in milliseconds. */
const hiddenTabMs = 100

/**
 * Runs something in a task of its own once the next frame was painted.
 * @returns a function that keeps it from running
 */
export function afterPaint(run: () => void): () => void {
  let timer = setTimeout(() => {
    takeBack()
    run()
  }, hiddenTabMs)
  const takeBack = requestFrame(() => {
    clearTimeout(timer)
    // A task of its own: the frame that was asked for is painted before it.
    timer = setTimeout(run)
  })
  return () => {
    clearTimeout(timer)
    takeBack()
  }
}

/**
 * How many frames of the component were painted: 0 in the first render, then up to `most`. What is
 * drawn from a number on gets a frame of its own.
 */
export function usePaintedFrames(most: number): number {
  const [frames, setFrames] = useState(0)
  const isDone = frames >= most
  useEffect(() => {
    if (!isDone) return afterPaint(() => setFrames(frames + 1))
  }, [frames, isDone])
  return frames
}

/**
 * Starts what measures or animates new elements in the frame that paints them first. A frame lays
 * out once; asking for a size any earlier would put that layout on top of the rendering. Where it
 * fails the elements stand still.
 * @param start answers what ends it
 * @returns a function that ends it, or keeps it from starting
 */
export function inFirstFrame(start: () => () => void): () => void {
  let end: (() => void) | undefined
  const takeBack = requestFrame(() => {
    try {
      end = start()
    } catch (error) {
      logFailure('An animation could not be started', error)
    }
  })
  return () => {
    takeBack()
    end?.()
  }
}
