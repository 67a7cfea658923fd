// What the formats of draw and log are made of: bytes, the two hash functions as others give them,
// and objects that are read from texts.

import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'

export const hexOf: (bytes: Uint8Array) => string = bytesToHex

export const joined: (...parts: Uint8Array[]) => Uint8Array = concatBytes

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const utf8 = (text: string): Uint8Array => encoder.encode(text)

/** To the letter, so that each text has one spelling; empty for bytes that are no UTF-8. */
export function textOf(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    return ''
  }
}

/** The bytes of a text of lower-case hex digits; undefined when it is none. */
export function bytesOfHex(text: string): Uint8Array | undefined {
  return /^([0-9a-f]{2})*$/.test(text) ? hexToBytes(text) : undefined
}

/** Whether a value is 32 bytes in lower-case hex, as seeds, commitments, entropy and hashes are. */
export const isHex32: Check<string> = (value): value is string =>
  isText(value) && /^[0-9a-f]{64}$/.test(value)

export function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** Undefined for what is not base64 as it is written here, so that each value has one spelling. */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  return base64Of(bytes) === text ? bytes : undefined
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

export interface Hashing {
  sha256(data: Uint8Array): Uint8Array
  hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array
}

export type Check<T> = (value: unknown) => value is T

/** Each key in the order of the text, with what may stand under it. */
export type Shape<T> = { readonly [Key in keyof T]-?: (value: unknown) => boolean }
/** What has such a shape, so that its keys are written down once. */
export type Shaped<S> = {
  readonly [Key in keyof S]: S[Key] extends Check<infer T> ? T : never
}

/** Whether a value has all that a shape names; it may have more. */
export function fits<T extends object>(shape: Shape<T>, value: unknown): value is T {
  if (typeof value !== 'object' || value === null) return false
  for (const key in shape) if (!shape[key]((value as T)[key])) return false
  return true
}

/** The keys of a shape in their order, and nothing else. */
export function ordered<T extends object>(shape: Shape<T>, value: T): T {
  const result: Partial<T> = {}
  for (const key in shape) result[key] = value[key]
  return result as T
}

/** The value of a JSON text; undefined when it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const isCount: Check<number> = (value): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0
export const isId: Check<number> = (value): value is number => isCount(value) && value !== 0
export const isText: Check<string> = (value): value is string => typeof value === 'string'
export const isOneOf =
  <const T extends string>(...words: readonly T[]): Check<T> =>
  (value): value is T =>
    words.includes(value as T)
export const orNull =
  <T>(holds: Check<T>): Check<T | null> =>
  (value): value is T | null =>
    value === null || holds(value)
/** A list of at most `max` such values. */
export const listOf =
  <T>(holds: Check<T>, max = Number.POSITIVE_INFINITY): Check<readonly T[]> =>
  (value): value is readonly T[] =>
    Array.isArray(value) && value.length <= max && value.every(holds)
/** An object of a shape; it may have more keys. */
export const shaped =
  <S extends Record<string, Check<unknown>>>(shape: S): Check<Shaped<S>> =>
  (value): value is Shaped<S> =>
    fits<object>(shape as Shape<object>, value)
