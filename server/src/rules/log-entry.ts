// The public log as data: the text of every entry, made from what the books hold.

/** What is known of a row of the queue; which fields are there depends on its kind. */
export type LogSource =
  | {
      readonly kind: 'commitment'
      readonly pairId: number
      readonly serverSeedHash: string
      readonly scheme: number
    }
  | { readonly kind: 'table'; readonly tableHash: string; readonly body: string }
  | {
      readonly kind: 'stock'
      readonly prizeId: number
      readonly delta: number
      readonly after: number | null
    }
  | { readonly kind: 'openings'; readonly request: LoggedRequest }
  | {
      readonly kind: 'reveal'
      readonly pairId: number
      readonly serverSeed: string
      readonly clientSeed: string
    }
  /** What was written down when it happened, or carried over from the first log. */
  | { readonly kind: 'written'; readonly body: string }

/** One opening request with all its packs in the order of their nonces. */
export interface LoggedRequest {
  readonly createdAt: Date
  readonly packTypeId: number
  readonly tableHash: string
  readonly pairId: number
  readonly clientSeedHash: string
  readonly firstNonce: number
  readonly quantity: number
  readonly openings: readonly LoggedOpening[]
}

export interface LoggedOpening {
  readonly id: number
  readonly nonce: number
  readonly prizeId: number | null
  readonly soldOutPrizeId: number | null
  readonly stockAfter: number | null
  readonly redCoinEarned: number
}

/** An entry is told with its length in two bytes. */
export const entryBytesMax = 65_535

const minuteMillis = 60_000
/** A character takes at most six bytes of JSON, so a part of this length always fits. */
const partLength = 10_000

/** A row of the queue from which no entry can be made: something it names is missing or wrong. */
export class DamagedLogSource extends Error {
  override readonly name = 'DamagedLogSource'
}

/**
 * The entries of one row of the queue, in order: one, or one for each pack of an opening request,
 * or the parts of a large odds table. The texts are what `JSON.stringify` makes of these keys in
 * this order, so that whoever knows the facts can make the same bytes.
 * @throws DamagedLogSource
 */
export function logEntries(source: LogSource): string[] {
  const entries = entriesOf(source)
  for (const entry of entries) {
    if (!fits(entry)) throw new DamagedLogSource('the entry is too long')
  }
  return entries
}

function entriesOf(source: LogSource): string[] {
  switch (source.kind) {
    case 'commitment': {
      const { pairId, serverSeedHash, scheme } = source
      const older = scheme === 1 ? { scheme } : {}
      return [JSON.stringify({ type: 'commitment', pairId, serverSeedHash, ...older })]
    }
    case 'table':
      return tableEntries(source.tableHash, source.body)
    case 'stock': {
      const { prizeId, delta, after } = source
      return [JSON.stringify({ type: 'stock', prizeId, delta, after })]
    }
    case 'openings':
      return openingEntries(source.request)
    case 'reveal': {
      const { pairId, serverSeed, clientSeed } = source
      return [JSON.stringify({ type: 'reveal', pairId, serverSeed, clientSeed })]
    }
    case 'written':
      if (parsed(source.body) === undefined || source.body.includes('\n')) {
        throw new DamagedLogSource('the text is not JSON in one line')
      }
      return [source.body]
  }
}

/** The time is cut to the minute, so that it points at nobody who was seen opening packs. */
function openingEntries(request: LoggedRequest): string[] {
  const { packTypeId, tableHash, pairId, clientSeedHash, firstNonce, quantity, openings } = request
  const minutes = Math.floor(request.createdAt.getTime() / minuteMillis)
  const at = new Date(minutes * minuteMillis).toISOString()
  if (
    openings.length !== quantity ||
    openings.some(({ nonce }, offset) => nonce !== firstNonce + offset)
  ) {
    throw new DamagedLogSource('openings of the request are missing')
  }
  return openings.map(({ id, nonce, prizeId, soldOutPrizeId, stockAfter, redCoinEarned }) =>
    JSON.stringify({
      type: 'opening',
      id,
      at,
      packTypeId,
      tableHash,
      pairId,
      nonce,
      clientSeedHash,
      prizeId,
      soldOutPrizeId,
      stockAfter,
      redCoinEarned,
    }),
  )
}

function tableEntries(tableHash: string, body: string): string[] {
  const table = parsed(body)
  // Readers make the hashed text again from the entry, so nothing may be lost on the way.
  if (table === undefined || JSON.stringify(table) !== body) {
    throw new DamagedLogSource('the text of the odds table is not what was hashed')
  }
  const whole = JSON.stringify({ type: 'table', tableHash, table })
  if (fits(whole)) return [whole]
  const texts = cutText(body)
  return texts.map((text, index) =>
    JSON.stringify({ type: 'table', tableHash, part: index + 1, parts: texts.length, text }),
  )
}

/** Pieces that put together give the text; no character of two halves is cut. */
function cutText(text: string): string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + partLength, text.length)
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** True when the entry is not empty and its UTF-8 has a length that two bytes can tell. */
function fits(entry: string): boolean {
  if (entry.length * 3 <= entryBytesMax) return entry !== ''
  let bytes = 0
  for (const character of entry) {
    const point = character.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_00_00 ? 3 : 4
  }
  return bytes <= entryBytesMax
}
