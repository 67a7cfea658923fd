// What holds for sending a prize: until when, where to, its value, and what the winner is asked.

import * as z from 'zod/mini'
import { answersMax, questionsMax } from './limits.ts'
import { nameText, requestObject } from './values.ts'

/** Every country of ISO 3166-1. */
export const countryCodes = `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI
BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE
DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS
GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW
KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW
MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO
RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM
TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`.split(/\s/)

const names = new Intl.DisplayNames('en', { type: 'region' })

/** The English name of a country; a text that is no code of one stays as it is. */
export function countryName(code: string): string {
  return countryCodes.includes(code) ? (names.of(code) ?? code) : code
}

/** The countries in the order of their names, as people read them: "Austria, Germany". */
export function countryNames(codes: readonly string[]): string {
  return codes
    .map(countryName)
    .sort((a, b) => a.localeCompare(b, 'en'))
    .join(', ')
}

/** The code of a country that somebody named by its code or its English name. */
export function countryCodeOf(text: string): string | undefined {
  const wanted = text.trim().toLowerCase()
  return countryCodes.find(
    (code) => code.toLowerCase() === wanted || countryName(code).toLowerCase() === wanted,
  )
}

/** Why an address cannot be taken, naming the countries that are served. */
export function notServed(countries: readonly string[]): string {
  return `This prize is only sent to ${countryNames(countries)}`
}

export const Countries = z.array(z.string())

const unknownCountry = 'Countries are named by their two letters of ISO 3166, such as DE'

/** An allow list, each country once and in alphabetical order; empty for everywhere. */
export const CountriesInput = z.pipe(
  z.array(z.string({ error: unknownCountry }), { error: unknownCountry }).check(
    z.maxLength(countryCodes.length, { error: 'Too many countries' }),
    z.check<string[]>(({ value, issues }) => {
      const unknown = value.find((code) => !countryCodes.includes(code.trim().toUpperCase()))
      if (unknown === undefined) return
      const message = `${unknown.slice(0, 20)} is no country. ${unknownCountry}`
      issues.push({ code: 'custom', input: value, path: [], message })
    }),
  ),
  z.transform((codes) => [...new Set(codes.map((code) => code.trim().toUpperCase()))].sort()),
)

export const EstimatedValue = z.object({ amount: z.number(), currency: z.string() })
export type EstimatedValue = z.infer<typeof EstimatedValue>

const amountMax = 1_000_000
const amountWrong = `Value must be more than 0 and at most ${amountMax}, with two decimals at most`
const currencyWrong = 'Currency must be three letters of ISO 4217, such as EUR'
const hasCents = (amount: number) => Math.abs(Math.round(amount * 100) - amount * 100) < 1e-6

export const EstimatedValueInput = z.nullable(
  requestObject({
    amount: z
      .number({ error: amountWrong })
      .check(z.gt(0, amountWrong), z.lte(amountMax, amountWrong), z.refine(hasCents, amountWrong)),
    currency: z.string({ error: currencyWrong }).check(
      z.overwrite((text) => text.trim().toUpperCase()),
      z.refine((text) => Intl.supportedValuesOf('currency').includes(text), currencyWrong),
    ),
  }),
)

const labelMax = 100

/** Something that the winner is asked with the address. The keys stand as the database keeps them. */
export const DeliveryQuestion = z.object({
  kind: z.enum(['text', 'choice']),
  label: z.string(),
  choices: z.optional(z.array(z.string())),
})
export type DeliveryQuestion = z.infer<typeof DeliveryQuestion>

const choicesWrong = 'A choice needs 2 to 20 different answers'
const labelText = (label: string) =>
  nameText({ label, max: labelMax, required: `${label} is required` })

/** Up to three, told apart by their labels. */
export const QuestionsInput = z
  .array(
    requestObject({
      kind: z.enum(['text', 'choice'], { error: 'A question asks for a text or a choice' }),
      label: labelText('Question'),
      choices: z.optional(z.array(labelText('Answer'), { error: choicesWrong })),
    }).check(
      z.refine(
        ({ kind, choices = [] }) => {
          if (kind === 'text') return choices.length === 0
          return (
            choices.length >= 2 && choices.length <= 20 && new Set(choices).size === choices.length
          )
        },
        { error: choicesWrong, path: ['choices'] },
      ),
    ),
    { error: 'Questions must be a list' },
  )
  .check(
    z.maxLength(questionsMax, { error: `At most ${questionsMax} questions` }),
    z.refine((all) => new Set(all.map(({ label }) => label)).size === all.length, {
      error: 'Two questions are the same',
    }),
  )

/** An answer as it is kept, beside the question it was given to. */
export const DeliveryAnswer = z.object({ question: z.string(), answer: z.string() })
export type DeliveryAnswer = z.infer<typeof DeliveryAnswer>

export const AnswersInput = z
  .array(nameText({ label: 'Answer', max: answersMax }), { error: 'Answers must be a list' })
  .check(z.maxLength(questionsMax, { error: `At most ${questionsMax} answers` }))

/** Why an answer cannot be taken, or undefined. */
export function answerIssue(
  { kind, label, choices = [] }: DeliveryQuestion,
  answer: string | undefined,
): string | undefined {
  if (!answer?.trim()) return `${label} is required`
  const isOffered = kind === 'text' || choices.includes(answer)
  return isOffered ? undefined : `${label} must be one of ${choices.join(', ')}`
}

/** What is said of a prize that is sent before and when it is won. */
export const DeliveryTerms = z.object({
  /** Days from the win in which the winner says where to; null for no end. */
  deadlineDays: z.nullable(z.int()),
  /** Those it is sent to, as ISO 3166 alpha-2; empty for everywhere. */
  countries: Countries,
  /** What it is worth, for the winner's papers. */
  estimatedValue: z.nullable(EstimatedValue),
})
export type DeliveryTerms = z.infer<typeof DeliveryTerms>
