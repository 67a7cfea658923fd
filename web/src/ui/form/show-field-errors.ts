// The server's sentences on a form, each at the field it is about.

import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { ApiError } from '../../lib/api-error.ts'

export function showFieldErrors<Draft extends FieldValues, Request>(
  form: UseFormReturn<Draft, unknown, Request>,
  fields: readonly Path<Draft>[],
  error: unknown,
): void {
  if (!(error instanceof ApiError)) return
  for (const field of fields) {
    if (error.fields[field]) form.setError(field, { message: error.fields[field] })
  }
}
