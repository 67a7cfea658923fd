// Whether a name has one of a list of words in it, also where it is written with look-alikes.

/** Letters of other scripts, digits and signs that stand for a letter in names. */
const lookAlikes: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'a4@αа',
    'b8βвь',
    'c¢сϲ(<',
    'dԁ',
    'e3€еёεє',
    'g9ɡ',
    'hһн',
    'i1!|lіїιӏı',
    'jј',
    'kκк',
    'mм',
    'nηпи',
    'o0οоøσө',
    'pρр',
    'qԛ',
    's5$ѕꜱ',
    't7+τт',
    'uυцʋ',
    'vνѵ',
    'wωԝш',
    'xχх×',
    'yγуүʏ',
    'z2ʐ',
  ].flatMap(([letter = '', ...alike]) => alike.map((sign) => [sign, letter])),
)

/** What a name looks like at a glance: no marks, no signs between letters, one of alikes. */
function skeleton(text: string): string {
  const letters = text.normalize('NFKC').toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
  const read = Array.from(letters, (sign) => lookAlikes[sign] ?? sign).join('')
  return read.replace(/[^\p{L}\p{N}]/gu, '')
}

/** The first of the words that one of the names has in it. */
export function wordInNames(
  words: readonly string[],
  names: readonly string[],
): string | undefined {
  const seen = names.map(skeleton)
  return words.find((word) => {
    const sought = skeleton(word)
    return sought !== '' && seen.some((name) => name.includes(sought))
  })
}
