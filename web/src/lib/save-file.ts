// Hands data to the browser as a file to keep.

export function saveJson(name: string, content: unknown): void {
  const file = new Blob([`${JSON.stringify(content, null, 2)}\n`], { type: 'application/json' })
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser reads the file after the click; it has long begun by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
