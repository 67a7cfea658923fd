// Parts of requests and answers: numbers, flags, texts, times and lists.

import * as z from 'zod/mini'
import { integerMax, pageNumberMax, redCoinMax } from './limits.ts'
import { lineBreaks, loneSurrogate, unmarked } from './names.ts'

const digits = /^-?[0-9]+$/

interface WholeNumberRule {
  /** Error for everything that the rule refuses, including a missing value. */
  readonly message: string
  readonly min: number
  readonly max: number
  /** Error for a whole number above `max`; default `message`. */
  readonly tooLarge?: string
  /** True to refuse 0 even if it is between `min` and `max`. */
  readonly nonZero?: boolean
}

/**
 * A whole number from `min` to `max`, as a JSON number or as decimal digits in a text, with a minus
 * sign if `min` is below 0. Nothing else is accepted: no list, flag, fraction, exponent, blank or
 * white space. The parsed value is always a number.
 */
export function wholeNumber(rule: WholeNumberRule) {
  const accepts = (value: number) =>
    Number.isInteger(value) &&
    value >= rule.min &&
    value <= rule.max &&
    !(rule.nonZero === true && value === 0)
  const error = (issue: { readonly input?: unknown }) => {
    const { input } = issue
    const value = typeof input === 'string' && digits.test(input) ? Number(input) : input
    const isTooLarge = typeof value === 'number' && value > rule.max
    return isTooLarge ? (rule.tooLarge ?? rule.message) : rule.message
  }
  const fromNumber = z
    .number({ error })
    .check(
      z.refine(accepts, { error }),
      z.meta({ type: 'integer', minimum: rule.min, maximum: rule.max }),
    )
  const fromDigits = z.string({ error }).check(
    z.refine((text) => digits.test(text) && accepts(Number(text)), { error }),
    z.meta({ pattern: rule.min < 0 ? '^-?[0-9]+$' : '^[0-9]+$' }),
  )
  // Adding 0 turns the -0 that JSON can carry into 0.
  return z.pipe(
    z.union([fromNumber, fromDigits], { error }),
    z.transform((value) => Number(value) + 0),
  )
}

/** An id counted by the database, 1 to 2^31-1; `message` is the error for anything else. */
export function idNumber(message: string) {
  return wholeNumber({ message, min: 1, max: integerMax })
}

/** A count that fits PostgreSQL's integer. */
export function countNumber(message: string, min: number, tooLarge = 'Quantity is too large') {
  return wholeNumber({ message, min, max: integerMax, tooLarge })
}

/** An amount of RedCoin, up to 2^53-1. */
export function redCoinNumber(message: string, min: number, tooLarge = 'Amount is too large') {
  return wholeNumber({ message, min, max: redCoinMax, tooLarge })
}

/** True or false, also as the texts "true" and "false" from multipart forms. */
export function flag(message: string) {
  return z.pipe(
    z.union([z.boolean(), z.enum(['true', 'false'])], { error: message }),
    z.transform((value) => value === true || value === 'true'),
  )
}

/** Length as people count it: a surrogate pair is one character. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Part of a text like `slice`, but counted that way: never half a character. */
export function sliceCharacters(text: string, start: number, end?: number): string {
  return [...text].slice(start, end).join('')
}

interface TextRule {
  /** Name of the text in an error, for example `Display name`. */
  readonly label: string
  /** Longest text in code points. */
  readonly max: number
  /** Error for a missing or blank text; without it, blank is allowed. */
  readonly required?: string
  /** Error for a text that is too long, if the specification gives one. */
  readonly tooLong?: string
  /** True to refuse line breaks and other control characters. */
  readonly isOneLine?: boolean
}

function storable(rule: TextRule) {
  const isStorable = (text: string) =>
    !text.includes('\0') &&
    !loneSurrogate.test(text) &&
    !(rule.isOneLine === true && lineBreaks.test(text))
  return z.refine<string>(isStorable, {
    error: `${rule.label} contains a character that is not allowed`,
  })
}

function notTooLong(rule: TextRule) {
  return z.refine<string>((text) => codePoints(text) <= rule.max, {
    error: rule.tooLong ?? `${rule.label} must be ${rule.max} characters or less`,
  })
}

function notBlank(rule: TextRule) {
  return z.refine<string>((text) => rule.required === undefined || text.trim() !== '', {
    error: rule.required ?? '',
  })
}

function described(rule: TextRule) {
  return z.meta(
    rule.required === undefined
      ? { maxLength: rule.max }
      : { minLength: 1, maxLength: rule.max, pattern: '\\S' },
  )
}

/** A text stored as written, in Unicode's composed form. */
export function plainText(rule: TextRule) {
  return z
    .string({ error: rule.required ?? `${rule.label} must be a text` })
    .check(z.normalize('NFC'), notBlank(rule), notTooLong(rule), storable(rule), described(rule))
}

/**
 * A name or an address: hidden marks, piled marks and surrounding white space are removed before
 * it is checked.
 */
export function nameText(rule: TextRule) {
  return z.string({ error: rule.required ?? `${rule.label} must be a text` }).check(
    z.overwrite((text) => unmarked(text).trim()),
    notBlank(rule),
    notTooLong(rule),
    storable(rule),
    described(rule),
  )
}

/** Null, or a text of the schema; one that `isNone` means null. */
export function clearable(
  text: z.ZodMiniType<string>,
  isNone: (typed: string) => boolean = (typed) => typed === '',
) {
  return z.nullable(
    z.pipe(
      text,
      z.transform((typed) => (isNone(typed) ? null : typed)),
    ),
  )
}

/** A text or null; a blank text means null. */
export function clearableText(rule: TextRule) {
  return clearable(nameText(rule))
}

/** Null, or a text that is blank or fits; a blank text means null. */
export function clearableIf(rule: TextRule, isFit: (text: string) => boolean, error: string) {
  return clearable(nameText(rule).check(z.refine((text) => text === '' || isFit(text), { error })))
}

/** A text that may be left blank; null counts as blank. */
export function blankableText(rule: TextRule) {
  return z.pipe(
    z.nullable(plainText(rule)),
    z.transform((text) => text ?? ''),
  )
}

const webAddress = /^(https?:\/\/[^\s/?#@\\"'<>]+([/?#][^\s"'<>\\]*)?|\/(?![/\\])[^\s"'<>\\]*)$/i

/** A web address, a path of this site, or null; a blank text means null. */
export function clearableUrl(rule: TextRule) {
  return clearableIf(rule, (text) => webAddress.test(text), `${rule.label} must be a web address`)
}

const ownPicture = /^\/(uploads|art)(\/\w[\w.-]*)+$/

/**
 * The same for a picture: on this site only in the picture folders, since the browser of everyone
 * who looks fetches it with their cookies.
 */
export function clearablePictureUrl(rule: TextRule) {
  const isPicture = (text: string) =>
    webAddress.test(text) && (!text.startsWith('/') || ownPicture.test(text))
  return clearableIf(rule, isPicture, `${rule.label} must be a web address of a picture`)
}

/** A page number; a bad one is page 1, and a huge one counts as the last offered. */
export const PageNumber = z._default(
  z.catch(
    z.pipe(
      z.union([z.int().check(z.gte(1)), z.string().check(z.regex(/^0*[1-9][0-9]*$/))]),
      z.transform((value) => Math.min(Number(value), pageNumberMax)),
    ),
    1,
  ),
  1,
)

/** A page size from 1 to `max`; anything else is `fallback`. */
export function pageLimit(fallback: number, max: number) {
  const limit = wholeNumber({ message: 'Invalid limit', min: 1, max })
  return z._default(z.catch(limit, fallback), fallback)
}

/**
 * What to search a list for; anything but text is ignored. Only 200 characters count, and not the
 * `@` that screens put before a username.
 */
export const SearchText = z._default(
  z.catch(
    z.string().check(
      z.normalize('NFC'),
      z.overwrite((text) => sliceCharacters(text.trim().replace(/^@(?=\S)/, ''), 0, 200)),
    ),
    '',
  ),
  '',
)

/** Object of a request: unknown keys are dropped. */
export function requestObject<const S extends z.core.$ZodLooseShape>(shape: S) {
  return z.object(shape, { error: 'The request must be an object' })
}

type Schema = z.ZodMiniType

interface Entered {
  readonly answer: Schema
  /** A default in it is what a new record starts with; in an edit it counts for nothing. */
  readonly sent: Schema
}

/** What staff enter under one name: as it is answered, as it is sent, and what it starts with. */
export function entered<A extends Schema, S extends Schema>(
  answer: A,
  sent: S,
): { readonly answer: A; readonly sent: S }
export function entered<A extends Schema, S extends Schema>(
  answer: A,
  sent: S,
  start: z.core.util.NoUndefined<z.output<S>>,
): { readonly answer: A; readonly sent: z.ZodMiniDefault<S> }
export function entered(answer: Schema, sent: Schema, start?: unknown): Entered {
  return { answer, sent: start === undefined ? sent : z._default(sent, start) }
}

/** The shape of the answer, or that of the request for a new record. */
export function shapeOf<
  Fields extends Readonly<Record<string, Entered>>,
  Part extends keyof Entered,
>(fields: Fields, part: Part) {
  const named = Object.entries(fields).map(([name, field]) => [name, field[part]])
  return Object.fromEntries(named) as { [Name in keyof Fields]: Fields[Name][Part] }
}

/** The values of a new record of which nothing was entered yet: its fields with a default. */
export function startOf<const Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const named = Object.entries(shape).flatMap(([name, field]) =>
    field instanceof z.ZodMiniDefault ? [[name, field.def.defaultValue]] : [],
  )
  return Object.fromEntries(named) as {
    [Name in keyof Shape as Shape[Name] extends z.ZodMiniDefault ? Name : never]: z.output<
      Shape[Name]
    >
  }
}

type Undefaulted<Shape extends z.core.$ZodLooseShape> = {
  [Name in keyof Shape]: Shape[Name] extends z.ZodMiniDefault<infer Inner> ? Inner : Shape[Name]
}

/**
 * Object of an edit: any of its fields, and in `expected` the values that the sender saw. If one of
 * these has changed meanwhile, the edit is refused.
 */
export function editObject<const Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const given = Object.entries(shape).map(([name, field]) => [
    name,
    field instanceof z.ZodMiniDefault ? field.def.innerType : field,
  ])
  return withExpected(Object.fromEntries(given) as Undefaulted<Shape>)
}

function withExpected<const Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const fields = requestObject(shape)
  return z.extend(z.partial(fields), { expected: z.optional(z.partial(fields)) })
}

/** The same kind of field under each of the names. */
export function fieldsOf<const Name extends string, Field>(
  names: readonly Name[],
  field: (name: Name) => Field,
): Record<Name, Field> {
  const named = names.map((name) => [name, field(name)])
  return Object.fromEntries(named) as Record<Name, Field>
}

/** A list of at most `max`; the errors are for what is no list, and for a longer one. */
export function listOf<T extends z.ZodMiniType>(item: T, error: string, max: number, long: string) {
  return z.array(item, { error }).check(z.maxLength(max, { error: long }))
}

/** The same with at least one. */
export function someOf<T extends z.ZodMiniType>(item: T, error: string, max: number, long: string) {
  return listOf(item, error, max, long).check(z.minLength(1, { error }))
}

/** Issue of a rule over several fields, to be placed where its field is in the schema. */
export interface FieldIssue {
  readonly path: string
  readonly message: string
  /** Fields later in the schema: their issues come after this one. */
  readonly before: readonly string[]
}

/**
 * A rule over several fields of an object. It runs even if single fields are refused, and its issue
 * is placed in schema order, so that the first error is that of the first failing rule.
 */
export function crossRule<T extends object>(find: (value: T) => FieldIssue | undefined) {
  return z.check<T>(
    (payload) => {
      if (typeof payload.value !== 'object' || payload.value === null) return
      const found = find(payload.value)
      if (found === undefined) return
      if (payload.issues.some((issue) => issue.path?.[0] === found.path)) return
      const at = payload.issues.findIndex((issue) => found.before.includes(String(issue.path?.[0])))
      payload.issues.splice(at === -1 ? payload.issues.length : at, 0, {
        code: 'custom',
        input: payload.value,
        path: [found.path],
        message: found.message,
      })
    },
    { when: () => true },
  )
}

/** Path parameter `{id}` of a row counted by the database. */
export const IdParams = z.object({ id: idNumber('Invalid id') })

/** Path parameter `{id}` of a row in a table that outgrows 2^31 rows. */
export const LongIdParams = z.object({
  id: wholeNumber({ message: 'Invalid id', min: 1, max: Number.MAX_SAFE_INTEGER }),
})

/** Path parameter `{id}` that takes the row number or the row's text id. */
export const IdOrTextParams = z.object({
  id: nameText({ label: 'Id', max: 100, required: 'Invalid id' }),
})

/** A text that fits the pattern. */
export const matching = (pattern: RegExp, error: string) =>
  z.string({ error }).check(z.regex(pattern, { error }))

/** 32 bytes in lower-case hex, as for seeds, commitments, entropy and hashes. */
export const hex32 = (error: string) => matching(/^[0-9a-f]{64}$/, error)
