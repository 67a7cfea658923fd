// What unsaved prizes and listings would change in the economy.

import {
  adminEconomyContract,
  type BodyInput,
  type EconomyPreview,
  type PackEconomy,
} from '@redpack/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'

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
