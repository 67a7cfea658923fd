// The odds of a pack type, to be read before anything is spent.

import type { OddsEntry, OddsResponse } from '@redpack/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Coins, type LucideIcon, Package, Trophy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { formatRedCoin } from '../../lib/format.ts'
import { usePackTypes } from '../../lib/pack-types-query.ts'
import { useSearchValue } from '../../lib/search-value.ts'
import { Badge, DataState } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import {
  emptyPackChance,
  emptyPackHint,
  emptyPackPay,
  percentText,
  percentTexts,
  prizeHint,
  rewardText,
} from './odds-changes.ts'
import { noteSeenOdds, useOdds } from './queries.ts'
import { TermsLine } from './shared/terms-line.tsx'

interface OddsButtonProps {
  readonly packTypeId: number
  readonly packName: string
}

export function OddsButton({ packTypeId, packName }: OddsButtonProps) {
  const [, open] = useOpenOdds()
  return (
    <Button tone="secondary" aria-haspopup="dialog" onClick={() => open(String(packTypeId))}>
      <span>
        Odds <span className="sr-only">of {packName}</span>
      </span>
    </Button>
  )
}

/** The pack type whose odds are open, in the address, so that they can be linked to. */
function useOpenOdds() {
  return useSearchValue('odds', 'push')
}

interface OddsDialogProps {
  readonly packs: readonly { readonly id: number; readonly name: string }[]
}

/** The odds that the address names, if they are those of one of these packs. */
export function OddsDialog({ packs }: OddsDialogProps) {
  const [open, setOpen] = useOpenOdds()
  const pack = packs.find(({ id }) => String(id) === open)
  // Its title stays to be read while it closes.
  const [shown, setShown] = useState(pack)
  if (pack && pack !== shown) setShown(pack)
  return (
    <Dialog
      isOpen={pack !== undefined}
      onOpenChange={() => setOpen('')}
      title={`Odds of ${shown?.name}`}
      description="What one pack can hold right now. Every pack is drawn on its own."
    >
      {pack && <OddsSheet packTypeId={pack.id} />}
    </Dialog>
  )
}

function OddsSheet({ packTypeId }: { readonly packTypeId: number }) {
  const query = useOdds(packTypeId)
  const { data } = query
  const queryClient = useQueryClient()
  useEffect(() => {
    if (data) noteSeenOdds(queryClient, data)
  }, [queryClient, data])
  return (
    <DataState
      query={query}
      what="the odds"
      label="Loading odds"
      title="The odds could not be loaded"
      description=""
      skeleton={['h-14', 'h-14', 'h-14']}
      className="grid gap-3"
    >
      {(odds) => <OddsList odds={odds} />}
    </DataState>
  )
}

function OddsList({ odds }: { readonly odds: OddsResponse }) {
  const rest = emptyPackChance(odds)
  const [restText, winText] = percentTexts(rest)
  return (
    <>
      {odds.entries.length === 0 && <p>There is no prize in this pack at the moment.</p>}
      <ul className="mt-2 divide-y divide-line border-y border-line">
        {odds.entries.map((entry) => (
          <OddsRow
            key={entry.prizeId}
            name={entry.name}
            chance={entry.soldOut ? 0 : entry.chance}
            hint={prizeHint(entry)}
            terms={entry.delivery}
            Icon={entry.redCoinAmount > 0 ? Coins : entry.rewardPackQuantity > 0 ? Package : Trophy}
          >
            {entry.redCoinAmount > 0 && (
              <Badge tone="secondary">{formatRedCoin(entry.redCoinAmount)}</Badge>
            )}
            {entry.rewardPackQuantity > 0 && <PackReward entry={entry} />}
            {entry.soldOut && <Badge tone="warning">Sold out</Badge>}
            {entry.limited && !entry.soldOut && <Badge>Limited</Badge>}
          </OddsRow>
        ))}
        <OddsRow
          name="No prize"
          chance={rest}
          percent={restText}
          hint={emptyPackHint(rest)}
          Icon={Coins}
        />
      </ul>
      <div className="mt-4 flex flex-wrap justify-between gap-x-4 gap-y-1 font-semibold">
        <ChanceBar chance={1 - rest} className="mb-1 h-2 w-full" />
        <p>{winText} of packs win a prize</p>
        <p>{`${restText} ${emptyPackPay(odds)}`}</p>
      </div>
      {odds.scaled && (
        <p className="mt-2 text-muted">
          The shares of these prizes add up to more than one per pack, so they were scaled down. The
          chances above are the real ones.
        </p>
      )}
    </>
  )
}

interface OddsRowProps {
  readonly name: string
  readonly chance: number
  /** The chance in words, where it stands beside what is left of it. */
  readonly percent?: string
  readonly hint: string
  readonly terms?: OddsEntry['delivery']
  readonly Icon: LucideIcon
  readonly children?: ReactNode
}

function OddsRow(props: OddsRowProps) {
  const { name, chance, percent = percentText(chance), hint, terms, Icon, children } = props
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 py-2">
      <Icon strokeWidth={1.5} className="size-8 text-accent-text" />
      <div>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
          <span className="min-w-0 break-words">{name}</span>
          {children}
        </p>
        <p className="text-sm text-muted">{hint}</p>
        <TermsLine terms={terms} className="text-sm text-muted" />
      </div>
      <p className="font-display text-lg font-semibold tabular-nums">{percent}</p>
      <ChanceBar chance={chance} className="col-span-full mt-2 h-1" />
    </li>
  )
}

interface ChanceBarProps {
  readonly chance: number
  /** Its height. */
  readonly className: string
}

function ChanceBar({ chance, className }: ChanceBarProps) {
  return (
    <div aria-hidden="true" className={`rounded-full bg-line ${className}`}>
      <div className="h-full rounded-full bg-chart-up" style={{ width: `${chance * 100}%` }} />
    </div>
  )
}

function PackReward({ entry }: { readonly entry: OddsEntry }) {
  const { data } = usePackTypes()
  return <Badge tone="accent">{rewardText(entry, data)}</Badge>
}
