// Values of statements by name: `:userId` in the text instead of `$7`.

/** What stands in an SQL text where a colon is no sign of a parameter, or the name of one. */
const pattern = new RegExp(
  [
    /'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$[A-Za-z_]*\$)[\s\S]*?\1/,
    /--[^\n]*|\/\*[\s\S]*?\*\//,
    /\$\d+|::|:=/,
    /:([a-z][A-Za-z0-9]*)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

export interface PositionalText {
  /** The text with `$1`, `$2` and so on in the place of names. */
  readonly text: string
  /** The names in the order of their numbers; empty when the text gives numbers itself. */
  readonly parameters: readonly string[]
}

/**
 * Numbers the named parameters of an SQL text by their first appearance. Texts in quotes, comments
 * and casts are left alone. A slice of an array needs a space after its colon.
 * @throws when a text has names and numbers
 */
export function positional(text: string): PositionalText {
  const parameters: string[] = []
  let hasNumbers = false
  const numbered = text.replace(pattern, (found: string, _quote: unknown, name?: string) => {
    if (/^\$\d/.test(found)) hasNumbers = true
    if (name === undefined) return found
    if (!parameters.includes(name)) parameters.push(name)
    return `$${parameters.indexOf(name) + 1}`
  })
  if (hasNumbers && parameters.length > 0) {
    throw new Error('A statement has either names or numbers as parameters')
  }
  return { text: numbered, parameters }
}

/** Values of a statement in the order of its numbers. */
export type Values = readonly unknown[] | Readonly<Record<string, unknown>>

/**
 * Puts values into the order of the numbers. Dates, arrays and other values pass as they are; what
 * an object carries beside them is left alone.
 * @throws when values are missing, or come as a list where there are names, or the other way
 */
export function inOrder(
  { name, parameters = [] }: { readonly name: string; readonly parameters?: readonly string[] },
  values: Values,
): unknown[] {
  if (isList(values)) {
    if (parameters.length === 0) return values as unknown[]
    throw new Error(`The statement ${name} takes its values by name`)
  }
  if (parameters.length === 0 || !parameters.every((parameter) => parameter in values)) {
    throw new Error(`The statement ${name} takes ${parameters.join(', ') || 'a list of values'}`)
  }
  return parameters.map((parameter) => values[parameter])
}

function isList(values: Values): values is readonly unknown[] {
  return Array.isArray(values)
}
