// What names may contain, typed here or from elsewhere.

export const loneSurrogate = /\p{Surrogate}/u
// Marks that change the direction or hide inside a name; joiners stay, since emoji need them.
const hiddenMarks = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu
// No script needs more marks on a letter, however they are joined; more would cover the lines
// around a name.
const piledMarks = /(\p{M}(?:\p{Cf}*\p{M}){3})(?:\p{Cf}*\p{M})+/gu
// Fillers and joiners show nothing where they stand alone; U+2800 is a Braille cell without dots.
const showsNothing = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]*$/u
export const lineBreaks = /[\p{Cc}\p{Zl}\p{Zp}]+/u

/**
 * A name without hidden or direction marks, and without marks piled on a letter; empty when nothing
 * of it would be seen.
 */
export function unmarked(text: string): string {
  const name = text.replace(hiddenMarks, '').normalize('NFC').replace(piledMarks, '$1')
  return showsNothing.test(name) ? '' : name
}

/** A name from elsewhere as one line, as stored; undefined when nothing is left. */
export function oneLineName(name: string): string | undefined {
  const line = unmarked(name.split(loneSurrogate).join('')).split(lineBreaks).join(' ').trim()
  return line === '' ? undefined : line
}
