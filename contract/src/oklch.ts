// Colour arithmetic: hex to OKLab and back, contrast ratios and mixing.

/** A colour in OKLab: lightness 0 to 1, and the two opponent axes. */
export interface Oklab {
  readonly l: number
  readonly a: number
  readonly b: number
}

type Rgb = readonly [number, number, number]

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}

function gamma(channel: number): number {
  return channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055
}

function rgbOf(hex: string): Rgb {
  const digits = hex.slice(1)
  const wide = digits.length < 6 ? [...digits].map((digit) => digit + digit).join('') : digits
  const value = Number.parseInt(wide.slice(0, 6), 16)
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255]
}

/** Six lower-case digits for 3, 6 or 8 of them; transparency is dropped. */
export function opaqueHex(hex: string): string {
  return hexOf(rgbOf(hex))
}

function hexOf(rgb: Rgb): string {
  const bytes = rgb.map((channel) => Math.round(Math.min(1, Math.max(0, channel)) * 255))
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** OKLab of a hex colour (Björn Ottosson, 2020). */
export function oklabOf(hex: string): Oklab {
  const [r, g, b] = rgbOf(hex).map(linear) as unknown as Rgb
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  }
}

function linearRgbOf({ l, a, b }: Oklab): Rgb {
  const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ]
}

function isInGamut(lab: Oklab): boolean {
  return linearRgbOf(lab).every((channel) => channel >= -0.0005 && channel <= 1.0005)
}

/** Hex of an OKLab colour; outside sRGB chroma shrinks to fit, while hue and lightness stay. */
export function hexOfOklab(lab: Oklab): string {
  let fitting = lab
  if (!isInGamut(lab)) {
    let low = 0
    let high = 1
    for (let step = 0; step < 10; step += 1) {
      const part = (low + high) / 2
      if (isInGamut({ l: lab.l, a: lab.a * part, b: lab.b * part })) low = part
      else high = part
    }
    fitting = { l: lab.l, a: lab.a * low, b: lab.b * low }
  }
  const [r, g, b] = linearRgbOf(fitting)
  return hexOf([gamma(Math.max(0, r)), gamma(Math.max(0, g)), gamma(Math.max(0, b))])
}

/** The same hue at another lightness, 0 to 1. */
export function withLightness(hex: string, l: number): string {
  const { a, b } = oklabOf(hex)
  return hexOfOklab({ l, a, b })
}

/** The colour `part` (0 to 1) of the way from one colour to another, in OKLab. */
export function mix(from: string, to: string, part: number): string {
  const x = oklabOf(from)
  const y = oklabOf(to)
  return hexOfOklab({
    l: x.l + (y.l - x.l) * part,
    a: x.a + (y.a - x.a) * part,
    b: x.b + (y.b - x.b) * part,
  })
}

/** Distance of two colours in OKLab; black to white is 1. */
export function distance(one: string, other: string): number {
  const x = oklabOf(one)
  const y = oklabOf(other)
  return Math.hypot(x.l - y.l, x.a - y.a, x.b - y.b)
}

function luminance(hex: string): number {
  const [r, g, b] = rgbOf(hex).map(linear) as unknown as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Contrast ratio of two opaque colours, 1 to 21 (WCAG 2.2, 1.4.3). */
export function contrast(one: string, other: string): number {
  const x = luminance(one)
  const y = luminance(other)
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}
