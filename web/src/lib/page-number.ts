// The page of a list that an address names.

/** A whole number from 1 on; 1 for anything else. Routes have read it from the address already. */
export function pageNumberOf(page: unknown): number {
  return Number.isSafeInteger(page) ? Math.max(1, Number(page)) : 1
}
