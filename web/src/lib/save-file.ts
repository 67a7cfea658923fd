// Hands data to the browser as a file to keep.

/** What the browser reads after the click; it has long begun by then. */
const readMs = 60_000

export function saveJson(name: string, content: unknown): void {
  saveText(name, `${JSON.stringify(content, null, 2)}\n`, 'application/json')
}

export function saveText(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  saveFile(address, name)
  setTimeout(() => URL.revokeObjectURL(address), readMs)
}

/** Lets the browser keep what an address answers; the server names the file where nobody does. */
export function saveFile(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
