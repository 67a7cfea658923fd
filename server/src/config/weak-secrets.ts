// Secrets that are none: examples that were never replaced, repetitions, sequences.

/** Why somebody could guess the secret, or undefined. Nothing at all is no secret to guess. */
export function weaknessOf(secret: string): string | undefined {
  if (secret === '') return undefined
  if (isPlaceholder(secret)) return 'it is an example'
  if (periodOf(secret) * 3 <= secret.length) return 'it repeats itself'
  if (isSequence(secret)) return 'it is a sequence'
  const fewest = secret.length < 16 ? 4 : 6
  if (new Set(secret).size < fewest) return 'it has too few different characters'
  return undefined
}

/** What is written where a secret has yet to be put, and what testers type. */
const placeholderWords = new RegExp(
  `^(?:${[
    'change|replace|insert|enter|put|set|fill|generate|use|with|my|your|own|the|a|this|me|it|here',
    'now|please|super|very|some|random|todo|fixme|test|testing|tester|dev|development|local|demo',
    'default|dummy|sample|example|placeholder|none|null|undefined|unset|admin|administrator|root',
    'user|redpack|twitch|discord|sandbox|bot|client|eventsub|encryption|metrics|public|access',
    'secret|key|token|pass|word|passphrase|qwerty|letmein|welcome|hunter|abc|value|x',
  ].join('|')})+$`,
)

function isPlaceholder(secret: string): boolean {
  return placeholderWords.test(secret.toLowerCase().replace(/[^a-z]/g, ''))
}

/** Length of the shortest piece that the text is made of by repeating it. */
function periodOf(text: string): number {
  for (let period = 1; period < text.length; period += 1) {
    if (text.slice(period) === text.slice(0, -period)) return period
  }
  return text.length
}

/** What follows what on keyboards and in alphabets. */
const rows = [
  '0123456789abcdefghijklmnopqrstuvwxyz',
  '1234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
]
const neighbours = new Set(
  rows.flatMap((row) =>
    [...row].flatMap((letter, at) => [`${letter}${row[at + 1]}`, `${row[at + 1]}${letter}`]),
  ),
)

/** Three steps of four lead to a neighbour or nowhere, by letters or by the bytes of hex digits. */
function isSequence(secret: string): boolean {
  const text = secret.toLowerCase()
  const letters = [...text]
  const isNear = (pair: string) => pair[0] === pair[1] || neighbours.has(pair)
  const near = letters.filter((letter, at) => at > 0 && isNear(`${letters[at - 1]}${letter}`))
  if (near.length * 4 >= (letters.length - 1) * 3) return true
  if (!/^([0-9a-f]{2}){8,}$/.test(text)) return false
  const bytes = [...Buffer.from(text, 'hex')]
  const steps = bytes.slice(1).map((byte, at) => (byte - (bytes[at] ?? 0) + 256) % 256)
  const most = Math.max(...steps.map((step) => steps.filter((each) => each === step).length))
  return most * 4 >= steps.length * 3
}
