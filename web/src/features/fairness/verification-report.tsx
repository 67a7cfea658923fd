// The report on a proof or a saved memory, checked here and now; and the card that takes such a
// file from who has no session.

import { entryAt, rollRange } from '@redpack/fair/draw'
import type { SavedMemory } from '@redpack/fair/memory'
import { isSigned } from '@redpack/fair/notes'
import { checkMemory, readSavedFile } from '@redpack/fair/saved-file'
import {
  type DrawnRoll,
  type Findings,
  type OpeningProof,
  rollPercent,
  type Verdict,
  type Verification,
  type VerificationStep,
  verifyProof,
} from '@redpack/fair/verify'
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleX,
  Clock,
  Download,
  FileSearch,
  type LucideIcon,
  ShieldAlert,
  ShieldCheck,
  ShieldQuestion,
  ShieldX,
} from 'lucide-react'
import { type ChangeEvent, useEffect, useState } from 'react'
import { cn } from '../../lib/class-names.ts'
import { saveJson } from '../../lib/save-file.ts'
import { announce } from '../../ui/feedback/live-region.tsx'
import { SpinnerPage } from '../../ui/feedback/spinner.tsx'
import { Button, buttonLook } from '../../ui/form/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { Disclosure } from '../../ui/layout/disclosure.tsx'

interface Look {
  readonly word: string
  readonly tone: string
  /** Beside one check, and beside the whole. */
  readonly icons: readonly [LucideIcon, LucideIcon]
}

const looks: Readonly<Record<Verdict, Look>> = {
  passed: { word: 'Passed', tone: 'success', icons: [CircleCheck, ShieldCheck] },
  waiting: { word: 'Waiting', tone: 'warning', icons: [Clock, ShieldQuestion] },
  unchecked: { word: 'Not checked', tone: 'warning', icons: [CircleDashed, ShieldQuestion] },
  noted: { word: 'Noted', tone: 'warning', icons: [CircleAlert, ShieldAlert] },
  failed: { word: 'Failed', tone: 'danger', icons: [CircleX, ShieldX] },
}
const tones: Readonly<Record<string, string>> = {
  success: 'border-success text-success',
  warning: 'border-warning text-warning',
  danger: 'border-danger text-danger',
}

/** Runs in this browser; the server is asked for the public files of the log and nothing else. */
export function VerificationReport({ saved }: { readonly saved: OpeningProof | SavedMemory }) {
  const [found, setFound] = useState<Findings | Verification | null>(null)
  useEffect(() => {
    const control = new AbortController()
    const { signal } = control
    const finding =
      'requests' in saved
        ? checkMemory(saved, '', isSigned)
        : verifyProof(saved, async (log) =>
            (await import('./log-reader.ts')).checkedEntry(log, signal),
          )
    void finding.then((findings) => {
      if (signal.aborted) return
      setFound(findings)
      announce(findings.summary)
    })
    return () => control.abort()
  }, [saved])

  if (found === null) return <SpinnerPage label="Verifying" />
  const { tone, icons } = looks[found.verdict]
  const [, Icon] = icons
  return (
    <div className="grid gap-4">
      <p
        className={cn(
          'flex items-center gap-3 rounded-control border p-3 font-display text-lg font-semibold',
          tones[tone],
        )}
      >
        <Icon aria-hidden="true" className="size-6 flex-none" />
        {found.summary}
      </p>
      <ol className="grid list-none gap-3 p-0">
        {found.steps.map((step) => (
          <StepRow key={step.name} step={step} />
        ))}
      </ol>
      {'draw' in found && found.draw.thresholds.length > 0 && <RollBar {...found.draw} />}
      <Disclosure summary="Show the values">
        <Values steps={found.steps} />
      </Disclosure>
      {'opening' in saved && (
        <Button
          tone="secondary"
          onClick={() => saveJson(`draw-proof-${saved.opening.id}.json`, saved)}
          className="justify-self-start"
        >
          <Download aria-hidden="true" />
          Download the proof
        </Button>
      )}
    </div>
  )
}

function StepRow({ step }: { readonly step: VerificationStep }) {
  const { word, tone, icons } = looks[step.verdict]
  const [Icon] = icons
  const isPassed = step.verdict === 'passed'
  return (
    <li className="flex gap-3" data-step={step.name} data-ok={isPassed}>
      <Icon aria-hidden="true" className={cn('mt-0.5 size-5 flex-none', tones[tone])} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">
          {step.title}{' '}
          <span className={isPassed ? 'sr-only' : cn('font-normal', tones[tone])}>· {word}</span>
        </p>
        <p className="break-words text-muted">{step.text}</p>
      </div>
    </li>
  )
}

function Values({ steps }: { readonly steps: readonly VerificationStep[] }) {
  return (
    <dl className="grid gap-2 pb-2">
      {steps.flatMap((step) =>
        step.values.map(({ name, value }) => (
          <div key={`${step.name} ${name} ${value}`}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="font-mono text-sm break-all">{value}</dd>
          </div>
        )),
      )}
    </dl>
  )
}

/** Share of the whole range, 0 to 100, for drawing. */
const percentOf = (rolls: number) => (100 * rolls) / rollRange

export function RollBar({ table, thresholds, roll }: DrawnRoll) {
  const ranges = table.entries.map((entry, index) => ({
    entry,
    from: thresholds[index - 1] ?? 0,
    to: thresholds[index] ?? 0,
  }))
  const drawn = entryAt(thresholds, roll)
  const end = thresholds.at(-1) ?? 0
  return (
    <figure>
      <div aria-hidden="true" className="relative h-6 pt-2">
        <div className="flex h-4 overflow-hidden rounded-full border border-control bg-page">
          {ranges.map(({ entry, from, to }, index) => (
            <span
              key={entry.prizeId}
              className={cn(
                'block h-full border-e border-page',
                index % 2 === 0 ? 'bg-secondary-graphic' : 'bg-accent-graphic',
              )}
              style={{ width: `${percentOf(to - from)}%` }}
            />
          ))}
        </div>
        <span
          className="absolute top-0 h-8 w-1 -translate-x-1/2 rounded-full border border-page bg-ink"
          style={{ insetInlineStart: `${percentOf(roll)}%` }}
        />
      </div>
      <figcaption className="sr-only">Ranges of the prizes and the roll</figcaption>
      <ol className="mt-4 list-none divide-y divide-line p-0">
        {ranges.map(({ entry, from, to }, index) => (
          <RangeRow
            key={entry.prizeId}
            name={entry.name}
            from={from}
            to={to}
            isDrawn={drawn === index}
          />
        ))}
        <RangeRow name="No prize" from={end} to={rollRange} isDrawn={drawn === undefined} />
      </ol>
    </figure>
  )
}

interface RangeRowProps extends Readonly<Record<'from' | 'to', number>> {
  readonly name: string
  readonly isDrawn: boolean
}

function RangeRow({ name, from, to, isDrawn }: RangeRowProps) {
  if (from === to) return null
  return (
    <li
      className={cn(
        'flex flex-wrap justify-between gap-x-4 py-2 text-sm',
        isDrawn ? 'font-semibold' : 'text-muted',
      )}
    >
      <span className="min-w-0 break-words">
        {name}
        {isDrawn && <span className="text-accent-text"> · the roll is here</span>}
      </span>
      <span className="tabular-nums">
        {rollPercent(from)} to {rollPercent(to)}
      </span>
    </li>
  )
}

export function ProofFileCard() {
  const [saved, setSaved] = useState<OpeningProof | SavedMemory | null>(null)
  const [error, setError] = useState<string>()

  const read = async (file: File | undefined) => {
    setSaved(null)
    setError(undefined)
    if (!file) return
    try {
      setSaved(await readSavedFile(file))
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : 'The file could not be read.')
    }
  }
  return (
    <Card>
      <CardHeader
        title="Check a saved file"
        icon={FileSearch}
        iconClassName="size-6 text-accent-text"
        description="The proof of an opening, or the memory of a browser. You do not have to sign in, and nothing is sent."
      />
      <TextField
        label="Saved file"
        type="file"
        accept="application/json,.json"
        error={error}
        onChange={(event: ChangeEvent<HTMLInputElement>) => void read(event.target.files?.[0])}
        className="text-muted file:me-3 file:font-display file:font-semibold file:text-ink"
        fieldClassName="mb-4 max-w-md"
      />
      {saved && <VerificationReport saved={saved} />}
      <div className="mt-4 border-t border-line pt-4">
        <p className="mb-3 text-muted">
          The same check as one file for your computer. It works without this site and without a
          network.
        </p>
        <a href="/verify-proof.html" download className={buttonLook({ tone: 'secondary' })}>
          <Download aria-hidden="true" />
          Download the offline verifier
        </a>
      </div>
    </Card>
  )
}
