// Objects that are read from texts: which keys they have, in which order, and what may stand there.

export type Check = (value: unknown) => boolean

/** Each key in the order of the text, with what may stand under it. */
export type Shape<T> = { readonly [Key in keyof T]-?: Check }

/** Whether a value has all that a shape names; it may have more. */
export function fits<T extends object>(shape: Shape<T>, value: unknown): value is T {
  if (typeof value !== 'object' || value === null) return false
  const row = value as Readonly<Record<string, unknown>>
  return Object.entries<Check>(shape).every(([key, holds]) => holds(row[key]))
}

/** The keys of a shape in their order, and nothing else. */
export function ordered<T extends object>(shape: Shape<T>, value: T): T {
  const keys = Object.keys(shape) as (keyof T)[]
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as T
}

/** The value of a JSON text; undefined when it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A whole number from 0. */
export const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0
export const isId: Check = (value) => isCount(value) && value !== 0
export const isText: Check = (value) => typeof value === 'string'
export const orNull =
  (holds: Check): Check =>
  (value) =>
    value === null || holds(value)
/** A list of at most `max` such values. */
export const listOf =
  (holds: Check, max = Number.POSITIVE_INFINITY): Check =>
  (value) =>
    Array.isArray(value) && value.length <= max && value.every(holds)
