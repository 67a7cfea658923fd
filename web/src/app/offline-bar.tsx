// Says when the device has no network; what is on screen stays.

import { WifiOff } from 'lucide-react'
import { useOnline } from '../lib/online.ts'

export function OfflineBar() {
  const isOnline = useOnline()
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
