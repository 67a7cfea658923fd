// How often a prize is won: the two numbers, and what they really come to in each of its packs.

import type { AdminPrize } from '@redpack/contract'
import { useWatch } from 'react-hook-form'
import { Notice } from '../../ui/feedback/state.tsx'
import { FormNumber } from '../../ui/form/form-fields.tsx'
import { parseWhole } from '../../ui/form/record-form.ts'
import { useNamedPackTypes } from './pack-type-queries.ts'
import { fallbacks, type PrizeDraft, type PrizeFormReturn, requestOf } from './prize-form.ts'
import {
  frequencyText,
  isOverfull,
  percentText,
  previewSentences,
  type RealChance,
  realChances,
  useEconomyPreview,
} from './prize-words.ts'

export interface PrizeOddsProps {
  readonly form: PrizeFormReturn
  /** Id of the prize that is edited, 0 for a new one. */
  readonly prizeId: number
  readonly prizes: readonly AdminPrize[]
}

export function PrizeOdds({ form, prizeId, prizes }: PrizeOddsProps) {
  const { control } = form
  const [wins, packs, packTypeIds, isActive] = useWatch({
    control,
    name: ['winFrequency', 'totalPacks', 'packTypeIds', 'isActive'],
  })
  const winFrequency = parseWhole(wins, fallbacks.winFrequency)
  const totalPacks = parseWhole(packs, fallbacks.totalPacks)
  const share = { winFrequency, totalPacks }
  const chances = realChances({ id: prizeId, isActive, packTypeIds, ...share }, prizes)
  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <FormNumber
          control={control}
          name="winFrequency"
          emptied={fallbacks.winFrequency}
          label="Win frequency"
          unit="wins"
          required
          min={1}
        />
        <FormNumber
          control={control}
          name="totalPacks"
          emptied={fallbacks.totalPacks}
          label="Total packs"
          unit="packs"
          required
          min={1}
        />
      </div>
      <p className="font-medium tabular-nums">{frequencyText(share)}</p>
      {winFrequency > totalPacks && (
        <Notice tone="warning" role="status">
          More wins than packs: this counts as a win in every pack.
        </Notice>
      )}
      {isActive ? (
        <ChanceLines chances={chances} />
      ) : (
        <p className="text-sm text-muted">While it is inactive its real chance is 0.00%.</p>
      )}
      <PrizePreview form={form} prizeId={prizeId} />
    </div>
  )
}

function ChanceLines({ chances }: { readonly chances: readonly RealChance[] }) {
  const { data: packTypes = [] } = useNamedPackTypes()
  const nameOf = (id: number) => packTypes.find((type) => type.id === id)?.name ?? `#${id}`
  const overfull = chances.filter(isOverfull)
  return (
    <>
      {chances.length > 0 && (
        <ul aria-label="Real chances" className="grid gap-1 text-sm text-muted">
          {chances.map(({ packTypeId, chance }) => (
            <li key={packTypeId} className="flex flex-wrap justify-between gap-x-4">
              <span className="min-w-0 break-words">Real chance in {nameOf(packTypeId)}</span>
              <span className="tabular-nums text-ink">{percentText(chance)}</span>
            </li>
          ))}
        </ul>
      )}
      {overfull.length > 0 && (
        <Notice tone="warning" role="status">
          {overfull.map(({ packTypeId, sharesSum }) => (
            <p key={packTypeId}>
              The shares of {nameOf(packTypeId)} add up to {percentText(sharesSum)}. Every prize in
              it is scaled down, and every pack holds a prize.
            </p>
          ))}
        </Notice>
      )}
    </>
  )
}

// What saving the form would do to the packs, as the server counts it.
/** Nothing while no pack type is ticked or the server has no answer. */
function PrizePreview({ form, prizeId }: Omit<PrizeOddsProps, 'prizes'>) {
  const draft = useWatch({ control: form.control }) as PrizeDraft
  const {
    name,
    winFrequency = 1,
    totalPacks = 1,
    redCoinAmount,
    packTypeId,
    packQuantity,
    ...rest
  } = requestOf(draft)
  const { inventoryQuantity, packTypeIds, isActive } = rest
  const preview = useEconomyPreview(
    packTypeIds.length === 0
      ? undefined
      : {
          prize: {
            prizeId: prizeId === 0 ? null : prizeId,
            ...{ name, winFrequency, totalPacks, redCoinAmount, packTypeId, packQuantity },
            ...{ inventoryQuantity, packTypeIds, isActive },
          },
        },
  )
  const { averages, warnings } = previewSentences(preview, true)
  return (
    <>
      {averages.map(({ packTypeId: id, sentence }) => (
        <p key={id} className="text-sm text-muted">
          {sentence}
        </p>
      ))}
      {warnings.map(({ key, message }) => (
        <Notice key={key} tone="warning" role="status">
          {message}
        </Notice>
      ))}
    </>
  )
}
