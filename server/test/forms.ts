// Multipart forms as a browser sends them.

export interface FormPart {
  readonly name: string
  readonly value: string | Buffer
  /** Makes the part a file. */
  readonly fileName?: string
  readonly type?: string
}

export const boundary = 'formBoundaryOfTests'

/** Body and header of a form with these parts. */
export function formBody(parts: readonly FormPart[]): {
  body: Buffer
  headers: Record<string, string>
} {
  const pieces = parts.flatMap(({ name, value, fileName, type }) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"` +
        (fileName === undefined ? '' : `; filename="${fileName}"`) +
        (type === undefined ? '' : `\r\ncontent-type: ${type}`) +
        '\r\n\r\n',
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ])
  return {
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}
