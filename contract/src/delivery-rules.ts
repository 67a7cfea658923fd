// The terms for sending a prize, as all features use them: countries, value and questions.

/** What a prize is worth, for the winner's papers. */
export interface EstimatedValue {
  readonly amount: number
  /** Three letters of ISO 4217. */
  readonly currency: string
}

/** A question that the winner answers with the address. */
export interface DeliveryQuestion {
  readonly kind: 'text' | 'choice'
  readonly label: string
  readonly choices?: string[] | undefined
}

/** What players are told of a prize that is sent, before and when they win it. */
export interface DeliveryTerms {
  /** Days after the win for the winner to give an address; null for no limit. */
  readonly deadlineDays: number | null
  /** Countries that it is sent to, as ISO 3166 alpha-2; empty for all. */
  readonly countries: string[]
  readonly estimatedValue: EstimatedValue | null
  /** Questions that the winner answers with the address. */
  readonly questions: string[]
}

/** Every country of ISO 3166-1. */
export const countryCodes = `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI
BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE
DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS
GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW
KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW
MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO
RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM
TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`.split(/\s/)

let names: Intl.DisplayNames | undefined

/** The English name of a country; any other text stays as it is. */
export function countryName(code: string): string {
  if (!countryCodes.includes(code)) return code
  names ??= new Intl.DisplayNames('en', { type: 'region' })
  return names.of(code) ?? code
}

/** The countries sorted by name, as people read them: "Austria, Germany". */
export function countryNames(codes: readonly string[]): string {
  return codes
    .map(countryName)
    .sort((a, b) => a.localeCompare(b, 'en'))
    .join(', ')
}

/** The code of a country, from its code or its English name. */
export function countryCodeOf(text: string): string | undefined {
  const wanted = text.trim().toLowerCase()
  return countryCodes.find(
    (code) => code.toLowerCase() === wanted || countryName(code).toLowerCase() === wanted,
  )
}

/** Says that an address is not served, and names the countries that are. */
export function notServed(countries: readonly string[]): string {
  return `This prize is only sent to ${countryNames(countries)}`
}

/** Why an answer is invalid, or undefined. */
export function answerIssue(
  { kind, label, choices = [] }: DeliveryQuestion,
  answer: string | undefined,
): string | undefined {
  if (!answer?.trim()) return `${label} is required`
  const isOffered = kind === 'text' || choices.includes(answer)
  return isOffered ? undefined : `${label} must be one of ${choices.join(', ')}`
}
