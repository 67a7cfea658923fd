// A whole number: typed, or stepped by two buttons.

import { Minus, Plus } from 'lucide-react'
import type { ComponentPropsWithRef } from 'react'
import { cn } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { IconButton } from './button.tsx'
import { apart, Field, type FieldAround } from './text-field.tsx'

export interface NumberFieldProps
  extends FieldAround,
    Omit<
      ComponentPropsWithRef<'input'>,
      'id' | 'type' | 'value' | 'onChange' | 'children' | 'min' | 'max' | 'step'
    > {
  /** Null while the field is empty. */
  readonly value: number | null
  readonly onChange: (value: number | null) => void
  readonly min?: number
  readonly max?: number
  readonly step?: number
  /** What is counted, for the labels of the two buttons, for example 'packs'. */
  readonly unit?: string
}

function clamp(value: number, min: number | undefined, max: number | undefined): number {
  const atLeast = min === undefined ? value : Math.max(min, value)
  return max === undefined ? atLeast : Math.min(Math.max(min ?? max, max), atLeast)
}

/** In a whole number these are no decimals: `10.000` means 10000, and would be cut to 10. */
const thousands = /^-?[1-9]\d{0,2}\.\d{3}$/

/**
 * What is typed is passed on as it is, also outside of the bounds; the two buttons stay within
 * them.
 */
export function NumberField(props: NumberFieldProps) {
  const [field, control] = apart(props)
  const { value, onChange, min, max, step = 1, unit = '', disabled, className, ...rest } = control
  // The browser writes the number without separators.
  const grouped = (value ?? 0) >= 10_000 ? formatNumber(value ?? 0) : undefined
  const stepTo = (change: number) => onChange(clamp((value ?? 0) + change, min, max))
  const stepper = (name: string, change: number, isAtEnd: boolean) => (
    <IconButton
      tone="secondary"
      className="flex-none"
      label={`${name} ${unit}`.trim()}
      disabled={disabled}
      isOff={isAtEnd}
      onClick={() => stepTo(change)}
      icon={change < 0 ? Minus : Plus}
    />
  )
  return (
    <Field {...field} hint={field.hint ?? grouped}>
      {(tied) => (
        <div className="flex gap-2">
          {stepper('Fewer', -step, value !== null && min !== undefined && value <= min)}
          <input
            {...rest}
            {...tied}
            type="number"
            inputMode="numeric"
            min={min}
            max={max}
            step={step}
            disabled={disabled}
            value={value ?? ''}
            onChange={({ target }) => {
              const isGrouped = thousands.test(target.value)
              const typed = isGrouped ? Number(target.value.replace('.', '')) : target.valueAsNumber
              onChange(Number.isNaN(typed) ? null : typed)
            }}
            className={cn('input number-input', className)}
          />
          {stepper('More', step, value !== null && max !== undefined && value >= max)}
        </div>
      )}
    </Field>
  )
}
