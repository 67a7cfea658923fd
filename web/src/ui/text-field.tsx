// One line or several of text, with label, hint and error.

import type { ComponentPropsWithRef, ReactNode } from 'react'
import { cn } from '../lib/class-names.ts'
import { Field, type FieldProps } from './field.tsx'

type Labelling = Omit<FieldProps, 'children' | 'className'>

export interface TextFieldProps
  extends Labelling,
    Omit<ComponentPropsWithRef<'input'>, 'id' | 'children'> {
  readonly fieldClassName?: string
  /** Stands at the end inside the field's row, for example a button. */
  readonly end?: ReactNode
}

export function TextField({
  label,
  hint,
  error,
  isLabelHidden,
  fieldClassName,
  className,
  end,
  ...rest
}: TextFieldProps) {
  return (
    <Field {...{ label, hint, error, isLabelHidden }} className={fieldClassName}>
      {(control) => (
        <div className="flex gap-2">
          <input {...rest} {...control} className={cn('input', className)} />
          {end}
        </div>
      )}
    </Field>
  )
}

export interface TextAreaFieldProps
  extends Labelling,
    Omit<ComponentPropsWithRef<'textarea'>, 'id' | 'children'> {
  readonly fieldClassName?: string
}

export function TextAreaField({
  label,
  hint,
  error,
  isLabelHidden,
  fieldClassName,
  className,
  ...rest
}: TextAreaFieldProps) {
  return (
    <Field {...{ label, hint, error, isLabelHidden }} className={fieldClassName}>
      {(control) => <textarea {...rest} {...control} className={cn('input', className)} />}
    </Field>
  )
}
