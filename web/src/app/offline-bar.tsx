// Says when the device has no network; what is on screen stays.

import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

export function OfflineBar() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status">
      {!isOnline && (
        <p className="flex items-center justify-center gap-2 bg-accent px-4 py-2 text-center font-semibold text-accent-label">
          <WifiOff aria-hidden="true" className="size-5 flex-none" />
          You are offline. What you see may be out of date.
        </p>
      )}
    </div>
  )
}
