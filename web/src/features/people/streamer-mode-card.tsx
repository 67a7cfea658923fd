// The switch for those who show their screen to an audience.

import { EyeOff } from 'lucide-react'
import { streamerMode, useStreamerMode } from '../../lib/streamer-mode.ts'
import { SwitchField } from '../../ui/form/toggle-fields.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'

/** Takes effect at once, in this browser alone, until a logout. */
export function StreamerModeCard() {
  const isOn = useStreamerMode()
  return (
    <Card role="group" aria-label="Streamer Mode">
      <CardHeader title="Streamer Mode" icon={EyeOff} />
      <SwitchField
        label="Hide private details"
        hint="Hides your email, wallet, Claim IDs, delivery details and balances in this browser. Press one to show it briefly."
        isOn={isOn}
        onChange={streamerMode.set}
      />
    </Card>
  )
}
