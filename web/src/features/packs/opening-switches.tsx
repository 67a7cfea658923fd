// The switches of the opening modal: sound with vibration, and less motion.

import { Volume2, VolumeX, Zap, ZapOff } from 'lucide-react'
import { IconButton } from '../../ui/form/icon-button.tsx'
import { canVibrate } from './opening-haptics.ts'
import { useReducedMotion, useSound } from './opening-preferences.ts'

export function OpeningSwitches() {
  const [isSoundOn, setSoundOn] = useSound()
  const { isReduced, isFixed, setReduced } = useReducedMotion()
  return (
    <div className="opening-switches">
      <IconButton
        label={canVibrate() ? 'Sound and vibration' : 'Sound'}
        aria-pressed={isSoundOn}
        onClick={() => setSoundOn(!isSoundOn)}
      >
        {isSoundOn ? <Volume2 aria-hidden="true" /> : <VolumeX aria-hidden="true" />}
      </IconButton>
      {!isFixed && (
        <IconButton
          label="Reduce motion"
          aria-pressed={isReduced}
          onClick={() => setReduced(!isReduced)}
        >
          {isReduced ? <ZapOff aria-hidden="true" /> : <Zap aria-hidden="true" />}
        </IconButton>
      )}
    </div>
  )
}
