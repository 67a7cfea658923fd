// Whole numbers in English words, where a zero too many has to be seen.

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const groups = ['', ' thousand', ' million', ' billion', ' trillion', ' quadrillion']

function belowThousand(value: number): string {
  const hundreds = Math.floor(value / 100)
  const rest = value % 100
  const unit = rest % 10 === 0 ? '' : `-${small[rest % 10]}`
  const restWords = rest < 20 ? small[rest] : `${tens[Math.floor(rest / 10)]}${unit}`
  if (hundreds === 0) return `${restWords}`
  return `${small[hundreds]} hundred${rest === 0 ? '' : ` ${restWords}`}`
}

/** 12,000,500 is 'twelve million five hundred'; takes whole numbers from 0 to 2^53. */
export function numberWords(value: number): string {
  if (value < 1000) return belowThousand(value)
  const words: string[] = []
  let rest = value
  for (const group of groups) {
    if (rest % 1000 > 0) words.unshift(`${belowThousand(rest % 1000)}${group}`)
    rest = Math.floor(rest / 1000)
  }
  return words.join(' ')
}
