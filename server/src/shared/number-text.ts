// Numbers as people read them in the product's sentences.

const english = new Intl.NumberFormat('en')

/** The number with thousands separators: `12,345`. At most three decimals. */
export function numberText(value: number | bigint): string {
  return english.format(value)
}
