// The colour that a text on a card has, where no browser paints it.

import { deriveThemePalette, paletteVariables, themeDefault } from '@redpack/contract'

/** Hue in degrees and saturation 0 to 1 that an element's text class has in the default theme. */
export function colourOf(element: HTMLElement): { hue: number; saturation: number } {
  const token = /(?:^|\s)text-(success|info|warning|idle|danger)(?:\s|$)/.exec(
    element.className,
  )?.[1]
  const variables = paletteVariables(deriveThemePalette(themeDefault, 'standard'))
  const hex = variables[`--card-${token}`] ?? ''
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    Number.parseInt(hex.slice(at, at + 2), 16),
  )
  const max = Math.max(red, green, blue)
  const spread = max - Math.min(red, green, blue)
  const turn =
    max === red
      ? (green - blue) / spread
      : max === green
        ? 2 + (blue - red) / spread
        : 4 + (red - green) / spread
  return { hue: (turn * 60 + 360) % 360, saturation: spread / max }
}
