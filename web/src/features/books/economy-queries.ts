// What staff ask about the economy: chances, forecasts, flows, books, and what a draft changes.

import {
  adminEconomyContract,
  type BodyInput,
  type EconomyPreview,
  type flowDays,
  type PackEconomy,
} from '@redpack/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'

/** As long as this, in milliseconds, figures of the economy are not asked for again. */
const figuresFreshMs = 30_000

/** Real chances, expected RedCoin and warnings of every pack type. */
export function usePackEconomies() {
  return useQuery({
    ...endpointQuery(adminEconomyContract.packs, { shows: [], isNeeded: true }),
    staleTime: figuresFreshMs,
  })
}

/** How long the stock of each limited prize lasts, soonest first. */
export function useStockForecasts() {
  return useQuery({
    ...endpointQuery(adminEconomyContract.stock, { shows: [], isNeeded: true }),
    staleTime: figuresFreshMs,
  })
}

export type FlowDays = (typeof flowDays)[number]

/** Sources and sinks of RedCoin per day. */
export function useEconomyFlow(days: FlowDays) {
  return useQuery({
    ...endpointQuery(adminEconomyContract.flow, {
      shows: [],
      key: [days],
      ask: (signal) => call(adminEconomyContract.flow, { query: { days: `${days}` }, signal }),
      isNeeded: true,
    }),
    staleTime: figuresFreshMs,
    placeholderData: keepPreviousData,
  })
}

/** Whether the books agree. */
export function useBooks() {
  return useQuery({
    ...endpointQuery(adminEconomyContract.books, { shows: [], isNeeded: true }),
    staleTime: figuresFreshMs,
  })
}

/** Pause in typing after which the server is asked, in milliseconds. */
const previewPauseMs = 400

/**
 * What unsaved values would change, asked for once typing pauses; undefined asks nothing. The
 * answer before stays until the next; a refusal only means that there is nothing to show yet.
 */
export function useEconomyPreview(
  draft: BodyInput<typeof adminEconomyContract.preview> | undefined,
) {
  const text = draft === undefined ? '' : JSON.stringify(draft)
  const [asked, setAsked] = useState(text)
  useEffect(() => {
    const timer = window.setTimeout(setAsked, previewPauseMs, text)
    return () => window.clearTimeout(timer)
  }, [text])
  const { data } = useQuery({
    ...endpointQuery(adminEconomyContract.preview, {
      shows: [],
      key: [asked],
      ask: (signal) => call(adminEconomyContract.preview, { body: JSON.parse(asked), signal }),
    }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  })
  return text === '' ? undefined : data
}

type Previews = EconomyPreview | undefined

/**
 * What staff should know before they save: each pack's average before and after, where it changes,
 * and the warnings that the draft would leave behind. Shares above 1 are left out where the form
 * says them itself.
 */
export function previewSentences(preview: Previews, hasOwnShares: boolean) {
  const packs = preview?.packs ?? []
  const averages = packs
    .filter(({ before, after }) => before.expectedRedCoin !== after.expectedRedCoin)
    .map(({ before, after }) => ({
      packTypeId: after.packTypeId,
      sentence: `One ${after.packTypeName} pays ${averageText(after)} RedCoin on average (now ${averageText(before)}).`,
    }))
  const warnings = packs.flatMap(({ after }) =>
    after.warnings
      .filter(({ code }) => !(hasOwnShares && code === 'shares_above_one'))
      .map(({ code, message }) => ({ key: `${after.packTypeId} ${code}`, message })),
  )
  return { averages, warnings }
}

const averageFormat = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })

function averageText({ expectedRedCoin }: PackEconomy): string {
  return averageFormat.format(expectedRedCoin)
}
