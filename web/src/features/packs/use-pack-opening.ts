// Opens packs from start to end: checks, request, modal, and what stays after an interruption.

import { useState } from 'react'
import { announceBalance } from '../../lib/balance.ts'
import { newIdempotencyKey } from '../../lib/idempotency-key.ts'
import type { ShownOpening } from './opening-modal.tsx'
import {
  forgetOpening,
  type OpeningRecord,
  rememberProgress,
  rememberSent,
  type SentOpening,
} from './opening-records.ts'
import {
  toastCannotStart,
  toastComplete,
  toastInsufficientPacks,
  toastNoPackType,
} from './opening-toasts.ts'
import type { OwnedPack } from './owned-packs.ts'
import type { PackLook } from './pack-face.tsx'
import { useOpenPacks } from './queries.ts'

/** An opening on screen. */
export interface RunningOpening extends ShownOpening {
  /** Balance after the opening; null when the answer is too old to say. */
  readonly balance: number | null
  /** Where the pack's picture was on the page. */
  readonly from: DOMRect | null
}

export interface PackOpening {
  readonly running: RunningOpening | null
  readonly isPending: boolean
  /** Opens packs of a chosen type; says why when it cannot. */
  readonly open: (choice: OpeningChoice) => void
  /** Shows the results of an opening that nobody has seen to the end. */
  readonly resume: (record: OpeningRecord, pack: PackLook) => void
  /** Sends a request that got no answer once more, under its own key. */
  readonly askAgain: (record: OpeningRecord, pack: PackLook) => void
  readonly onSeen: (seen: number) => void
  readonly onClose: (seen: number) => void
}

export interface OpeningChoice {
  /** Undefined while nothing is chosen. */
  readonly pack: OwnedPack | undefined
  readonly quantity: number
  readonly from: DOMRect | null
}

interface Surroundings {
  readonly userId: number
  /** Openings kept on this device. */
  readonly records: readonly OpeningRecord[]
  readonly onViewPrizes: () => void
}

export function usePackOpening({ userId, records, onViewPrizes }: Surroundings): PackOpening {
  const { mutate, isPending } = useOpenPacks()
  const [running, setRunning] = useState<RunningOpening | null>(null)

  const send = (sent: SentOpening, pack: PackLook, from: DOMRect | null, isNew: boolean) => {
    rememberSent(sent)
    mutate(
      { sent, isNew },
      {
        onSuccess: (answer) => {
          const results = Array.isArray(answer.results) ? answer.results : []
          const balance = isNew ? answer.updatedBalance : null
          setRunning({ key: sent.key, pack, results, firstUnseen: 0, balance, from })
        },
      },
    )
  }

  return {
    running,
    isPending,
    open: ({ pack, quantity, from }) => {
      try {
        if (!pack) return toastNoPackType()
        if (quantity > pack.quantity) return toastInsufficientPacks()
        const order = { packTypeId: pack.id, quantity }
        const unanswered = records.find((record) => isUnansweredTwin(record, order))
        const fresh = { key: newIdempotencyKey(), userId, order, sentAt: Date.now() }
        send(unanswered ?? fresh, pack, from, !unanswered)
      } catch {
        toastCannotStart()
      }
    },
    resume: (record, pack) => {
      const results = record.answer?.results ?? []
      const firstUnseen = record.seen
      setRunning({ key: record.key, pack, results, firstUnseen, balance: null, from: null })
    },
    askAgain: (record, pack) => send(record, pack, null, false),
    onSeen: (seen) => {
      if (running) rememberProgress(running.key, { seen, isClosed: false })
    },
    onClose: (seen) => {
      if (!running) return
      const { key, results, balance } = running
      setRunning(null)
      if (results.length > 1 || seen < results.length) {
        rememberProgress(key, { seen, isClosed: true })
      } else {
        forgetOpening(key)
      }
      if (balance !== null) announceBalance(balance)
      toastComplete(results, onViewPrizes)
    },
  }
}

/** The same order again, while its first answer is unknown, is a second try and no second order. */
function isUnansweredTwin(record: OpeningRecord, order: SentOpening['order']): boolean {
  return (
    record.answer === null &&
    record.order.packTypeId === order.packTypeId &&
    record.order.quantity === order.quantity
  )
}
