// Ticks and switches with their labels, and ticks that belong together.

import { Switch } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import { cn } from '../../lib/class-names.ts'
import { Button } from './button.tsx'

export interface CheckboxFieldProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly disabled?: boolean
  readonly className?: string
}

export function CheckboxField(props: CheckboxFieldProps) {
  const { label, hint, isOn, onChange, disabled, className } = props
  const id = useId()
  return (
    <div className={cn('flex min-h-11 items-center gap-3', className)}>
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="tick relative size-6 after:absolute after:-inset-2.5"
      />
      <ToggleLabel {...{ id, label, hint }} />
    </div>
  )
}

export interface CheckboxGroupProps<V extends string | number> {
  readonly label: string
  readonly choices: readonly { readonly value: V; readonly label: ReactNode }[]
  readonly values: readonly V[]
  readonly onChange: (values: V[]) => void
  /** Stands in place of the ticks when there is nothing to choose from. */
  readonly empty: ReactNode
  /** Stands under the ticks, for example what is wrong with them. */
  readonly children?: ReactNode
}

/** Values keep the order of the choices; values that are no choice any more are kept as well. */
export function CheckboxGroup<V extends string | number>(props: CheckboxGroupProps<V>) {
  const { label, choices, values, onChange, empty, children } = props
  const isWhole = choices.every(({ value }) => values.includes(value))
  const foreign = values.filter((value) => choices.every((choice) => choice.value !== value))
  const toggle = (toggled: V, isOn: boolean) => {
    const kept = choices.map(({ value }) => value)
    onChange([
      ...foreign,
      ...kept.filter((value) => (value === toggled ? isOn : values.includes(value))),
    ])
  }
  return (
    <fieldset className="min-w-0">
      <div className="-mt-2.5 flex min-h-11 flex-wrap items-center justify-between gap-x-4">
        <legend className="float-start font-medium">{label}</legend>
        {choices.length > 1 && (
          <Button
            tone="faint"
            onClick={() =>
              onChange([...foreign, ...(isWhole ? [] : choices.map(({ value }) => value))])
            }
          >
            {isWhole ? 'Select none' : 'Select all'}
          </Button>
        )}
      </div>
      {choices.length === 0 ? (
        <p className="text-muted">{empty}</p>
      ) : (
        <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,11rem),1fr))] gap-x-4">
          {choices.map((choice) => (
            <CheckboxField
              key={choice.value}
              label={choice.label}
              isOn={values.includes(choice.value)}
              onChange={(isOn) => toggle(choice.value, isOn)}
            />
          ))}
        </div>
      )}
      {children}
    </fieldset>
  )
}

/** On or off, at once. */
export function SwitchField(props: Omit<CheckboxFieldProps, 'className'>) {
  const { label, hint, isOn, onChange, disabled } = props
  const id = useId()
  return (
    <div className="flex min-h-11 items-center justify-between gap-4">
      <ToggleLabel {...{ id, label, hint }} />
      <Switch.Root
        id={id}
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

interface ToggleLabelProps {
  readonly id: string
  readonly label: ReactNode
  readonly hint: ReactNode
}

function ToggleLabel({ id, label, hint }: ToggleLabelProps) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="break-words font-medium">
        {label}
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}
