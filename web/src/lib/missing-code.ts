// Code of the page that is not there any more, or cannot be reached.

/** What browsers say when code could not be fetched; each has its own words. */
const missingCode =
  /dynamically imported module|importing a module script failed|unable to preload/i

export function isMissingCode(error: unknown): boolean {
  return error instanceof Error && missingCode.test(error.message)
}
