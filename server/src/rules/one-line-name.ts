// Names of people that come from elsewhere: one line, and no marks that hide or turn the text.

const lineBreaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
/** The marks that names typed here lose too; joiners stay, since emoji need them. */
const hiddenMarks =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}/gu

/** The name as it is kept and shown; undefined when nothing is left of it. */
export function oneLineName(name: string): string | undefined {
  const line = name.normalize('NFC').replace(hiddenMarks, '').replace(lineBreaks, ' ').trim()
  return line === '' ? undefined : line
}
