// Draws an opening again the moment it is answered, before the pack tears.

import type { FairOpening, OddsTable, OpenPacksResponse } from '@redpack/contract'
import { bytesOfHex } from '@redpack/fair/bytes'
import { type AskedOpening, faultOfOpening, type OpeningFault } from '@redpack/fair/checks'
import { commitmentOf, faultOfResult, rollsOf } from '@redpack/fair/draw'
import { portableHashing } from '@redpack/fair/hashing'
import { tableHash, tableText, thresholdsOf } from '@redpack/fair/odds'

/** What does not agree between what was asked and what was told; undefined for a proven opening. */
export function faultOfAnswer(
  asked: AskedOpening,
  { proof, results }: OpenPacksResponse,
  table: string,
): OpeningFault | undefined {
  return faultOfOpening(asked, { ...proof, results }, table, portableHashing)
}

/** Whether seed, odds, roll and payment of an opening in the list agree. */
export function isProven(opening: FairOpening, table: OddsTable): boolean {
  const seed = bytesOfHex(opening.serverSeed) ?? new Uint8Array()
  if (commitmentOf(seed, portableHashing) !== opening.commitment) return false
  if (tableHash(tableText(table), portableHashing) !== opening.tableHash) return false
  const rolls = rollsOf({ ...opening, seed }, opening.position + 1, portableHashing)
  const roll = rolls.at(-1) ?? 0
  return faultOfResult(table, thresholdsOf(table.entries), roll, opening) === undefined
}
