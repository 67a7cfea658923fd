// JSON text that remembers the type of what was written, so that an answer stored as text is still
// checked against the contract where it is sent.

declare const written: unique symbol

/** The JSON text of a `T`. Nothing of the type is there when the program runs. */
export type JsonText<T> = string & { readonly [written]: T }

/** Writes a value as JSON. */
export function jsonText<T>(value: T): JsonText<T> {
  return JSON.stringify(value) as JsonText<T>
}

/**
 * Takes a text for the JSON of a `T`: for texts that this program, or an earlier version of it, has
 * stored, and for those that the database composes. The one place where the compiler is told.
 */
export function trustedJson<T>(text: string): JsonText<T> {
  return text as JsonText<T>
}

/**
 * Puts the pieces of a long list together. Whatever else waits has its turn between two of them,
 * since writing a hundred thousand rows at once would hold up everybody.
 */
export async function joinedLists<T>(pieces: AsyncIterable<JsonText<T[]>>): Promise<JsonText<T[]>> {
  const items: string[] = []
  for await (const piece of pieces) {
    const inside = piece.slice(1, -1)
    if (inside !== '') items.push(inside)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return `[${items.join(',')}]` as JsonText<T[]>
}
