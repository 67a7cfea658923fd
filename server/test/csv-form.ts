// A form with a CSV file, as a browser sends it.

import { formBody } from './forms.ts'

export interface CsvForm {
  readonly field?: string
  readonly fileName?: string
  /** Text fields beside the file. */
  readonly fields?: Readonly<Record<string, string>>
}

/** Body and content type of a form; without a text the form has no file. */
export function csvForm(
  text: string | Buffer | undefined,
  { field = 'file', fileName = 'names.csv', fields = {} }: CsvForm = {},
): { payload: Buffer; headers: Record<string, string> } {
  const texts = Object.entries(fields).map(([name, value]) => ({ name, value }))
  const file = { name: field, fileName, type: 'text/csv' }
  const { body, headers } = formBody(
    text === undefined ? texts : [...texts, { ...file, value: text }],
  )
  return { payload: body, headers }
}
