// Colours as requests carry them.

import * as z from 'zod/mini'
import { packColorDefault, packColorOf, themeHex } from './colors.ts'

/** A pack colour: hex, one of the names, or blank or null for the default. */
export const PackColor = z.pipe(
  z.nullable(
    z
      .string({ error: 'Invalid color' })
      .check(z.refine((text) => packColorOf(text) !== undefined, { error: 'Invalid color' })),
  ),
  z.transform((text) => packColorOf(text ?? '') ?? packColorDefault),
)

/** A theme colour in hex with 3, 6 or 8 digits, since it ends up in CSS. */
export function themeColor(label: string) {
  const missing = `${label} color is required`
  return z.string({ error: missing }).check(
    z.trim(),
    z.minLength(1, { error: missing }),
    z.refine((text) => text === '' || themeHex.test(text), {
      error: `${label} color must be a hex color`,
    }),
    z.meta({ pattern: String.raw`^\s*#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\s*$` }),
  )
}
