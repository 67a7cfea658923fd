// The draw log as data: what an entry says about an opening request, and how entries hold each
// other.

/** What the books hold of an opening request, as far as the log tells it. */
export interface LoggedRequest {
  readonly createdAt: Date
  readonly packTypeId: number
  readonly tableHash: string
  readonly serverSeedHash: string
  readonly firstNonce: number
  readonly quantity: number
  /** One per pack in the order of the nonces; null when nothing was won. */
  readonly prizeIds: readonly (number | null)[]
}

/** One link of the chain. `body` is the text whose SHA-256 is `hash`. */
export interface ChainLink {
  readonly position: number
  readonly body: string
  readonly hash: string
}

/** The hash before the first entry. */
export const chainStart = '0'.repeat(64)

const minuteMillis = 60_000

/**
 * The canonical text of an entry: JSON without white space, with exactly these keys in this order.
 * The time is cut to the minute, so that it points at nobody who was seen opening packs. Since the
 * text holds the hash of the entry before, no entry can change without changing all that follow.
 */
export function chainBody(request: LoggedRequest, position: number, previousHash: string): string {
  const minutes = Math.floor(request.createdAt.getTime() / minuteMillis)
  return JSON.stringify({
    position,
    openingRequestAt: new Date(minutes * minuteMillis).toISOString(),
    packTypeId: request.packTypeId,
    tableHash: request.tableHash,
    serverSeedHash: request.serverSeedHash,
    firstNonce: request.firstNonce,
    quantity: request.quantity,
    prizeIds: request.prizeIds,
    previousHash,
  })
}

/** The links for `requests` in their order, behind `last`; positions count from 1 without gaps. */
export function continueChain(
  last: Pick<ChainLink, 'position' | 'hash'> | undefined,
  requests: readonly LoggedRequest[],
  sha256Hex: (text: string) => string,
): ChainLink[] {
  let previous = last ?? { position: 0, hash: chainStart }
  return requests.map((request) => {
    const position = previous.position + 1
    const body = chainBody(request, position, previous.hash)
    const link = { position, body, hash: sha256Hex(body) }
    previous = link
    return link
  })
}
