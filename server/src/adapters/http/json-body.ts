// Reading JSON from strangers: looked over in one pass before anything is made of it.

import { bodyDepthMax } from '@redpack/contract/limits'
import { DomainError } from '../../shared/domain-error.ts'

const quote = 34
const comma = 44
const colon = 58
const openList = 91
const backslash = 92
const closeList = 93
const openObject = 123
const closeObject = 125

/** Keys that could reach into prototypes when an object is merged. */
const refusedKeys = new Set(['__proto__', 'constructor', 'prototype'])
/** Length of the longest of them with every letter written as an escape, and its quotes. */
const refusedKeyMax = 11 * 6 + 2
/** Most letters between texts and marks: white space, digits, `true`, `false` and `null`. */
const blanksMax = 512 * 1024

/**
 * The value of a JSON text; a blank text is an empty object. What would cost much to read is
 * refused by its marks of structure alone (brackets, commas, colons, escaped quotes), so nothing is
 * built from it: neither ten million numbers nor lists without end.
 * @throws DomainError payload_too_large above `marksMax` marks, invalid_input for what is nested
 * too
 * deeply, has a key that is not allowed or is not JSON
 */
export function readJson(text: string, marksMax: number): unknown {
  // The specification's client logs out with a JSON content type and no body at all.
  if (text.trim() === '') return {}
  lookOver(text, marksMax)
  try {
    return JSON.parse(text)
  } catch {
    throw new DomainError('invalid_input', 'The request body is not valid JSON')
  }
}

function lookOver(text: string, marksMax: number): void {
  let depth = 0
  let marks = 0
  let blanks = 0
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote: {
        const start = at
        at = text.indexOf('"', start + 1)
        while (at !== -1 && isEscaped(text, at)) {
          marks += 1
          if (marks > marksMax) throw tooMany()
          at = text.indexOf('"', at + 1)
        }
        // A text without an end is no JSON; the parser says so.
        if (at === -1) return
        refuseKey(text, start, at + 1)
        break
      }
      case openList:
      case openObject:
        depth += 1
        marks += 1
        if (depth > bodyDepthMax) {
          throw new DomainError('invalid_input', 'The request body is nested too deeply')
        }
        break
      case closeList:
      case closeObject:
        depth -= 1
        break
      case comma:
      case colon:
        marks += 1
        break
      default:
        blanks += 1
    }
    if (marks > marksMax || blanks > blanksMax) throw tooMany()
  }
}

const tooMany = () => new DomainError('payload_too_large', 'The request body holds too many values')

/** An odd number of backslashes before a quote makes it part of the text. */
function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1
  return backslashes % 2 === 1
}

function refuseKey(text: string, start: number, end: number): void {
  if (end - start > refusedKeyMax || !isKey(text, end)) return
  const key = text.slice(start, end)
  const name = key.includes('\\') ? unescaped(key) : key.slice(1, -1)
  if (refusedKeys.has(name)) {
    throw new DomainError('invalid_input', `The field name ${name} is not allowed`)
  }
}

/** A text is a key when a colon follows. */
function isKey(text: string, end: number): boolean {
  let at = end
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1
  return text.charCodeAt(at) === colon
}

function unescaped(key: string): string {
  try {
    return String(JSON.parse(key))
  } catch {
    return ''
  }
}
