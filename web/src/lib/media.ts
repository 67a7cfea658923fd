// What a media query says of the window, as long as somebody looks.

import { useCallback, useSyncExternalStore } from 'react'

/** Whether the query holds; false where the browser cannot tell. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia?.(query)
      media?.addEventListener('change', listener)
      return () => media?.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia?.(query)?.matches ?? false)
}
