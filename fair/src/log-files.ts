// The files of a public log at an address, for whoever reads one: pages and the watcher.

import { bundleOf, entriesOfBundle, hashBytes, type LoadTile, tilePath, tileWidth } from './tree.ts'

export interface LogFiles {
  /** The log's key; the lines after the first are of others. */
  key(): Promise<string>
  /** The newest checkpoint as it is signed, undefined while there is none. */
  checkpoint(): Promise<string | undefined>
  /** Loads a tile or bundle; a full one stands in for a partial one that is gone. */
  readonly tile: LoadTile
}

/** `get` answers undefined for what is not there, and throws for everything else. */
export function logFiles(
  address: string,
  get: (address: string) => Promise<Uint8Array | undefined>,
): LogFiles {
  const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
  const need = async (name: string) => {
    const bytes = await get(`${address}/${name}`)
    if (bytes === undefined) throw new Error(`${address}/${name} is not there`)
    return bytes
  }
  return {
    key: async () =>
      textOf(await need('key'))
        .split('\n')[0]
        ?.trim() ?? '',
    checkpoint: async () => {
      const bytes = await get(`${address}/checkpoint`)
      return bytes && textOf(bytes)
    },
    tile: async (tile) => {
      const { level, width } = tile
      const bytes = width < tileWidth && (await get(`${address}/tile/${tilePath(tile)}`))
      if (bytes) return bytes
      const full = await need(`tile/${tilePath({ ...tile, width: tileWidth })}`)
      if (level !== 'entries') return full.slice(0, width * hashBytes)
      return bundleOf((entriesOfBundle(full, tileWidth) ?? []).slice(0, width))
    },
  }
}
