// The countries a profile can name.

import type { Choice } from '../../ui/form/select-field.tsx'

const countries: readonly Choice[] = [
  { value: 'US', label: 'United States (US)' },
  { value: 'CA', label: 'Canada (CA)' },
  { value: 'UK', label: 'United Kingdom (UK)' },
  { value: 'DE', label: 'Germany (DE)' },
  { value: 'FR', label: 'France (FR)' },
]

/** What the select shows when no country is chosen. */
export const noCountry = 'None'

/**
 * The five countries; one that the server holds beyond them stays choosable, so saving keeps it.
 */
export function countryChoices(chosen: string): readonly Choice[] {
  const isKnown = chosen === '' || countries.some(({ value }) => value === chosen)
  return isKnown ? countries : [...countries, { value: chosen, label: chosen }]
}
