// On or off, at once.

import { Switch } from 'radix-ui'
import { type ReactNode, useId } from 'react'

export interface SwitchFieldProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly disabled?: boolean
  readonly name?: string
}

export function SwitchField({ label, hint, isOn, onChange, disabled, name }: SwitchFieldProps) {
  const id = useId()
  return (
    <div className="flex min-h-11 items-center justify-between gap-4">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
      <Switch.Root
        id={id}
        name={name}
        checked={isOn}
        onCheckedChange={onChange}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="group relative h-8 w-14 flex-none rounded-full border border-control bg-surface transition-colors before:absolute before:-inset-2 disabled:cursor-not-allowed disabled:opacity-60 data-[state=checked]:border-secondary-graphic data-[state=checked]:bg-secondary"
      >
        <Switch.Thumb className="block size-6 translate-x-0.5 rounded-full bg-control transition-transform data-[state=checked]:translate-x-6.5 data-[state=checked]:bg-secondary-label" />
      </Switch.Root>
    </div>
  )
}
