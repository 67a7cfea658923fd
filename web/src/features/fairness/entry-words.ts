// Says what an entry of the draw log tells, in one line.

import { formatNumber, formatRedCoin, plural } from '../../lib/format.ts'
import { entryOf, type LogEntry } from './log-entries.ts'

/** One line about the entry in a text. */
export function entryWords(text: string): string {
  const entry = entryOf(text)
  return entry ? wordsOf(entry) : 'An entry that this page does not know'
}

function wordsOf(entry: LogEntry): string {
  switch (entry.type) {
    case 'commitment':
      return `Commitment to the server seed of pair ${entry.pairId}`
    case 'stock':
      return stockWords(entry)
    case 'opening':
      return openingWords(entry)
    case 'reveal':
      return `Seeds of pair ${entry.pairId} revealed`
    case 'carried':
      return `Entry ${formatNumber(entry.position)} of the first log, carried over`
    default:
      return 'part' in entry
        ? `Odds table, part ${entry.part} of ${entry.parts}`
        : `Odds table of pack type ${entry.table.packTypeId}, ${plural(entry.table.entries.length, 'prize', 'prizes')}`
  }
}

type Of<Type extends LogEntry['type']> = Extract<LogEntry, { type: Type }>

function stockWords({ prizeId, delta, after }: Of<'stock'>): string {
  const change = `${delta > 0 ? '+' : ''}${formatNumber(delta)}`
  const left = after === null ? 'without an end now' : `${formatNumber(after)} left`
  return `Stock of prize ${prizeId}: ${change}, ${left}`
}

function openingWords(opening: Of<'opening'>): string {
  const { id, packTypeId, pairId, nonce, prizeId, soldOutPrizeId, redCoinEarned } = opening
  const paid = redCoinEarned > 0 ? `, ${formatRedCoin(redCoinEarned)}` : ''
  const won = prizeId === null ? `no prize${paid}` : `prize ${prizeId}`
  const outcome = soldOutPrizeId === null ? won : `${won} (prize ${soldOutPrizeId} was sold out)`
  return `Opening ${id}: pack type ${packTypeId}, pair ${pairId}, nonce ${nonce}, ${outcome}`
}
