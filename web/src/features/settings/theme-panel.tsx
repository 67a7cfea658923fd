// The Settings tab: the eight colours of the product, and what a losing pack pays.

import { adminOverviewContract, type EconomySettings } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { Save } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { formatRedCoin } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { DataState } from '../../ui/feedback/data-state.tsx'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { SharedNotice, useSharedRecord } from '../../ui/form/shared-record.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { PanelTitle } from '../../ui/layout/headings.tsx'
import { economySettingsQuery, savedThemeQuery, ThemeForm } from './theme-form.tsx'

export function ThemePanel() {
  const theme = useQuery(savedThemeQuery)
  return (
    <section aria-labelledby="theme-heading">
      <PanelTitle id="theme-heading">Color Theme</PanelTitle>
      <p className="mb-6 text-muted">
        Everyone sees it: open pages at once, others on the next visit.
      </p>
      <DataState
        query={theme}
        what="the color theme"
        skeleton={['h-40 w-full', 'h-96 w-full']}
        className="grid gap-6"
        description=""
        isOnPage
      >
        {(saved) => <ThemeForm saved={saved} />}
      </DataState>
      <ConsolationCard />
    </section>
  )
}

// The one number of the economy that staff set: what a losing pack pays.
export function ConsolationCard() {
  const settings = useQuery(economySettingsQuery)
  return (
    <Card className="mt-6 xl:max-w-[calc(50%-0.75rem)]">
      <CardHeader
        level={3}
        title="Consolation RedCoin"
        description="What a pack without a prize pays. 0 pays nothing."
      />
      <DataState query={settings} what="the setting" skeleton="h-11 w-56" className="" isBrief>
        {(stored) => <ConsolationForm stored={stored} />}
      </DataState>
    </Card>
  )
}

function ConsolationForm({ stored }: { readonly stored: EconomySettings }) {
  const saved = stored.consolationRedCoin
  const [amount, setAmount] = useState<number | null>(saved)
  const shared = useSharedRecord<EconomySettings>(
    { get: () => amount, set: (_name, value) => setAmount(value) },
    stored,
  )
  const save = useCall(adminOverviewContract.saveEconomySettings, economySettingsQuery.queryKey)
  const isGood = amount !== null && Number.isSafeInteger(amount) && amount >= 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isGood || save.isPending) return
    save.mutate(
      { body: { consolationRedCoin: amount, expected: stored } },
      {
        onSuccess: ({ consolationRedCoin }) =>
          toastDone(`Losing packs now pay ${formatRedCoin(consolationRedCoin)}`),
        onError: (error) => toastFailed('Error', error, 'Failed to save the setting'),
      },
    )
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-wrap items-end gap-3">
      <NumberField
        label="RedCoin for a losing pack"
        unit="RedCoin"
        min={0}
        value={amount}
        onChange={setAmount}
        error={isGood || amount === null ? undefined : 'Enter a whole number, 0 or more'}
        fieldClassName="w-64"
      />
      <Button
        icon={Save}
        pendingLabel="Saving..."
        type="submit"
        disabled={!isGood || amount === saved}
        isPending={save.isPending}
      >
        Save
      </Button>
      <SharedNotice {...shared} />
    </form>
  )
}
