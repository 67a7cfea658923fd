// Two members of staff on one record: nobody undoes unseen what the other one has changed.

import { DomainError, type FieldProblem } from '../shared/domain-error.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Compares what the sender of a change saw in its fields with what is stored. A field that holds
 * already what is sent counts as unchanged.
 * @param expected what the sender saw; without it the later of two stands
 * @throws DomainError changed_meanwhile with both values of each field
 */
export function refuseChangedMeanwhile(
  stored: object,
  change: object,
  expected: object | undefined,
): void {
  const [now, sent] = [stored as Fields, change as Fields]
  const errors: FieldProblem[] = []
  for (const [path, seen] of Object.entries(expected ?? {})) {
    const current = now[path]
    if (seen === undefined || sent[path] === undefined) continue
    if (isSame(seen, current) || isSame(sent[path], current)) continue
    errors.push({ path, message: 'Changed by somebody else meanwhile', expected: seen, current })
  }
  if (errors.length === 0) return
  const message = 'Somebody else has changed this meanwhile'
  throw new DomainError('changed_meanwhile', message, { errors })
}

/** Any of the values; undefined is the same as absent. */
export type Given<Values> = { readonly [K in keyof Values]?: Values[K] | undefined }

/** What is given changes; `expected` is what the sender saw in it. */
export type Edit<Values, Seen = Values> = Given<Values> & {
  readonly expected?: Given<Seen> | undefined
}

/** Values after a change: what is given, and of the rest what is stored. */
export function withGiven<Values extends object>(stored: Values, change: Given<Values>): Values {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  return { ...stored, ...Object.fromEntries(given) }
}

/** As they are written on the wire; times by what they say. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
