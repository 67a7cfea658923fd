// A search box that offers what may be meant while one types: arrows choose, Enter takes, Escape
// closes.

import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { cn } from '../../lib/class-names.ts'
import { Field, type FieldProps, verbatim } from './text-field.tsx'

export interface Suggestion {
  readonly id: string | number
  readonly content: ReactNode
}

export interface SuggestFieldProps extends Omit<FieldProps, 'children'> {
  readonly value: string
  readonly onChange: (value: string) => void
  /** At most as many as should show, and only while they were found for the text that is there. */
  readonly suggestions: readonly Suggestion[]
  readonly onPick: (suggestion: Suggestion) => void
  /** Enter while no suggestion is chosen. */
  readonly onSubmit?: () => void
  /** How long after the field has lost the focus the list closes, in milliseconds. */
  readonly closeDelayMs: number
  readonly placeholder?: string
  readonly fieldRef?: Ref<HTMLInputElement>
}

/** The list stays open while it is pressed itself, so that its closing never eats a press. */
function useListOpen(closeDelayMs: number) {
  const [isOpen, setOpen] = useState(false)
  const timer = useRef<number>(undefined)
  useEffect(() => () => window.clearTimeout(timer.current), [])
  return {
    isOpen,
    open: () => {
      window.clearTimeout(timer.current)
      setOpen(true)
    },
    close: () => {
      window.clearTimeout(timer.current)
      setOpen(false)
    },
    closeLater: () => {
      window.clearTimeout(timer.current)
      timer.current = window.setTimeout(setOpen, closeDelayMs, false)
    },
  }
}

export function SuggestField(props: SuggestFieldProps) {
  const { value, onChange, suggestions, onPick, onSubmit, placeholder, fieldRef } = props
  const { label, hint, error, isLabelHidden, className } = props
  const listId = useId()
  const list = useListOpen(props.closeDelayMs)
  const [active, setActive] = useState(-1)
  const chosen = Math.min(active, suggestions.length - 1)
  const isShown = list.isOpen && suggestions.length > 0

  const pick = (suggestion: Suggestion) => {
    list.close()
    setActive(-1)
    onPick(suggestion)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, keyCode, nativeEvent } = event
    // The key belongs to a word that is still being composed; Safari says so by its code alone.
    if (nativeEvent.isComposing || keyCode === 229) return
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      list.open()
      const step = key === 'ArrowDown' ? 1 : -1
      const count = suggestions.length + 1
      setActive(((chosen + 1 + step + count) % count) - 1)
    } else if (key === 'Enter') {
      event.preventDefault()
      const suggestion = isShown ? suggestions[chosen] : undefined
      if (suggestion) return pick(suggestion)
      list.close()
      onSubmit?.()
    } else if (key === 'Escape' && isShown) {
      event.preventDefault()
      event.stopPropagation()
      list.close()
      setActive(-1)
    }
  }
  return (
    <Field {...{ label, hint, error, isLabelHidden }} className={cn('relative', className)}>
      {(control) => (
        <>
          <input
            {...control}
            ref={fieldRef}
            type="text"
            role="combobox"
            aria-expanded={isShown}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={isShown && chosen >= 0 ? `${listId}-${chosen}` : undefined}
            {...verbatim}
            placeholder={placeholder}
            value={value}
            onChange={(event) => {
              onChange(event.target.value)
              setActive(-1)
              list.open()
            }}
            onFocus={list.open}
            onBlur={list.closeLater}
            onKeyDown={onKeyDown}
            className="input"
          />
          <div
            id={listId}
            role="listbox"
            aria-label="Suggestions"
            hidden={!isShown}
            className="card on-card absolute inset-x-0 top-full z-20 mt-1 bg-surface p-1 shadow-[0_12px_32px_-8px_rgb(0_0_0/60%)]"
          >
            {suggestions.map((suggestion, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys
              <div
                key={suggestion.id}
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === chosen}
                // The press must not take the focus out of the field.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => pick(suggestion)}
                className={cn(
                  'flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5',
                  index === chosen
                    ? 'bg-accent-graphic/15 [&_.text-muted]:text-ink'
                    : 'hover:bg-raised',
                )}
              >
                {suggestion.content}
              </div>
            ))}
          </div>
        </>
      )}
    </Field>
  )
}
