// A labelled place in a form, and one line or several of text in it.

import { CircleAlert } from 'lucide-react'
import { type ComponentPropsWithRef, type FormEvent, type ReactNode, useId } from 'react'
import { cn } from '../../lib/class-names.ts'

export interface FormProps extends Omit<ComponentPropsWithRef<'form'>, 'onSubmit'> {
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => unknown
}

/** A form whose page stays: the app sends what is entered. */
export function Form({ onSubmit, ...rest }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit(event)
  }
  return <form {...rest} onSubmit={submit} />
}

/** What is typed as it is: a name, an address, a key. The browser neither offers nor mends it. */
export const verbatim = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
} as const

/** A text that is held elsewhere, for any field: spread over it. */
export function entered(value: string, onChange: (value: string) => void) {
  return {
    value,
    onChange: (event: { readonly target: { readonly value: string } }) =>
      onChange(event.target.value),
  }
}

/** What a field says around its control. */
export interface FieldAround extends Omit<FieldProps, 'children' | 'className'> {
  readonly fieldClassName?: string | undefined
}

/** The props of a field, and those of the control in it. */
export function apart<Props extends FieldAround>(props: Props) {
  const { label, hint, error, isLabelHidden, fieldClassName, ...control } = props
  return [{ label, hint, error, isLabelHidden, className: fieldClassName }, control] as const
}

export interface TextFieldProps
  extends FieldAround,
    Omit<ComponentPropsWithRef<'input'>, 'id' | 'children'> {
  /** Stands at the end inside the field's row, for example a button. */
  readonly end?: ReactNode
}

export function TextField(props: TextFieldProps) {
  const [field, { className, end, ...rest }] = apart(props)
  return (
    <Field {...field}>
      {(control) => (
        <div className="flex gap-2">
          <input {...rest} {...control} className={cn('input', className)} />
          {end}
        </div>
      )}
    </Field>
  )
}

interface TextAreaFieldProps
  extends FieldAround,
    Omit<ComponentPropsWithRef<'textarea'>, 'id' | 'children'> {}

export function TextAreaField(props: TextAreaFieldProps) {
  const [field, { className, ...rest }] = apart(props)
  return (
    <Field {...field}>
      {(control) => <textarea {...rest} {...control} className={cn('input', className)} />}
    </Field>
  )
}

/** What ties a control to its label, hint and error. */
export interface ControlProps {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

export interface FieldProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  /** Sentence of the rule that is broken. */
  readonly error?: string | undefined
  /** True keeps the label for those who do not see it. */
  readonly isLabelHidden?: boolean | undefined
  readonly className?: string | undefined
  readonly children: (control: ControlProps) => ReactNode
}

export function Field({ label, hint, error, isLabelHidden, className, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const describedBy = cn(hint !== undefined && hintId, error && errorId) || undefined
  return (
    <div className={cn('min-w-0', className)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1.5 block font-medium'}>
        {label}
      </label>
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined })}
      {hint !== undefined && (
        <p id={hintId} className="mt-1.5 text-sm text-muted">
          {hint}
        </p>
      )}
      <p
        id={errorId}
        role="alert"
        className={cn(error && 'mt-1.5 flex gap-1.5 text-sm text-danger')}
      >
        {error && (
          <>
            <CircleAlert className="mt-0.5 size-4 flex-none" />
            {error}
          </>
        )}
      </p>
    </div>
  )
}
