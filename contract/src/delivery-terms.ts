// The terms for sending a prize as schemas: deadline, countries, value and questions.

import * as z from 'zod/mini'
import { countryCodes } from './delivery-rules.ts'
import { answersMax, questionsMax } from './limits.ts'
import { listOf, nameText, requestObject } from './values.ts'

export const Countries = z.array(z.string())

const unknownCountry = 'Countries are named by their two letters of ISO 3166, such as DE'
const CountryCode = z.string({ error: unknownCountry }).check(z.maxLength(60, unknownCountry))

/** An allow list, each country once and in alphabetical order; empty for everywhere. */
export const CountriesInput = z.pipe(
  listOf(CountryCode, unknownCountry, countryCodes.length, 'Too many countries').check(
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
      z.maxLength(10, currencyWrong),
      z.overwrite((text) => text.trim().toUpperCase()),
      z.refine((text) => Intl.supportedValuesOf('currency').includes(text), currencyWrong),
    ),
  }),
)

const labelMax = 100

/** The keys are in the database's order. */
export const DeliveryQuestion = z.object({
  kind: z.enum(['text', 'choice']),
  label: z.string(),
  choices: z.optional(z.array(z.string())),
})
export type DeliveryQuestion = z.infer<typeof DeliveryQuestion>

const choicesWrong = 'A choice needs 2 to 20 different answers'
const labelText = (label: string) =>
  nameText({ label, max: labelMax, required: `${label} is required` })

/** Up to three, each with a different label. */
export const QuestionsInput = z
  .array(
    requestObject({
      kind: z.enum(['text', 'choice'], { error: 'A question asks for a text or a choice' }),
      label: labelText('Question'),
      choices: z.optional(listOf(labelText('Answer'), choicesWrong, 20, choicesWrong)),
    }).check(
      z.refine(
        ({ kind, choices = [] }) => {
          if (kind === 'text') return choices.length === 0
          return choices.length >= 2 && new Set(choices).size === choices.length
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

/** An answer as stored, with its question. */
export const DeliveryAnswer = z.object({ question: z.string(), answer: z.string() })
export type DeliveryAnswer = z.infer<typeof DeliveryAnswer>

const Answer = nameText({ label: 'Answer', max: answersMax })
const answersLong = `At most ${questionsMax} answers`
export const AnswersInput = listOf(Answer, 'Answers must be a list', questionsMax, answersLong)

/** What players are told of a prize that is sent, before and when they win it. */
export const DeliveryTerms = z.object({
  /** Days after the win for the winner to give an address; null for no limit. */
  deadlineDays: z.nullable(z.int()),
  /** Countries that it is sent to, as ISO 3166 alpha-2; empty for all. */
  countries: Countries,
  /** What it is worth, for the winner's papers. */
  estimatedValue: z.nullable(EstimatedValue),
  /** Questions that the winner answers. Always sent; absent in old stored answers. */
  questions: z.optional(z.array(z.string())),
})
export type DeliveryTerms = z.infer<typeof DeliveryTerms>
