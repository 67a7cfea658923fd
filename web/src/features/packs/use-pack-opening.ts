// Opens packs from start to end: checks, request, modal, and what stays after an interruption.

import type { OddsResponse } from '@redpack/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { newIdempotencyKey } from '../../lib/idempotency-key.ts'
import { hasUnseenAlarm } from '../fairness/alarm-queries.ts'
import { ensureOwnSeed, type OwnSeed } from '../fairness/queries.ts'
import { announceBalance } from '../ledger/balance-queries.ts'
import type { RefusedOrder } from './odds-changed-dialog.tsx'
import type { ShownOpening } from './opening-modal.tsx'
import {
  forgetOpening,
  type OpeningRecord,
  rememberProgress,
  rememberSent,
  type SentOpening,
} from './opening-records.ts'
import {
  toastAlarm,
  toastCannotStart,
  toastComplete,
  toastInsufficientPacks,
  toastNoPackType,
} from './opening-toasts.ts'
import type { OwnedPack } from './owned-packs.ts'
import type { PackLook } from './pack-face.tsx'
import { isOddsChange, noteSeenOdds, seenOdds, useOpenPacks } from './queries.ts'
import type { OpeningOrder } from './stored-opening.ts'
import { afterPaint } from './use-painted.ts'

/** An opening on screen. */
export interface RunningOpening extends ShownOpening {
  /** Balance after the opening; null for results that were kept from an earlier visit. */
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
  /** Takes a running opening off the screen; its results stay to be seen later. */
  readonly postpone: () => void
  /** The order that was refused because the odds have changed. */
  readonly refused: RefusedOrder | null
  /** Opens the refused order with the odds that the player has seen now. */
  readonly openWith: (odds: OddsResponse) => void
  readonly leaveRefused: () => void
  /** What the browser did about the client seed; null before the first opening here. */
  readonly ownSeed: OwnSeed | null
}

export interface OpeningChoice {
  /** Undefined while nothing is chosen. */
  readonly pack: OwnedPack | undefined
  readonly quantity: number
  readonly from: DOMRect | null
}

/** An order that was refused, with what is needed to ask again. */
interface DomainError {
  readonly order: OpeningOrder
  readonly pack: PackLook
  readonly from: DOMRect | null
}

interface Surroundings {
  readonly userId: number
  /** Openings kept on this device. */
  readonly records: readonly OpeningRecord[]
  readonly onViewPrizes: () => void
}

export function usePackOpening({ userId, records, onViewPrizes }: Surroundings): PackOpening {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useOpenPacks()
  const { prepare, isPreparing, ownSeed } = usePreparation(userId)
  const [running, setRunning] = useState<RunningOpening | null>(null)
  const [domainError, setRefusal] = useState<DomainError | null>(null)

  const send = (sent: SentOpening, pack: PackLook, from: DOMRect | null) => {
    rememberSent(sent)
    mutate(sent, {
      onSuccess: (answer) => {
        const results = Array.isArray(answer.results) ? answer.results : []
        const { updatedBalance: balance } = answer
        const odds = seenOdds(queryClient, sent.order.packTypeId)
        setRunning({ key: sent.key, pack, results, odds, firstUnseen: 0, balance, from })
      },
      onError: (error) => {
        if (isOddsChange(error)) setRefusal({ order: sent.order, pack, from })
      },
    })
  }
  /** A new order under a key of its own, once the seeds are as they should be. */
  const sendNew = (order: OpeningOrder, pack: PackLook, from: DOMRect | null) => {
    const sent = { key: newIdempotencyKey(), userId, order, sentAt: Date.now() }
    void prepare().then((isReady) => {
      if (isReady) send({ ...sent, sentAt: Date.now() }, pack, from)
    })
  }

  return {
    running,
    isPending: isPending || isPreparing,
    ownSeed,
    refused: domainError && {
      packTypeId: domainError.order.packTypeId,
      packName: domainError.pack.name,
      quantity: domainError.order.quantity,
      seenHash: domainError.order.oddsHash,
    },
    openWith: (odds) => {
      if (!domainError) return
      setRefusal(null)
      noteSeenOdds(queryClient, odds)
      const order = { ...domainError.order, oddsHash: odds.tableHash }
      sendNew(order, domainError.pack, domainError.from)
    },
    leaveRefused: () => setRefusal(null),
    open: ({ pack, quantity, from }) => {
      try {
        if (!pack) return toastNoPackType()
        if (quantity > pack.quantity) return toastInsufficientPacks()
        const oddsHash = seenOdds(queryClient, pack.id)?.tableHash ?? pack.oddsHash
        const order = { packTypeId: pack.id, quantity, oddsHash }
        const unanswered = records.find((record) => isUnansweredTwin(record, order))
        if (unanswered) send(unanswered, pack, from)
        else sendNew(order, pack, from)
      } catch {
        toastCannotStart()
      }
    },
    resume: (record, pack) => {
      const results = record.answer?.results ?? []
      const firstUnseen = record.seen
      const odds = seenOdds(queryClient, record.order.packTypeId)
      setRunning({ key: record.key, pack, results, odds, firstUnseen, balance: null, from: null })
    },
    askAgain: (record, pack) => send(record, pack, null),
    onSeen: (seen) => {
      if (running) rememberProgress(running.key, { seen, isClosed: false })
    },
    onClose: (seen) => {
      if (!running) return
      keepRest(running, seen)
      endInSteps(
        () => setRunning((current) => (current === running ? null : current)),
        () => {
          if (running.balance !== null) announceBalance(running.balance)
        },
        () => toastComplete(running.results, onViewPrizes),
      )
    },
    postpone: () => setRunning(null),
  }
}

/** What stays on this device of an opening whose modal is closed. */
function keepRest({ key, results }: RunningOpening, seen: number): void {
  if (results.length > 1 || seen < results.length) {
    rememberProgress(key, { seen, isClosed: true })
  } else {
    forgetOpening(key)
  }
}

/** Each step is a frame's work on a phone: together they would be seen as a stop. */
function endInSteps(...[first, ...others]: readonly (() => void)[]): void {
  if (!first) return
  afterPaint(() => {
    first()
    endInSteps(...others)
  })
}

/** What has to be settled before packs are opened: the client seed, and alarms nobody has seen. */
function usePreparation(userId: number) {
  const queryClient = useQueryClient()
  const [isPreparing, setPreparing] = useState(false)
  const [ownSeed, setOwnSeed] = useState<OwnSeed | null>(null)
  /** True when packs may be opened. */
  const prepare = async (): Promise<boolean> => {
    setPreparing(true)
    try {
      const done = await ensureOwnSeed(queryClient, userId)
      if (done !== 'nothing') setOwnSeed(done)
      const isAlarmed = await hasUnseenAlarm(userId)
      if (isAlarmed) {
        toastAlarm()
        // Alarms stand at the top of the page.
        window.scrollTo({ top: 0 })
      }
      return !isAlarmed
    } finally {
      setPreparing(false)
    }
  }
  return { prepare, isPreparing, ownSeed }
}

/** The same order again, while its first answer is unknown, is a second try and no second order. */
function isUnansweredTwin(record: OpeningRecord, order: SentOpening['order']): boolean {
  return (
    record.answer === null &&
    record.order.packTypeId === order.packTypeId &&
    record.order.quantity === order.quantity
  )
}
