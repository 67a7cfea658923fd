// Turns a pack type's colour into the light of its opening and the key of its sound.

import { packColorDefault, packColorOf, packThemes } from '@redpack/contract'

/** A pack type's colour as six-digit hex; anything unknown is the default pack colour. */
export function packHex(color: string): string {
  const kept = packColorOf(color) ?? packColorDefault
  const hex = packThemes[kept] ?? kept
  const wide = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join('') : null
  return (wide ? `#${wide}` : hex).toLowerCase()
}

/** Hue of a pack type's colour in degrees, 0 to 360; greys count as 0. */
export function packHue(color: string): number {
  const value = Number.parseInt(packHex(color).slice(1), 16)
  const red = value >> 16
  const green = (value >> 8) & 255
  const blue = value & 255
  const max = Math.max(red, green, blue)
  const spread = max - Math.min(red, green, blue)
  if (spread === 0) return 0
  if (max === red) return (60 * ((green - blue) / spread) + 360) % 360
  if (max === green) return 60 * ((blue - red) / spread) + 120
  return 60 * ((red - green) / spread) + 240
}
