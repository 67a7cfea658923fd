// The openings kept on this device, sorted by what can be done about them.

import { useMemo, useSyncExternalStore } from 'react'
import { currentOpenings, type OpeningRecord, subscribeToOpenings } from './opening-records.ts'

export interface OpeningRecords {
  readonly all: readonly OpeningRecord[]
  /** Sent, but never answered. */
  readonly unanswered: readonly OpeningRecord[]
  /** Answered, but not seen to the end. */
  readonly unseen: readonly OpeningRecord[]
  /** The newest one that was seen to the end or closed before. */
  readonly last: OpeningRecord | undefined
}

/** The openings of one user, newest first in every list. */
export function useOpeningRecords(userId: number): OpeningRecords {
  const all = useSyncExternalStore(subscribeToOpenings, () => currentOpenings(userId))
  return useMemo(() => {
    const answered = all.filter((record) => record.answer !== null)
    return {
      all,
      unanswered: all.filter((record) => record.answer === null),
      unseen: answered.filter((record) => !isOver(record)),
      last: answered.find(isOver),
    }
  }, [all])
}

function isOver({ answer, seen, isClosed }: OpeningRecord): boolean {
  return isClosed || seen >= (answer?.results.length ?? 0)
}
