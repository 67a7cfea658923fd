// Checks the whole log in the browser, from its first entry to its newest checkpoint.

import { CircleCheck, CircleX, ShieldCheck, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { formatNumber, plural } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { announce } from '../../ui/live-region.tsx'
import { Progress } from '../../ui/progress.tsx'
import type { LogCheck } from './check-log.ts'

export function WholeLogCheck() {
  const [check, setCheck] = useState<LogCheck>()
  const [failure, setFailure] = useState<string>()
  const [isRunning, setRunning] = useState(false)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    const control = new AbortController()
    running.current = control
    setRunning(true)
    setFailure(undefined)
    setCheck(undefined)
    try {
      const { checkLog } = await import('./check-log.ts')
      const done = await checkLog(setCheck, control.signal)
      setCheck(done)
      if (done) announce(isSound(done) ? 'The whole log holds' : 'The log does not hold')
    } catch (error) {
      if (!control.signal.aborted) setFailure(messageOf(error, 'The log could not be read.'))
    } finally {
      setRunning(false)
    }
  }
  return (
    <section className="mt-6 border-t border-line pt-4">
      <h3 className="text-lg">Check all of it</h3>
      <p className="mt-1 mb-3 text-muted">
        Your browser reads every entry, compares all of them with the signature and with what it
        remembers, and draws every opening again.
      </p>
      {isRunning ? (
        <Button tone="secondary" onClick={() => running.current?.abort()}>
          <Square aria-hidden="true" />
          Stop
        </Button>
      ) : (
        <Button tone="secondary" onClick={() => void start()}>
          <ShieldCheck aria-hidden="true" />
          Check the whole log
        </Button>
      )}
      {isRunning && (
        <>
          <Progress
            label="Entries checked"
            value={(100 * (check?.checked ?? 0)) / Math.max(1, check?.total ?? 1)}
            valueText={progressText(check)}
            className="mt-4"
          />
          <p aria-hidden="true" className="mt-1 text-sm text-muted tabular-nums">
            {progressText(check)}
          </p>
        </>
      )}
      {failure && <p className="mt-4 text-danger">{failure}</p>}
      {check && <Faults check={check} />}
      {check?.isDone && <Summary check={check} />}
    </section>
  )
}

function progressText(check: LogCheck | undefined): string {
  return `${formatNumber(check?.checked ?? 0)} of ${formatNumber(check?.total ?? 0)}`
}

function isSound({ faultCount, treeFault }: LogCheck): boolean {
  return faultCount === 0 && treeFault === undefined
}

function Faults({ check }: { readonly check: LogCheck }) {
  const { faults, faultCount, treeFault } = check
  if (isSound(check)) return null
  const more = faultCount - faults.length
  return (
    <div role="alert" className="mt-4 rounded-control border border-danger p-4">
      <p className="flex items-start gap-2 font-display text-lg font-semibold text-danger">
        <CircleX aria-hidden="true" className="size-6 flex-none" />
        This log does not hold
      </p>
      <ul className="mt-2 list-disc ps-6">
        {treeFault && <li>{treeFault}</li>}
        {faults.map(({ index, text }) => (
          <li key={`${index} ${text}`}>
            Entry {formatNumber(index)} {text}.
          </li>
        ))}
        {more > 0 && <li>And {plural(more, 'fault', 'faults')} more.</li>}
      </ul>
    </div>
  )
}

function Summary({ check }: { readonly check: LogCheck }) {
  const { counts, checked, rememberedSize, cutStocks } = check
  return (
    <div className="mt-4">
      {isSound(check) && (
        <p className="flex items-start gap-2 font-medium text-success">
          <CircleCheck aria-hidden="true" className="size-6 flex-none" />
          All {plural(checked, 'entry', 'entries')} hold, and the signed checkpoint says so.
        </p>
      )}
      <ul className="mt-2 list-disc ps-6 text-muted">
        <li>
          {plural(counts.openings, 'opening', 'openings')} with{' '}
          {plural(counts.packs, 'pack', 'packs')} drawn again, from{' '}
          {plural(counts.chains, 'chain', 'chains')} of seeds
          {counts.byServer > 0 &&
            `; ${formatNumber(counts.byServer)} with random bytes from the server`}
          .
        </li>
        {counts.givenUp > 0 && (
          <li>
            {plural(counts.givenUp, 'chain', 'chains')} ended without their last seed, whose key was
            lost: a withheld win could hide there.
          </li>
        )}
        {cutStocks.map(({ index, prizeId }) => (
          <li key={index}>
            Entry {formatNumber(index)}: prize {prizeId} was sold out within ten minutes after staff
            had taken from its stock.
          </li>
        ))}
        <li>
          {plural(counts.tables, 'odds table', 'odds tables')} and{' '}
          {plural(counts.stockChanges, 'stock change', 'stock changes')}
          {isSound(check) &&
            '; every win of a limited prize took one unit, and sold out was said only where none was left'}
          .
        </li>
        <li>
          {rememberedSize === undefined
            ? 'This browser had seen nothing of this log before.'
            : `The ${plural(rememberedSize, 'entry', 'entries')} that this browser had seen before are still the same.`}
        </li>
      </ul>
    </div>
  )
}
