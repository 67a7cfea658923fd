// A colour: typed as hex or by name, or picked; what was typed is shown as hex at once.

import { type Ref, useId, useState } from 'react'
import { Button } from './button.tsx'
import { ColorPicker } from './color-picker.tsx'
import { TextField } from './text-field.tsx'

export interface ColorFieldProps {
  readonly label: string
  readonly name?: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onFocus?: () => void
  readonly onBlur?: () => void
  /** The hex that a text stands for, or undefined when it stands for none. */
  readonly hexOf: (typed: string) => string | undefined
  readonly hint?: string
  readonly error?: string
  readonly inputRef?: Ref<HTMLInputElement>
}

export function ColorField(props: ColorFieldProps) {
  const { label, name, value, onChange, onFocus, onBlur, hexOf, hint, error, inputRef } = props
  const [isPicking, setPicking] = useState(false)
  const pickerId = useId()
  const hex = hexOf(value)
  const isNamed = hex !== undefined && hex.toLowerCase() !== value.trim().toLowerCase()
  return (
    <div className="grid gap-3">
      <TextField
        ref={inputRef}
        label={label}
        name={name}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onFocus={onFocus}
        onBlur={onBlur}
        autoComplete="off"
        spellCheck={false}
        hint={isNamed ? `Shown as ${hex}` : hint}
        error={error}
        end={
          <Button
            tone="secondary"
            aria-label={`Pick ${label.toLowerCase()}`}
            aria-expanded={isPicking}
            aria-controls={isPicking ? pickerId : undefined}
            onClick={() => setPicking(!isPicking)}
            className="flex-none"
          >
            <span
              aria-hidden="true"
              className="size-6 rounded-full border border-control"
              style={{ backgroundColor: hex ?? 'transparent' }}
            />
            Pick
          </Button>
        }
      />
      {isPicking && (
        <div id={pickerId}>
          <ColorPicker label={label} color={hex ?? ''} onChange={onChange} />
        </div>
      )}
    </div>
  )
}
