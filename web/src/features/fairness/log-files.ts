// The public files of the draw log: its key, its newest checkpoint, its tiles and its entries.

import {
  bundleOf,
  entriesOfBundle,
  hashBytes,
  type LoadTile,
  type TileName,
  tilePath,
  tileWidth,
} from '@redpack/fair/tree'
import { ApiError, statusTextOf } from '../../lib/api-error.ts'

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

/** Loads a tile or bundle; a full one stands in for a partial one that is gone. */
export const loadTile =
  (signal: AbortSignal): LoadTile =>
  async (tile) => {
    const bytesOf = async (width: number) => {
      const response = await load(`${logAddress}/tile/${tilePath({ ...tile, width })}`, signal)
      return new Uint8Array(await response.arrayBuffer())
    }
    try {
      return await bytesOf(tile.width)
    } catch (error) {
      const isGone = error instanceof ApiError && error.status === notFound
      if (!isGone || tile.width === tileWidth) throw error
      return cut(tile, await bytesOf(tileWidth))
    }
  }

/** As much of a full tile as the partial one would have. */
function cut({ level, width }: TileName, bytes: Uint8Array): Uint8Array {
  if (level !== 'entries') return bytes.slice(0, width * hashBytes)
  return bundleOf((entriesOfBundle(bytes, tileWidth) ?? []).slice(0, width))
}
