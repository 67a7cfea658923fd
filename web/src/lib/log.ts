// The one place where the browser's part writes to the console.

/** Notes a failure that the person using the page cannot act on. */
export function logFailure(what: string, cause: unknown): void {
  // biome-ignore lint/suspicious/noConsole: this is where failures without a place on screen go
  console.warn(what, cause)
}
