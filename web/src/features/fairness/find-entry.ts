// Looks for one entry in the draw log, from the newest to the oldest, and shows that it stands
// there.

import { LogFault } from '../../lib/tlog/log-fault.ts'
import { isIncluded, leafHash } from '../../lib/tlog/merkle-tree.ts'
import { tileReader, tileWidth, widthOf } from '../../lib/tlog/tiles.ts'
import { entryOf, type LogEntry } from './log-entries.ts'
import { loadEntries, loadTile } from './log-files.ts'
import type { OpenLog } from './log-memory.ts'

/** An entry at its place; the way from it to the signed checkpoint was checked. */
export interface FoundEntry {
  readonly index: number
  readonly text: string
}

type Wanted = (entry: LogEntry) => boolean

/** The opening with this number. */
export function openingWithId(id: number): Wanted {
  return (entry) => entry.type === 'opening' && entry.id === id
}

/** The commitment to the server seed with this hash. */
export function commitmentTo(serverSeedHash: string): Wanted {
  return (entry) => entry.type === 'commitment' && entry.serverSeedHash === serverSeedHash
}

/**
 * Entries of the log in their order, each shown to lead to the root of the checkpoint.
 * @throws LogFault when one of them does not
 */
export async function provenEntries(
  { checkpoint }: Pick<OpenLog, 'checkpoint'>,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<FoundEntry[]> {
  const reader = tileReader(checkpoint.size, (level, index, width) =>
    loadTile(level, index, width, signal),
  )
  const bundles = new Map<number, Promise<Uint8Array[]>>()
  const bundleOf = (place: number) => {
    const index = Math.floor(place / tileWidth)
    const known = bundles.get(index) ?? loadEntries(index, widthOf(index, checkpoint.size), signal)
    bundles.set(index, known)
    return known
  }
  const places = Array.from({ length: to - from }, (_, at) => from + at)
  return Promise.all(
    places.map(async (index) => {
      const [bundle, proof] = await Promise.all([bundleOf(index), reader.inclusionProof(index)])
      const bytes = bundle[index % tileWidth] ?? new Uint8Array()
      if (!isIncluded(leafHash(bytes), index, checkpoint, proof)) {
        throw new LogFault(`Entry ${index} does not lead to the signed checkpoint.`)
      }
      return { index, text: new TextDecoder().decode(bytes) }
    }),
  )
}

/**
 * Goes through the log backwards until an entry is the wanted one.
 * @param onProgress is told how many entries were looked at
 * @returns null when no entry is
 */
export async function findEntry(
  log: Pick<OpenLog, 'checkpoint'>,
  isWanted: Wanted,
  onProgress: (seen: number) => void,
  signal: AbortSignal,
): Promise<FoundEntry | null> {
  const { size } = log.checkpoint
  const text = new TextDecoder()
  for (let bundle = Math.ceil(size / tileWidth) - 1; bundle >= 0; bundle -= 1) {
    const entries = await loadEntries(bundle, widthOf(bundle, size), signal)
    const at = entries.findLastIndex((bytes) => {
      const entry = entryOf(text.decode(bytes))
      return entry !== undefined && isWanted(entry)
    })
    if (at >= 0) {
      const index = bundle * tileWidth + at
      const [found] = await provenEntries(log, index, index + 1, signal)
      return found ?? null
    }
    onProgress(size - bundle * tileWidth)
  }
  return null
}
