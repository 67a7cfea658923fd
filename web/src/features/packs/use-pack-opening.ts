// Opens packs from start to end: checks, request, modal, and what stays after an interruption.

import type { OddsResponse, OpenPacksRequest } from '@redpack/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, NoAnswer } from '../../lib/api-error.ts'
import { isMissingCode } from '../../lib/missing-code.ts'
import { newIdempotencyKey } from '../../lib/use-call.ts'
import { isNotProven, ownDraws } from '../fairness/queries.ts'
import { announceBalance } from '../session/balance-queries.ts'
import type { ShownOpening } from './opening-modal.tsx'
import {
  forgetOpening,
  type OpeningRecord,
  rememberProgress,
  rememberSent,
  type SentOpening,
} from './opening-records.ts'
import {
  toastComplete,
  toastFailedOpening,
  toastNotStarted,
  toastOpenFailure,
} from './opening-toasts.ts'
import type { OwnedPack, PackLook } from './owned-packs.tsx'
import { isMoved, isOddsChange, noteSeenOdds, seenOdds, useOpenPacks } from './queries.ts'
import { afterPaint } from './use-painted.ts'

/** How often an opening is asked for again because others came in between. */
const movedTriesMax = 3

interface RunningOpening extends ShownOpening {
  /** Balance after the opening; null for results that were kept from an earlier visit. */
  readonly balance: number | null
  /** Where the pack's picture was on the page. */
  readonly from: DOMRect | null
}

interface OpeningChoice {
  /** Undefined while nothing is chosen. */
  readonly pack: OwnedPack | undefined
  readonly quantity: number
  readonly from: DOMRect | null
}

/** An order that was refused, with what is needed to ask again. */
interface RefusedOpening {
  readonly order: OpenPacksRequest
  readonly pack: PackLook
  readonly from: DOMRect | null
}

interface OpeningOptions {
  readonly userId: number
  /** Openings kept on this device. */
  readonly records: readonly OpeningRecord[]
  readonly onViewPrizes: () => void
}

export function usePackOpening({ userId, records, onViewPrizes }: OpeningOptions) {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useOpenPacks()
  const { prepare, isPreparing } = usePreparation(userId)
  const [running, setRunning] = useState<RunningOpening | null>(null)
  const [refused, setRefused] = useState<RefusedOpening | null>(null)
  const isShown = useIsShown()

  const send = (sent: SentOpening, pack: PackLook, from: DOMRect | null, tries = 0) => {
    rememberSent(sent)
    mutate(sent, {
      onSuccess: (answer) => {
        const results = Array.isArray(answer.results) ? answer.results : []
        const { updatedBalance: balance, isProven } = answer
        const odds = seenOdds(queryClient, sent.order.packTypeId)
        setRunning({ key: sent.key, pack, results, isProven, odds, firstUnseen: 0, balance, from })
      },
      onError: (error) => {
        if (isOddsChange(error) && isShown.current) setRefused({ order: sent.order, pack, from })
        // Another tab or device has opened in between: asked again with fresh entropy.
        else if (isMoved(error) && isShown.current && tries < movedTriesMax) {
          sendNew(sent.order, pack, from, tries + 1)
        } else if (isOddsChange(error) || isMoved(error)) toastFailedOpening(error)
      },
    })
  }
  /** A new order under a key of its own, with the terms that its draw is made from. */
  const sendNew = (order: OpenPacksRequest, pack: PackLook, from: DOMRect | null, tries = 0) => {
    const key = newIdempotencyKey()
    void prepare(key, order).then((terms) => {
      if (!terms) return
      const { packTypeId, quantity } = order
      const asked = { packTypeId, quantity, ...terms }
      send({ key, userId, order: asked, sentAt: Date.now() }, pack, from, tries)
    })
  }

  return {
    running,
    isPending: isPending || isPreparing,
    /** The order that was refused because the odds have changed. */
    refused: refused && {
      packTypeId: refused.order.packTypeId,
      packName: refused.pack.name,
      quantity: refused.order.quantity,
      seenHash: refused.order.oddsHash,
    },
    /** Opens the refused order with the odds that the player has seen now. */
    openWith: (odds: OddsResponse) => {
      if (!refused) return
      setRefused(null)
      noteSeenOdds(queryClient, odds)
      const order = { ...refused.order, oddsHash: odds.tableHash }
      sendNew(order, refused.pack, refused.from)
    },
    leaveRefused: () => setRefused(null),
    /** Opens packs of a chosen type; says why when it cannot. */
    open: ({ pack, quantity, from }: OpeningChoice) => {
      try {
        if (!pack) return toastNotStarted('Please select a pack type')
        if (quantity > pack.quantity) return toastOpenFailure('Insufficient packs')
        const oddsHash = seenOdds(queryClient, pack.id)?.tableHash ?? pack.oddsHash
        const order = { packTypeId: pack.id, quantity, oddsHash }
        const unanswered = records.find((record) => isUnansweredTwin(record, order))
        if (unanswered) send(unanswered, pack, from)
        else sendNew(order, pack, from)
      } catch {
        toastNotStarted()
      }
    },
    /** Shows the results of an opening that nobody has seen to the end. */
    resume: (record: OpeningRecord, pack: PackLook) => {
      const results = record.answer?.results ?? []
      const firstUnseen = record.seen
      const odds = seenOdds(queryClient, record.order.packTypeId)
      const { key, isProven = false } = record
      setRunning({ key, pack, results, isProven, odds, firstUnseen, balance: null, from: null })
    },
    /** Sends a request that got no answer once more, under its own key. */
    askAgain: (record: OpeningRecord, pack: PackLook) => send(record, pack, null),
    onSeen: (seen: number) => {
      if (running) rememberProgress(running.key, { seen, isClosed: false })
    },
    onClose: (seen: number) => {
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
    /** Takes a running opening off the screen; its results stay to be seen later. */
    postpone: () => setRunning(null),
  }
}

/** Without the screen nobody can be asked, nor sees what another try would open. */
function useIsShown() {
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
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

/** What is settled before packs are opened: the terms of the draw, and alarms nobody has seen. */
function usePreparation(userId: number) {
  const queryClient = useQueryClient()
  const [isPreparing, setPreparing] = useState(false)
  /** Undefined when packs cannot be opened now, which has been said then. */
  const prepare = async (key: string, order: OpenPacksRequest) => {
    setPreparing(true)
    try {
      const odds = seenOdds(queryClient, order.packTypeId)
      return await (await ownDraws()).drawTerms(userId, key, order, odds)
    } catch (error) {
      if (isNotProven(error)) {
        toastOpenFailure('Nothing was opened. Read the warning on this page first.')
        // Alarms stand at the top of the page.
        window.scrollTo({ top: 0 })
      } else if (error instanceof ApiError || error instanceof NoAnswer || isMissingCode(error)) {
        toastFailedOpening(error)
      } else toastNotStarted()
    } finally {
      setPreparing(false)
    }
    return undefined
  }
  return { prepare, isPreparing }
}

/** The same order again, while its first answer is unknown, is a second try and no second order. */
function isUnansweredTwin(record: OpeningRecord, order: SentOpening['order']): boolean {
  return (
    record.answer === null &&
    record.order.packTypeId === order.packTypeId &&
    record.order.quantity === order.quantity
  )
}
