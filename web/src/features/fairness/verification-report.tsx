// The report on a proof or a saved memory, checked here and now; and the card that takes such a
// file from who has no session.

import { entryAt, rollRange } from '@redpack/fair/draw'
import type { SavedMemory } from '@redpack/fair/memory'
import {
  checkSaved,
  type DrawnRoll,
  type Findings,
  type OpeningProof,
  readSavedFile,
  rollPercent,
  type Verdict,
  type VerificationStep,
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
import { useEffect, useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { cn } from '../../lib/class-names.ts'
import { saveJson } from '../../lib/save-file.ts'
import { announce } from '../../ui/feedback/live-region.tsx'
import { SpinnerPage } from '../../ui/feedback/spinner.tsx'
import { Button, buttonLook } from '../../ui/form/button.tsx'
import { FileDrop } from '../../ui/form/file-drop.tsx'
import { Card, CardHeader, Disclosure } from '../../ui/layout/section.tsx'

const [success, warning, danger] = ['text-success', 'text-warning', 'text-danger']
/** The word, the tone, and the icons beside one check and beside the whole. */
const looks: Readonly<Record<Verdict, readonly [string, string, LucideIcon, LucideIcon]>> = {
  passed: ['Passed', success, CircleCheck, ShieldCheck],
  waiting: ['Waiting', warning, Clock, ShieldQuestion],
  unchecked: ['Not checked', warning, CircleDashed, ShieldQuestion],
  noted: ['Noted', warning, CircleAlert, ShieldAlert],
  failed: ['Failed', danger, CircleX, ShieldX],
}

/** Runs in this browser; the server is asked for the public files of the log and nothing else. */
export function VerificationReport({ saved }: { readonly saved: OpeningProof | SavedMemory }) {
  const [found, setFound] = useState<Findings | null>(null)
  useEffect(() => {
    const control = new AbortController()
    const { signal } = control
    const checkEntry = async (log: string) =>
      (await import('./log-reader.ts')).checkedEntry(log, signal)
    void checkSaved(saved, '', checkEntry).then((findings) => {
      if (signal.aborted) return
      setFound(findings)
      announce(findings.summary)
    })
    return () => control.abort()
  }, [saved])

  if (found === null) return <SpinnerPage label="Verifying" />
  const [, tone, , Icon] = looks[found.verdict]
  return (
    <div className="grid gap-4">
      <p
        className={cn(
          'flex items-center gap-3 rounded-control border border-current p-3 font-display text-lg font-semibold',
          tone,
        )}
      >
        <Icon className="size-6 flex-none" />
        {found.summary}
      </p>
      <ol className="grid list-none gap-3 p-0">
        {found.steps.map((step) => (
          <StepRow key={step.name} step={step} />
        ))}
      </ol>
      {found.draw && found.draw.thresholds.length > 0 && <RollBar {...found.draw} />}
      <Disclosure summary="Show the values">
        <Values steps={found.steps} />
      </Disclosure>
      {'opening' in saved && (
        <Button
          tone="secondary"
          onClick={() => saveJson(`draw-proof-${saved.opening.id}.json`, saved)}
          className="justify-self-start"
          icon={Download}
        >
          Download the proof
        </Button>
      )}
    </div>
  )
}

function StepRow({ step: { name, title, verdict, text } }: { readonly step: VerificationStep }) {
  const [word, tone, Icon] = looks[verdict]
  const isPassed = verdict === 'passed'
  return (
    <li className="flex gap-3" data-step={name} data-ok={isPassed}>
      <Icon className={cn('mt-0.5 size-5 flex-none', tone)} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">
          {title} <span className={isPassed ? 'sr-only' : cn('font-normal', tone)}>· {word}</span>
        </p>
        <p className="break-words text-muted">{text}</p>
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

const shareOf = (rolls: number) => `${(100 * rolls) / rollRange}%`

export function RollBar({ table, thresholds, roll }: DrawnRoll) {
  const ends = [...thresholds, rollRange]
  const ranges = ends.map((end, index) => ({
    name: table.entries[index]?.name ?? 'No prize',
    start: ends[index - 1] ?? 0,
    end,
  }))
  const drawn = entryAt(thresholds, roll) ?? thresholds.length
  return (
    <figure>
      <div aria-hidden="true" className="relative h-6 pt-2">
        <div className="flex h-4 overflow-hidden rounded-full border border-control bg-page">
          {ranges.slice(0, -1).map(({ start, end }, index) => (
            <span
              key={end}
              className={cn(
                'block h-full border-e border-page',
                index % 2 === 0 ? 'bg-chart-up' : 'bg-chart-down',
              )}
              style={{ width: shareOf(end - start) }}
            />
          ))}
        </div>
        <span
          className="absolute top-0 h-8 w-1 -translate-x-1/2 rounded-full border border-page bg-ink"
          style={{ insetInlineStart: shareOf(roll) }}
        />
      </div>
      <figcaption className="sr-only">Ranges of the prizes and the roll</figcaption>
      <ol className="mt-4 list-none divide-y divide-line p-0 text-sm">
        {ranges.map(({ name, start, end }, index) => {
          if (start === end) return null
          const look = drawn === index ? 'font-semibold' : 'text-muted'
          return (
            <li key={end} className={cn('flex flex-wrap justify-between gap-x-4 py-2', look)}>
              <span className="min-w-0 break-words">
                {name}
                {drawn === index && <span className="text-accent-text"> · the roll is here</span>}
              </span>
              <span className="tabular-nums">
                {rollPercent(start)} to {rollPercent(end)}
              </span>
            </li>
          )
        })}
      </ol>
    </figure>
  )
}

const savedFile = {
  accept: 'application/json,.json',
  choose: 'Choose a saved file',
  limit: 'A .json file',
}

export function ProofFileCard() {
  const [saved, setSaved] = useState<OpeningProof | SavedMemory | null>(null)
  const [error, setError] = useState<string>()

  const read = async (file: File | undefined) => {
    setSaved(null)
    setError(undefined)
    try {
      if (file) setSaved(await readSavedFile(file))
    } catch (cause) {
      setError(messageOf(cause, 'The file could not be read.'))
    }
  }
  return (
    <Card>
      <CardHeader
        title="Check a saved file"
        icon={FileSearch}
        iconClassName="size-6 text-accent-text"
        description="Check the proof of an opening or the memory of a browser. No sign-in needed, and nothing is sent."
      />
      <FileDrop
        label="Saved file"
        kind={savedFile}
        error={error}
        onChange={(file) => void read(file)}
      />
      {saved && <VerificationReport saved={saved} />}
      <div className="mt-4 border-t border-line pt-4">
        <p className="mb-3 text-muted">
          The same check in a single file for your computer. It works offline, without this site.
        </p>
        <a href="/verify-proof.html" download className={buttonLook({ tone: 'secondary' })}>
          <Download />
          Download the offline verifier
        </a>
      </div>
    </Card>
  )
}
