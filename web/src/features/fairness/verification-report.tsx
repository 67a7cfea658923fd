// The report on one proof: verified here and now, check by check.

import {
  type OpeningProof,
  summaryText,
  type Verdict,
  type Verification,
  type VerificationStep,
  verifyProof,
} from '@redpack/fair/verify'
import {
  CircleCheck,
  CircleDashed,
  CircleX,
  Clock,
  Download,
  type LucideIcon,
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

const looks: Readonly<Record<Verdict, { readonly tone: string; readonly Icon: LucideIcon }>> = {
  passed: { tone: 'border-success text-success', Icon: ShieldCheck },
  waiting: { tone: 'border-warning text-warning', Icon: ShieldQuestion },
  unchecked: { tone: 'border-warning text-warning', Icon: ShieldQuestion },
  failed: { tone: 'border-danger text-danger', Icon: ShieldX },
}

const marks: Readonly<
  Record<Verdict, { readonly word: string; readonly tone: string; readonly Icon: LucideIcon }>
> = {
  passed: { word: 'Passed', tone: 'text-success', Icon: CircleCheck },
  waiting: { word: 'Waiting', tone: 'text-warning', Icon: Clock },
  failed: { word: 'Failed', tone: 'text-danger', Icon: CircleX },
  unchecked: { word: 'Not checked', tone: 'text-muted', Icon: CircleDashed },
}

/** Runs in this browser; the server is asked for the public files of the log and nothing else. */
export function VerificationReport({ proof }: { readonly proof: OpeningProof }) {
  const [found, setFound] = useState<Verification | null>(null)
  useEffect(() => {
    const control = new AbortController()
    const { signal } = control
    void verifyProof(proof, async (log) =>
      (await import('./log-reader.ts')).checkedEntry(log, signal),
    ).then((verification) => {
      if (signal.aborted) return
      setFound(verification)
      announce(summaryText(verification))
    })
    return () => control.abort()
  }, [proof])

  return (
    <div className="grid gap-4">
      {found === null ? <SpinnerPage label="Verifying" /> : <Findings found={found} />}
      <Button
        tone="secondary"
        onClick={() => saveJson(`draw-proof-${proof.opening.id}.json`, proof)}
        className="justify-self-start"
      >
        <Download aria-hidden="true" />
        Download the proof
      </Button>
    </div>
  )
}

function Findings({ found }: { readonly found: Verification }) {
  const { tone, Icon } = looks[found.verdict]
  return (
    <>
      <p
        className={cn(
          'flex items-center gap-3 rounded-control border p-3 font-display text-lg font-semibold',
          tone,
        )}
      >
        <Icon aria-hidden="true" className="size-6 flex-none" />
        {summaryText(found)}
      </p>
      <ol className="grid list-none gap-3 p-0">
        {found.steps.map((step) => (
          <StepRow key={step.name} step={step} />
        ))}
      </ol>
      {found.draw.thresholds.length > 0 && <RollBar {...found.draw} />}
    </>
  )
}

function StepRow({ step }: { readonly step: VerificationStep }) {
  const { word, tone, Icon } = marks[step.verdict]
  return (
    <li className="flex gap-3" data-step={step.name} data-ok={step.verdict === 'passed'}>
      <Icon aria-hidden="true" className={cn('mt-0.5 size-5 flex-none', tone)} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">
          {step.title} <span className={cn('font-normal', tone)}>· {word}</span>
        </p>
        <p className="text-muted">{step.text}</p>
        {step.values.length > 0 && (
          <Disclosure summary="Show the values">
            <dl className="grid gap-2 pb-2">
              {step.values.map(({ name, value }) => (
                <div key={name}>
                  <dt className="text-sm text-muted">{name}</dt>
                  <dd className="font-mono text-sm break-all">{value}</dd>
                </div>
              ))}
            </dl>
          </Disclosure>
        )}
      </div>
    </li>
  )
}
