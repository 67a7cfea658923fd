// Which tile of the log a path names, and whether the tree has it.

import { parseTileName, type TileName, tilePath, tileWidthAt } from '@redpack/fair/tiles'
import { tileWidth } from '@redpack/fair/tree'
import { DomainError } from '../../shared/domain-error.ts'

interface TileParams {
  readonly level?: string
  readonly part1: string
  readonly part2?: string | undefined
  readonly part3?: string | undefined
  readonly part4?: string | undefined
}

/**
 * The tile of a tree of `size` entries. A partial one may also be asked for when it is wider by
 * now.
 * @throws DomainError invalid_input for a path that names none, not_found beyond the end of the
 * tree
 */
export function tileIn(
  { level = 'entries', part1, part2, part3, part4 }: TileParams,
  size: number,
): { readonly tile: TileName; readonly path: string; readonly isFull: boolean } {
  const parts = [level, part1, part2, part3, part4].filter((part) => part !== undefined)
  const tile = parseTileName(parts.join('/'))
  if (tile === undefined) throw new DomainError('invalid_input', 'This is not the path of a tile')
  if (tile.width > tileWidthAt(size, tile)) {
    throw new DomainError('not_found', 'The log has no such tile yet')
  }
  return { tile, path: tilePath(tile), isFull: tile.width === tileWidth }
}
