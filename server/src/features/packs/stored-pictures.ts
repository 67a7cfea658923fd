// Kept answers of openings name their pictures instead of carrying them: fifty packs can win fifty
// pictures, and what a hash names never changes.

import type { Queryable } from '../../adapters/db/database.ts'
import { type JsonText, trustedJson } from '../../shared/json-text.ts'
import { readImages } from '../catalogue/image-tables.ts'

// No text that somebody has typed can look like this: a quotation mark in it would be escaped.
const named = /"imageData":"sha256:([0-9a-f]{64})"/g

interface Pictured {
  readonly prize: { readonly imageData: string | null } | null
}

/** The result with the name of its picture, for keeping. */
export function withPictureName<Result extends Pictured>(
  result: Result,
  imageHash: string | null | undefined,
): Result {
  if (result.prize === null || imageHash === null || imageHash === undefined) return result
  return { ...result, prize: { ...result.prize, imageData: `sha256:${imageHash}` } }
}

/** A kept answer as it was sent, byte for byte. */
export async function withPictures<Answer>(
  db: Queryable,
  kept: JsonText<Answer>,
): Promise<JsonText<Answer>> {
  const hashes = new Set([...kept.matchAll(named)].map(([, hash = '']) => hash))
  if (hashes.size === 0) return kept
  const images = await readImages(db, [...hashes])
  const pictures = new Map(images.map(({ hash, bytes }) => [hash, bytes?.toString('base64')]))
  const text = kept.replace(named, (_name, hash: string) => {
    return `"imageData":${JSON.stringify(pictures.get(hash) ?? null)}`
  })
  return trustedJson(text)
}
