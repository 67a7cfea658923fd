// The public files of the draw log: its key, its newest checkpoint, its tiles and its entries.

import { ApiError, statusTextOf } from '../../lib/api-error.ts'
import { hashBytes } from '../../lib/tlog/merkle-tree.ts'
import { entriesOf, tilePath, tileWidth } from '../../lib/tlog/tiles.ts'

/** Where the log is served. */
export const logAddress = '/log'
export const checkpointAddress = `${logAddress}/checkpoint`
export const keyAddress = `${logAddress}/key`

const tooMany = 429
const notFound = 404
/** How often a file is asked for again when the server is asked too much, and how long to wait. */
const triesMax = 6
const waitMs = { least: 1_000, most: 60_000 }

/** Waits, unless the signal ends it. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

async function load(address: string, signal: AbortSignal): Promise<Response> {
  for (let left = triesMax; ; left -= 1) {
    const response = await fetch(address, { credentials: 'omit', signal })
    if (response.ok) return response
    if (response.status !== tooMany || left === 1) {
      throw new ApiError(response.status, statusTextOf(response), await response.text())
    }
    const named = Number(response.headers.get('retry-after')) * 1000
    await pause(Math.min(waitMs.most, Math.max(waitMs.least, named || 0)), signal)
  }
}

/** The log's key; the lines after the first are of others. */
export async function loadKey(signal: AbortSignal): Promise<string> {
  const text = await (await load(keyAddress, signal)).text()
  return text.split('\n')[0]?.trim() ?? ''
}

/** The newest checkpoint as it is signed, undefined while there is none. */
export async function loadCheckpoint(signal: AbortSignal): Promise<string | undefined> {
  try {
    return await (await load(checkpointAddress, signal)).text()
  } catch (error) {
    if (error instanceof ApiError && error.status === notFound) return undefined
    throw error
  }
}

/** The bytes of a tile; a full one stands in for a partial one that is gone. */
async function loadWidth(
  level: number | 'entries',
  index: number,
  width: number,
  signal: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly width: number }> {
  const bytesOf = async (shown: number) => {
    const response = await load(`${logAddress}/${tilePath(level, index, shown)}`, signal)
    return { bytes: new Uint8Array(await response.arrayBuffer()), width: shown }
  }
  try {
    return await bytesOf(width)
  } catch (error) {
    const isGone = error instanceof ApiError && error.status === notFound && width < tileWidth
    if (!isGone) throw error
    return bytesOf(tileWidth)
  }
}

/** The hashes of a tile. */
export async function loadTile(
  level: number,
  index: number,
  width: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { bytes } = await loadWidth(level, index, width, signal)
  if (bytes.length < width * hashBytes) throw new Error('A tile of the log came incomplete.')
  return bytes.slice(0, width * hashBytes)
}

/** The entries of a bundle. */
export async function loadEntries(
  index: number,
  width: number,
  signal: AbortSignal,
): Promise<Uint8Array[]> {
  const bundle = await loadWidth('entries', index, width, signal)
  const entries = entriesOf(bundle.bytes, bundle.width)
  if (!entries) throw new Error('A bundle of entries came incomplete.')
  return entries.slice(0, width)
}
