// Follows the whole chain in the browser, from the first entry to the newest.

import { Link2, Link2Off, ShieldCheck, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { announce } from '../../ui/live-region.tsx'
import { Progress } from '../../ui/progress.tsx'
import { checkWholeLog, type WholeCheck } from './queries.ts'

export function WholeLogCheck() {
  const [check, setCheck] = useState<WholeCheck>()
  const [failure, setFailure] = useState<string>()
  const running = useRef<AbortController | null>(null)
  const [isRunning, setRunning] = useState(false)
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    const control = new AbortController()
    running.current = control
    setRunning(true)
    setFailure(undefined)
    setCheck(undefined)
    try {
      await checkWholeLog(setCheck, control.signal)
      announce('The check of the whole log is done')
    } catch (error) {
      if (!control.signal.aborted) setFailure(messageOf(error, 'The log could not be read.'))
    } finally {
      setRunning(false)
    }
  }
  return (
    <div className="mt-6 border-t border-line pt-4">
      <p className="mb-3 text-muted">
        Your browser can follow the whole log from its first entry. Keep the fingerprint it ends in:
        with it you can tell later whether anything before it was changed.
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
        <Progress
          label="Entries checked"
          value={(100 * (check?.checked ?? 0)) / Math.max(1, check?.total ?? 1)}
          valueText={`${formatNumber(check?.checked ?? 0)} of ${formatNumber(check?.total ?? 0)}`}
          className="mt-4"
        />
      )}
      {failure && <p className="mt-4 text-danger">{failure}</p>}
      {check?.fault && <Fault check={check} />}
      {check?.end && !check.fault && <Whole check={check} />}
    </div>
  )
}

function Fault({ check }: { readonly check: WholeCheck }) {
  return (
    <p className="mt-4 flex items-start gap-2 font-medium text-danger">
      <Link2Off aria-hidden="true" className="size-6 flex-none" />
      The chain breaks at entry {formatNumber(check.fault?.position ?? 0)}. The entries before it
      hold.
    </p>
  )
}

function Whole({ check }: { readonly check: WholeCheck }) {
  const hash = check.end?.hash ?? ''
  return (
    <div className="mt-4">
      <p className="flex items-start gap-2 font-medium text-success">
        <Link2 aria-hidden="true" className="size-6 flex-none" />
        The chain holds from entry 1 to entry {formatNumber(check.checked)}.
      </p>
      <p className="mt-2 flex items-center gap-2">
        <code className="min-w-0 text-sm break-all">{hash}</code>
        <CopyButton text={hash} label="Copy the fingerprint of the newest entry" />
      </p>
    </div>
  )
}
