// Turns the prize pictures of an opening into addresses the browser can show, each picture once.

import type { OpeningResult } from '@redpack/contract'
import { useEffect, useState } from 'react'

/** Addresses by what a result brings of its picture: base64 text, or where it is served. */
export type PrizePictures = ReadonlyMap<string, string>

const decodeWaitMs = 1000

/** Decoded pictures, or those that are not worth waiting for any longer, by address. */
const decoding = new Map<string, Promise<void>>()

/**
 * Resolves when the picture can be painted without waiting, after a second at the latest. Null when
 * there is nothing to wait for.
 */
export function pictureReady(address: string | undefined): Promise<void> | null {
  return (address && decoding.get(address)) || null
}

// A result that is not one fails on its own card, not here.
const broughtBy = (result: OpeningResult | undefined) =>
  result?.prize?.imageData || result?.prize?.imageUrl

export function pictureOf(result: OpeningResult | undefined, pictures: PrizePictures) {
  const brought = broughtBy(result)
  return brought ? pictures.get(brought) : undefined
}

/**
 * Addresses for every distinct picture among the results, ready and decoding while the pack is
 * still closed. They are revoked when the modal leaves. Broken base64 has no address: the card then
 * shows its icon.
 */
export function usePrizePictures(results: readonly OpeningResult[]): PrizePictures {
  const [pictures, setPictures] = useState<PrizePictures>(new Map())
  useEffect(() => {
    const made = new Map<string, string>()
    for (const result of results) {
      const brought = broughtBy(result)
      if (!brought || made.has(brought)) continue
      const { imageData, imageType = null } = result.prize ?? {}
      const address = imageData ? blobAddress(imageData, imageType) : brought
      if (address) made.set(brought, address)
    }
    setPictures(made)
    for (const address of made.values()) decodeAhead(address)
    return () => {
      for (const address of made.values()) {
        URL.revokeObjectURL(address)
        decoding.delete(address)
      }
    }
  }, [results])
  return pictures
}

/** A blob address for base64 text, or null when the text is not base64. */
function blobAddress(base64: string, imageType: string | null): string | null {
  const text = base64.startsWith('data:') ? base64.slice(base64.indexOf(',') + 1) : base64
  try {
    const binary = atob(text)
    const bytes = new Uint8Array(binary.length)
    for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
    return URL.createObjectURL(new Blob([bytes], { type: imageType ?? 'image/png' }))
  } catch {
    return null
  }
}

function decodeAhead(address: string): void {
  const image = new Image()
  image.src = address
  // A picture that cannot be decoded shows its icon when its card turns.
  if (typeof image.decode !== 'function') return
  const tooLong = new Promise<void>((resolve) => {
    setTimeout(resolve, decodeWaitMs)
  })
  // Taken out when done: from then on nothing waits for it.
  const done = image.decode().catch(() => undefined)
  decoding.set(
    address,
    Promise.race([done, tooLong]).then(() => void decoding.delete(address)),
  )
}
