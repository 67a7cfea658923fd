// The report on one proof: verified here and now, check by check.

import type { OpeningProof } from '@redpack/contract'
import {
  CircleCheck,
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
import { downloadProof } from './proof-file.ts'
import { RollBar } from './roll-bar.tsx'
import { type VerificationStep, verificationSteps } from './verification-steps.ts'
import { type Verdict, type Verification, verifyProof } from './verify-proof.ts'

const summaries: Readonly<
  Record<Verdict, { readonly title: string; readonly tone: string; readonly Icon: LucideIcon }>
> = {
  passed: {
    title: 'Verified: this draw was fair',
    tone: 'border-success text-success',
    Icon: ShieldCheck,
  },
  waiting: {
    title: 'Not complete yet: the server seed is still secret',
    tone: 'border-warning text-warning',
    Icon: ShieldQuestion,
  },
  failed: {
    title: 'Failed: this draw does not add up',
    tone: 'border-danger text-danger',
    Icon: ShieldX,
  },
}

const marks: Readonly<
  Record<Verdict, { readonly word: string; readonly tone: string; readonly Icon: LucideIcon }>
> = {
  passed: { word: 'Passed', tone: 'text-success', Icon: CircleCheck },
  waiting: { word: 'Waiting', tone: 'text-warning', Icon: Clock },
  failed: { word: 'Failed', tone: 'text-danger', Icon: CircleX },
}

type Report = { readonly verification: Verification } | { readonly failure: string }

const noCryptography =
  'This browser offers no cryptography here, usually because the page was not opened over HTTPS. Download the proof and check it on a secure page.'

/** Runs in this browser; nothing about the result is asked of the server. */
export function VerificationReport({ proof }: { readonly proof: OpeningProof }) {
  const [report, setReport] = useState<Report | null>(null)

  useEffect(() => {
    let isCurrent = true
    const show = (next: Report) => {
      if (!isCurrent) return
      setReport(next)
      announce('failure' in next ? next.failure : summaries[next.verification.verdict].title)
    }
    verifyProof(proof).then(
      (verification) => show({ verification }),
      () => show({ failure: noCryptography }),
    )
    return () => {
      isCurrent = false
    }
  }, [proof])

  return (
    <div className="grid gap-4">
      {report === null && <SpinnerPage label="Verifying" />}
      {report && 'failure' in report && <p className="text-danger">{report.failure}</p>}
      {report && 'verification' in report && (
        <Findings proof={proof} verification={report.verification} />
      )}
      <Button tone="secondary" onClick={() => downloadProof(proof)} className="justify-self-start">
        <Download aria-hidden="true" />
        Download proof
      </Button>
    </div>
  )
}

interface FindingsProps {
  readonly proof: OpeningProof
  readonly verification: Verification
}

function Findings({ proof, verification }: FindingsProps) {
  const { title, tone, Icon } = summaries[verification.verdict]
  return (
    <>
      <p
        className={cn(
          'flex items-center gap-3 rounded-control border p-3 font-display text-lg font-semibold',
          tone,
        )}
      >
        <Icon aria-hidden="true" className="size-6 flex-none" />
        {title}
      </p>
      <ol className="grid list-none gap-3 p-0">
        {verificationSteps(proof, verification).map((step) => (
          <StepRow key={step.name} step={step} />
        ))}
      </ol>
      {verification.ranges.length > 0 && <RollBar {...verification} />}
    </>
  )
}

function StepRow({ step }: { readonly step: VerificationStep }) {
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
