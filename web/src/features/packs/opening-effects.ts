// Plays sound and vibration of an opening together, as long as the player wants them.

import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { createOpeningHaptics } from './opening-haptics.ts'
import { createOpeningSound } from './opening-sound.ts'
import type { OutcomeKind } from './outcome.ts'
import type { Rarity } from './rarity.ts'

export interface OpeningEffects {
  /** Plays the opening step, from a later moment when the player has torn the pack. */
  playOpening(fromMs?: number): void
  playReveal(kind: OutcomeKind, rarity?: Rarity): void
}

interface Player extends OpeningEffects {
  stop(): void
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/**
 * Sound in the key of `hue` and, on Android, vibration. Silent while `isWanted` is false and while
 * the tab is hidden; either stops at once what is playing.
 */
export function useOpeningEffects(isWanted: boolean, hue: number): OpeningEffects {
  const isHidden = useSyncExternalStore(onVisibility, () => document.hidden)
  const isOn = isWanted && !isHidden
  const players = useRef<readonly Player[]>([])

  useEffect(() => {
    if (!isOn) return
    players.current = [createOpeningSound(hue), createOpeningHaptics()].filter(
      (player) => player !== null,
    )
    return () => {
      for (const player of players.current) player.stop()
      players.current = []
    }
  }, [isOn, hue])

  return useMemo(
    () => ({
      playOpening: (fromMs) => {
        for (const player of players.current) player.playOpening(fromMs)
      },
      playReveal: (kind, rarity) => {
        for (const player of players.current) player.playReveal(kind, rarity)
      },
    }),
    [],
  )
}
