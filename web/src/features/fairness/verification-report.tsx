// The report on a proof or a saved memory: checked here and now, step by step.

import { checkMemory, type SavedMemory } from '@redpack/fair/memory'
import { isSigned } from '@redpack/fair/notes'
import {
  type Findings,
  type OpeningProof,
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
  type LucideIcon,
  ShieldAlert,
  ShieldCheck,
  ShieldQuestion,
  ShieldX,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import { cn } from '../../lib/class-names.ts'
import { saveJson } from '../../lib/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { announce } from '../../ui/live-region.tsx'
import { SpinnerPage } from '../../ui/spinner.tsx'
import { RollBar } from './roll-bar.tsx'

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
