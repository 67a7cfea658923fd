// Colours as a picker moves through them: hue in degrees, saturation and brightness in percent.

export interface Hsv {
  /** 0 to 360. */
  readonly hue: number
  /** 0 to 100. */
  readonly saturation: number
  /** 0 to 100. */
  readonly brightness: number
}

/** Channels from 0 to 255 of a hex colour with 3, 6 or 8 digits; undefined for another text. */
function channelsOf(hex: string): readonly [number, number, number] | undefined {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(hex.trim())?.[1]
  if (digits === undefined) return undefined
  const full = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  const channel = (at: number) => Number.parseInt(full.slice(at, at + 2), 16)
  return [channel(0), channel(2), channel(4)]
}

/** Undefined for a text that is no hex colour. */
export function hsvOf(hex: string): Hsv | undefined {
  const channels = channelsOf(hex)
  if (!channels) return undefined
  const [red, green, blue] = channels
  const most = Math.max(red, green, blue)
  const span = most - Math.min(red, green, blue)
  const sextant =
    span === 0
      ? 0
      : most === red
        ? (green - blue) / span
        : most === green
          ? 2 + (blue - red) / span
          : 4 + (red - green) / span
  return {
    hue: Math.round((sextant * 60 + 360) % 360),
    saturation: most === 0 ? 0 : Math.round((span / most) * 100),
    brightness: Math.round((most / 255) * 100),
  }
}

/** '#RRGGBB'. */
export function hexOf({ hue, saturation, brightness }: Hsv): string {
  const channel = (offset: number) => {
    const turn = (offset + hue / 60) % 6
    const part = Math.max(0, Math.min(turn, 4 - turn, 1))
    const value = (brightness / 100) * (1 - (saturation / 100) * part)
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${channel(5)}${channel(3)}${channel(1)}`.toUpperCase()
}
