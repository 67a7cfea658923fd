// The report on one proof: verified here and now, check by check.

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
import { Button } from '../../ui/button.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { announce } from '../../ui/live-region.tsx'
import { SpinnerPage } from '../../ui/spinner.tsx'
import { type Checked, checkProof } from './check-proof.ts'
import type { DrawProof, Verdict } from './draw-proof.ts'
import { downloadProof } from './proof-file.ts'
import { RollBar } from './roll-bar.tsx'
import { type ReportStep, summaryText } from './verification-steps.ts'

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

type Report = { readonly checked: Checked } | { readonly failure: string }

const noCryptography =
  'This browser offers no cryptography here, usually because the page was not opened over HTTPS. Download the proof and check it on a secure page.'

/** Runs in this browser; the server is asked for the public files of the log and nothing else. */
export function VerificationReport({ proof }: { readonly proof: DrawProof }) {
  const [report, setReport] = useState<Report | null>(null)

  useEffect(() => {
    let isCurrent = true
    const control = new AbortController()
    const show = (next: Report) => {
      if (!isCurrent) return
      setReport(next)
      announce('failure' in next ? next.failure : summaryText(next.checked))
    }
    checkProof(proof, control.signal).then(
      (checked) => show({ checked }),
      () => show({ failure: noCryptography }),
    )
    return () => {
      isCurrent = false
      control.abort()
    }
  }, [proof])

  return (
    <div className="grid gap-4">
      {report === null && <SpinnerPage label="Verifying" />}
      {report && 'failure' in report && <p className="text-danger">{report.failure}</p>}
      {report && 'checked' in report && <Findings checked={report.checked} />}
      <Button tone="secondary" onClick={() => downloadProof(proof)} className="justify-self-start">
        <Download aria-hidden="true" />
        Download proof
      </Button>
    </div>
  )
}

function Findings({ checked }: { readonly checked: Checked }) {
  const { verification, steps } = checked
  const { tone, Icon } = looks[verification.verdict]
  return (
    <>
      <p
        className={cn(
          'flex items-center gap-3 rounded-control border p-3 font-display text-lg font-semibold',
          tone,
        )}
      >
        <Icon aria-hidden="true" className="size-6 flex-none" />
        {summaryText(checked)}
      </p>
      <ol className="grid list-none gap-3 p-0">
        {steps.map((step) => (
          <StepRow key={step.name} step={step} />
        ))}
      </ol>
      {verification.ranges.length > 0 && <RollBar {...verification} />}
    </>
  )
}

function StepRow({ step }: { readonly step: ReportStep }) {
  const { word, tone, Icon } = marks[step.verdict]
  return (
    <li className="flex gap-3">
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
