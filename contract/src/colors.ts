// The colours that pack types and themes take: one table of names for both sides.

/** Colour of a pack type that has none set. */
export const packColorDefault = '#8B5CF6'

/** Names that become hex when a pack type is saved. */
export const colorNames: Readonly<Record<string, string>> = {
  'electric-blue': '#0080FF',
  purple: '#A855F7',
  red: '#EF4444',
  green: '#22C55E',
  blue: '#3B82F6',
  yellow: '#EAB308',
  orange: '#F97316',
  pink: '#EC4899',
  indigo: '#6366F1',
  cyan: '#06B6D4',
  teal: '#14B8A6',
  lime: '#84CC16',
  amber: '#F59E0B',
  rose: '#F43F5E',
  violet: '#8B5CF6',
  fuchsia: '#D946EF',
  sky: '#0EA5E9',
  emerald: '#10B981',
  stone: '#78716C',
  neutral: '#737373',
  zinc: '#71717A',
  gray: '#6B7280',
  slate: '#64748B',
}

/** Themes of the player's cards that are stored as names, with the colour they are drawn in. */
export const packThemes: Readonly<Record<string, string>> = {
  'twitch-purple': '#9146FF',
  'gaming-orange': '#FF6B35',
}

/** A stored pack colour as staff see it: of a theme the hex that it is drawn in. */
export function shownPackColor(stored: string): string {
  return packThemes[stored] ?? stored
}

const packHex = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i
export const themeHex = /^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i

/**
 * What is stored for a typed pack colour, or undefined when it is not one. Blank is the default.
 */
export function packColorOf(typed: string): string | undefined {
  const text = typed.trim()
  if (text === '') return packColorDefault
  if (packHex.test(text)) return text
  const name = text.toLowerCase()
  if (Object.hasOwn(packThemes, name)) return name
  return Object.hasOwn(colorNames, name) ? colorNames[name] : undefined
}
