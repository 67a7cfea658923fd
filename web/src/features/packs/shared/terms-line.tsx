// What holds for sending a prize, in one line: until when, where to, its worth, the questions.

import { countryNames, type DeliveryTerms } from '@redpack/contract'
import { plural } from '../../../lib/format.ts'

function amountText({ amount, currency }: NonNullable<DeliveryTerms['estimatedValue']>): string {
  return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount)
}

/** Sentences without a full stop; none for a prize that goes anywhere and has no end. */
export function termsOf(terms: DeliveryTerms): string[] {
  const { deadlineDays, countries, estimatedValue, questions = [] } = terms
  return [
    ...(countries.length === 0 ? [] : [`Only sent to ${countryNames(countries)}`]),
    ...(estimatedValue === null ? [] : [`Worth about ${amountText(estimatedValue)}`]),
    ...(deadlineDays === null
      ? []
      : [`Address needed within ${plural(deadlineDays, 'day', 'days')}`]),
    ...(questions.length === 0 ? [] : [`Asked with the address: ${questions.join(', ')}`]),
  ]
}

interface TermsLineProps {
  /** Absent or null where nothing is sent. */
  readonly terms: DeliveryTerms | null | undefined
  readonly className?: string
}

export function TermsLine({ terms, className }: TermsLineProps) {
  const parts = terms ? termsOf(terms) : []
  return parts.length === 0 ? null : <p className={className}>{parts.join(' · ')}</p>
}
