// The Settings tab: the eight colours of the product, what a losing pack pays, words in names.

import {
  adminOverviewContract,
  adminThemeContract,
  deriveThemePalette,
  type EconomySettings,
  paletteVariables,
  type Theme,
  themeDefault,
  themePresets,
} from '@redpack/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Coins, Gift, Package, Palette, RotateCcw, Save } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { call } from '../../lib/api.ts'
import { brand } from '../../lib/brand.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { formatRedCoin } from '../../lib/format.ts'
import { applyTheme, isSameTheme, themeQuery } from '../../lib/theme.ts'
import { useAct, useCall } from '../../lib/use-call.ts'
import { toastDone, toastFailed, toastUnchanged } from '../../ui/feedback/outcome.ts'
import { Badge, DataState } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { ColorField } from '../../ui/form/color-field.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { RadioCards } from '../../ui/form/radio-cards.tsx'
import { SharedNotice, useSharedRecord } from '../../ui/form/shared-record.tsx'
import { Form } from '../../ui/form/text-field.tsx'
import { Card, CardHeader, PanelHeader } from '../../ui/layout/section.tsx'
import { LeaveGuard } from '../../ui/overlay/leave-guard.tsx'
import { useQuestion } from '../../ui/overlay/question.tsx'
import {
  ContrastReport,
  type ThemeKey,
  themeFields,
  themeHexOf,
  themeProblems,
} from './contrast-report.tsx'
import { NameWordsCard } from './name-words-card.tsx'

export function ThemePanel() {
  const theme = useQuery(savedThemeQuery)
  return (
    <section aria-labelledby="theme-heading">
      <PanelHeader id="theme-heading" title="Color Theme" />
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
      <NameWordsCard />
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
  const save = useCall(adminOverviewContract.saveEconomySettings, economySettingsQuery.queryKey)
  const sent = save.variables?.body
  const shared = useSharedRecord<EconomySettings>(
    { get: () => amount, set: (_name, value) => setAmount(value), sent },
    stored,
  )
  const isGood = amount !== null && Number.isSafeInteger(amount) && amount >= 0
  const submit = () => {
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
    <Form onSubmit={submit} noValidate className="flex flex-wrap items-end gap-3">
      <NumberField
        label="RedCoin for a losing pack"
        unit="RedCoin"
        min={0}
        value={amount}
        onChange={setAmount}
        error={isGood ? undefined : 'Enter a whole number, 0 or more'}
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
      <LeaveGuard isUnsaved={amount !== saved && !save.isPending} />
    </Form>
  )
}

const savedThemeQuery = endpointQuery(adminThemeContract.theme, { shows: ['theme'] })

/** Saves the theme and paints this page in it; other pages hear of it over the socket. */
function useSaveTheme() {
  const queryClient = useQueryClient()
  return useAct({
    mutationFn: (body: Theme & { readonly expected: Theme }): Promise<Theme> =>
      call(adminThemeContract.save, { body }),
    onSuccess: (saved) => {
      queryClient.setQueryData(savedThemeQuery.queryKey, saved)
      queryClient.setQueryData(themeQuery.queryKey, saved)
      applyTheme(saved)
    },
    // It may have been saved by somebody else meanwhile: the next press then insists.
    onError: () => queryClient.fetchQuery(savedThemeQuery).catch(() => undefined),
  })
}

const economySettingsQuery = endpointQuery(adminOverviewContract.economySettings, {
  shows: ['pack_types'],
})

/** The draft where it can be painted; a colour that is none yet stays as it was. */
function paintable(draft: Theme, fallback: Theme): Theme {
  return Object.fromEntries(
    themeFields.map(({ key }) => [key, themeHexOf(draft[key]) ?? fallback[key]]),
  ) as unknown as Theme
}

function ThemeForm({ saved }: { readonly saved: Theme }) {
  const [draft, setDraft] = useState(saved)
  const [problems, setProblems] = useState<Partial<Record<ThemeKey, string>>>({})
  const form = useRef<HTMLFormElement>(null)
  const save = useSaveTheme()
  const shared = useSharedRecord<Theme>(
    {
      get: (key) => draft[key],
      set: (key, color) => setDraft((before) => ({ ...before, [key]: color })),
      sent: save.variables,
    },
    saved,
  )
  const painted = paintable(draft, saved)

  const change = (next: Theme) => {
    setDraft(next)
    setProblems({})
  }
  const send = (theme: Theme, done: string, before = saved) => {
    const sent = { ...theme, expected: before }
    return save.mutate(sent, {
      onSuccess: (answer) => {
        // A colour that was chosen meanwhile stays chosen.
        setDraft((now) => (now === draft ? answer : now))
        setProblems({})
        const undo = () => send(before, 'The color theme is back to what it was', answer)
        const isUndoable = !isSameTheme(before, answer)
        toastDone(done, isUndoable ? { label: 'Undo', onSelect: undo } : undefined)
      },
      onError: (error) =>
        toastFailed('Error updating color theme', error, 'Failed to update color theme'),
    })
  }
  const [askReset, question] = useQuestion(() => ({
    tone: 'primary',
    title: 'Reset to Default',
    description: 'Restores the default colors for everyone at once. You can undo it right after.',
    confirmLabel: 'Confirm',
    onConfirm: () => send(themeDefault, 'The default colors are back'),
  }))
  const submit = () => {
    const found = themeProblems(draft)
    setProblems(found)
    const first = themeFields.find(({ key }) => found[key] !== undefined)
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first.key}"]`)?.focus()
    else if (isSameTheme(draft, saved)) toastUnchanged()
    else send(draft, 'The color theme was updated')
  }
  return (
    <Form
      ref={form}
      onSubmit={submit}
      noValidate
      className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2"
    >
      <div className="grid gap-6">
        <Card>
          <CardHeader level={3} title="Presets" description="Fills in the fields. Save to apply." />
          <PresetTiles theme={draft} onChoose={change} />
        </Card>
        <Card>
          <CardHeader level={3} title="Colors" description="Hex with 3, 6 or 8 digits." />
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,15rem),1fr))] gap-4">
            {themeFields.map(({ key, label }) => (
              <ColorField
                key={key}
                label={label}
                name={key}
                value={draft[key]}
                onChange={(value) => change({ ...draft, [key]: value })}
                hexOf={themeHexOf}
                {...(problems[key] !== undefined && { error: problems[key] })}
              />
            ))}
          </div>
        </Card>
      </div>
      <div className="grid gap-6 xl:sticky xl:top-20">
        <Card>
          <CardHeader level={3} title="Live preview" />
          <ThemePreview theme={painted} />
          <SharedNotice {...shared} />
          <LeaveGuard isUnsaved={!isSameTheme(draft, saved) && !save.isPending} />
          <div className="mt-5 flex flex-wrap gap-3">
            <Button
              icon={Palette}
              pendingLabel="Saving..."
              type="submit"
              isPending={save.isPending}
            >
              Update Theme
            </Button>
            <Button
              icon={RotateCcw}
              tone="secondary"
              onClick={() => askReset()}
              disabled={save.isPending}
            >
              Reset to Default
            </Button>
          </div>
        </Card>
        <Card>
          <CardHeader level={3} title="Contrast" />
          <ContrastReport theme={painted} />
        </Card>
      </div>
      {question}
    </Form>
  )
}

/** 'Default' has a button of its own. */
const offered = themePresets.filter(({ name }) => name !== 'Default')

interface PresetTilesProps {
  readonly theme: Theme
  readonly onChoose: (theme: Theme) => void
}

function PresetTiles({ theme, onChoose }: PresetTilesProps) {
  const chosen = offered.find((preset) => isSameTheme(preset.theme, theme))
  return (
    <RadioCards
      label="Presets"
      value={chosen?.name ?? ''}
      onChange={(name) => {
        const preset = offered.find((one) => one.name === name)
        if (preset) onChoose(preset.theme)
      }}
      className="grid-cols-1 sm:grid-cols-3"
      cardClassName="p-2!"
      cards={offered.map((preset) => ({
        value: preset.name,
        label: preset.name,
        content: <Tile name={preset.name} theme={preset.theme} />,
      }))}
    />
  )
}

function Tile({ name, theme }: { readonly name: string; readonly theme: Theme }) {
  return (
    <span
      style={paletteVariables(deriveThemePalette(theme))}
      className="on-page flex h-full flex-col rounded-control border border-line bg-surface p-3"
    >
      <span className="block font-display font-semibold text-ink">{name}</span>
      <span className="mt-auto flex gap-1.5 pt-2">
        {['bg-primary', 'bg-secondary', 'bg-accent'].map((look) => (
          <span key={look} className={`h-6 flex-1 rounded-control ${look}`} />
        ))}
      </span>
      <span className="on-card mt-2 block rounded-control border border-line bg-surface px-2 py-1 text-sm text-muted">
        On a card
      </span>
    </span>
  )
}

// Miniatures of real screens, painted in the theme that is being made.
function ThemePreview({ theme }: { readonly theme: Theme }) {
  return (
    <section
      aria-label="Live preview"
      data-theme-preview
      style={paletteVariables(deriveThemePalette(theme))}
      className="on-page grid gap-4 rounded-card border border-line bg-surface p-4 text-ink"
    >
      <div className="flex items-center justify-between gap-3 border-b border-line pb-3">
        <span className="font-display text-lg font-bold text-primary-text">{brand.name}</span>
        <span className="flex items-center gap-1.5 rounded-full border border-control px-3 py-1 text-sm tabular-nums">
          <Coins className="size-4 text-accent-text" />
          1,250
        </span>
      </div>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Part>
          <span className="flex items-center gap-2 font-semibold">
            <Package className="size-5 text-secondary-text" />
            Gold Pack
          </span>
          <span className="text-sm text-muted">3 packs to open</span>
          <span className="h-2.5 overflow-hidden rounded-full border border-control">
            <span className="block h-full w-2/3 bg-secondary-graphic" />
          </span>
          <span className="flex flex-wrap gap-2">
            <Pretend look="button-primary">Open</Pretend>
            <Pretend look="button-secondary">Odds</Pretend>
          </span>
        </Part>
        <Part>
          <span className="flex items-center gap-2 font-semibold">
            <Gift className="size-5 text-accent-text" />
            You won a hoodie
          </span>
          <span className="flex flex-wrap gap-2">
            <Badge tone="success">Completed</Badge>
            <Badge tone="warning">Pending</Badge>
            <Badge tone="danger">Sold out</Badge>
          </span>
          <span className="input flex items-center text-muted">Search prizes</span>
          <span className="flex flex-wrap gap-2">
            <Pretend look="button-primary">Claim</Pretend>
            <Pretend look="button-danger">Delete</Pretend>
          </span>
        </Part>
      </div>
    </section>
  )
}

function Part({ children }: { readonly children: ReactNode }) {
  return <div className="card on-card grid content-start gap-3 p-4">{children}</div>
}

/** Looks like a button and is none: nothing happens here. */
function Pretend({ look, children }: { readonly look: string; readonly children: ReactNode }) {
  return <span className={`button ${look} w-fit`}>{children}</span>
}
