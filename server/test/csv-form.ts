// A form with a CSV file, as a browser sends it.

export interface CsvForm {
  readonly field?: string
  readonly fileName?: string | undefined
  /** Text fields beside the file. */
  readonly fields?: Readonly<Record<string, string>>
}

/** Body and content type of a form; without a text the form has no file. */
export function csvForm(
  text: string | Buffer | undefined,
  { field = 'file', fileName = 'names.csv', fields = {} }: CsvForm = {},
): { payload: Buffer; headers: Record<string, string> } {
  const edge = 'redpack-form-edge'
  const part = (head: string, body: string | Buffer) => [
    Buffer.from(`--${edge}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ]
  const texts = Object.entries(fields).flatMap(([name, value]) => part(`name="${name}"`, value))
  const head = `name="${field}"; filename="${fileName}"\r\nContent-Type: text/csv`
  const file = text === undefined ? [] : part(head, text)
  return {
    payload: Buffer.concat([...texts, ...file, Buffer.from(`--${edge}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${edge}` },
  }
}
