// Says what an entry of the draw log tells, in one line.

import {
  entryOfText,
  type LogEntry,
  type OpeningEntry,
  type StockEntry,
} from '@redpack/fair/entries'
import { formatNumber, formatRedCoin, plural } from '../../lib/format.ts'

/** One line about the entry in a text. */
export function entryWords(text: string): string {
  const entry = entryOfText(text)
  return entry ? wordsOf(entry) : 'Not one of the five kinds of entries'
}

function wordsOf(entry: LogEntry): string {
  switch (entry.type) {
    case 'chain':
      return `Chain ${entry.chainId} begins`
    case 'end':
      return entry.serverSeed === null
        ? `Chain ${entry.chainId} ends; its last seed was given up`
        : `Chain ${entry.chainId} ends, its unused seed is revealed`
    case 'stock':
      return stockWords(entry)
    case 'opening':
      return openingWords(entry)
    case 'table':
      return 'part' in entry
        ? `Odds table, part ${entry.part} of ${entry.parts}`
        : `Odds table of pack type ${entry.table.packTypeId}, ${plural(entry.table.entries.length, 'prize', 'prizes')}`
  }
}

function stockWords({ prizeId, delta, after }: StockEntry): string {
  const change = `${delta > 0 ? '+' : ''}${formatNumber(delta)}`
  const left = after === null ? 'without an end now' : `${formatNumber(after)} left`
  return `Stock of prize ${prizeId}: ${change}, ${left}`
}

function openingWords({ packTypeId, chainId, index, entropyFrom, results }: OpeningEntry): string {
  const wins = results.filter(([prizeId]) => prizeId !== null).length
  const soldOut = results.filter(([, prizeId]) => prizeId !== null).length
  const paid = results.reduce((sum, [, , , redCoin]) => sum + redCoin, 0)
  return [
    `${plural(results.length, 'pack', 'packs')} of type ${packTypeId}, chain ${chainId}, index ${index}`,
    plural(wins, 'win', 'wins'),
    ...(soldOut > 0 ? [`${formatNumber(soldOut)} sold out`] : []),
    formatRedCoin(paid),
    ...(entropyFrom === 'server' ? ['random bytes from the server'] : []),
  ].join(', ')
}
