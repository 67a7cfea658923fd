// A colour: typed as hex or by name, or picked; what was typed is shown as hex at once.

import type { Ref } from 'react'
import { cn } from '../../lib/class-names.ts'
import { buttonLook } from './button.tsx'
import { entered, TextField, verbatim } from './text-field.tsx'

/** What the picker starts from where the text is no colour. */
const black = '#000000'

/** The browser's picker, as a round swatch in a button. */
const swatch =
  'size-6 appearance-none rounded-full border border-control bg-transparent p-0 outline-none [&::-moz-color-swatch]:rounded-full [&::-moz-color-swatch]:border-none [&::-webkit-color-swatch]:rounded-full [&::-webkit-color-swatch]:border-none [&::-webkit-color-swatch-wrapper]:p-0'

/** As the browser's picker wants a colour of 3, 6 or 8 digits. */
function sixDigits(hex: string): string {
  const digits = hex.length < 7 ? hex.replace(/\w/g, '$&$&') : hex
  return digits.slice(0, 7).toLowerCase()
}

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

/** The browser's own picker, which every keyboard, reader and phone knows, beside the text. */
export function ColorField(props: ColorFieldProps) {
  const { label, value, onChange, hexOf, hint, inputRef, ...rest } = props
  const hex = hexOf(value)
  const isNamed = hex !== undefined && hex.toLowerCase() !== value.trim().toLowerCase()
  return (
    <TextField
      {...rest}
      ref={inputRef}
      label={label}
      {...entered(value, onChange)}
      {...verbatim}
      hint={isNamed ? `Shown as ${hex}` : hint}
      end={
        <label
          className={cn(
            buttonLook({ tone: 'secondary' }),
            'focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-ring',
          )}
        >
          <input
            type="color"
            aria-label={`Pick ${label.toLowerCase()}`}
            value={sixDigits(hex ?? black)}
            onChange={(event) => onChange(event.target.value.toUpperCase())}
            className={swatch}
          />
          Pick
        </label>
      }
    />
  )
}
