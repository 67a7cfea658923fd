// Spreads what is heavy to draw over frames, so that no single one of them takes long.

import { useCallback, useEffect, useState } from 'react'

/** A hidden tab paints nothing: what waits for it is drawn after this time, in milliseconds. */
const hiddenTabMs = 100

/**
 * Runs something in a task of its own once the next frame was painted.
 * @returns a function that keeps it from running
 */
export function afterPaint(run: () => void): () => void {
  let frame = 0
  let timer = setTimeout(() => {
    cancelAnimationFrame(frame)
    run()
  }, hiddenTabMs)
  frame = requestAnimationFrame(() => {
    clearTimeout(timer)
    // A task of its own: the frame that was asked for is painted before it.
    timer = setTimeout(run)
  })
  return () => {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
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
 * out once; asking for a size any earlier would put that layout on top of the rendering.
 * @param start answers what ends it
 * @returns a function that ends it, or keeps it from starting
 */
export function inFirstFrame(start: () => () => void): () => void {
  let end: (() => void) | undefined
  const frame = requestAnimationFrame(() => {
    end = start()
  })
  return () => {
    cancelAnimationFrame(frame)
    end?.()
  }
}

/** `inFirstFrame` for components: what fails there fails the component, as if while rendering. */
export function useFirstFrame(): typeof inFirstFrame {
  const [, raise] = useState(null)
  return useCallback(
    (start) =>
      inFirstFrame(() => {
        try {
          return start()
        } catch (error) {
          raise(() => {
            throw error
          })
          return () => undefined
        }
      }),
    [],
  )
}
