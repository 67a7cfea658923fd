// Where a client seed is typed or made anew.

import { Shuffle } from 'lucide-react'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { randomClientSeed } from './random-seed.ts'

export interface ClientSeedFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (seed: string) => void
  readonly error: string | undefined
  readonly disabled?: boolean
}

export function ClientSeedField({ label, value, onChange, error, disabled }: ClientSeedFieldProps) {
  return (
    <TextField
      label={label}
      hint='1 to 64 letters, digits or signs, without ":"'
      error={error}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      disabled={disabled}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      className="font-mono text-sm"
      end={
        <IconButton
          tone="secondary"
          label="Make a random seed"
          disabled={disabled}
          onClick={() => onChange(randomClientSeed())}
        >
          <Shuffle aria-hidden="true" />
        </IconButton>
      }
    />
  )
}
