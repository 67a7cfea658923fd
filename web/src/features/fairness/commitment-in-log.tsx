// Looks for the commitment in use in the public log, where it must stand before any draw.

import type { ActiveSeedPair } from '@redpack/contract'
import { ScrollText } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { cn } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { findCommitment } from './log-queries.ts'

interface Finding {
  readonly text: string
  readonly tone: string
}

export function CommitmentInLog({ active }: { readonly active: ActiveSeedPair }) {
  const [finding, setFinding] = useState<Finding>()
  const [isRunning, setRunning] = useState(false)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const look = async () => {
    const control = new AbortController()
    running.current = control
    setRunning(true)
    const onProgress = (seen: number) =>
      setFinding({ text: `${formatNumber(seen)} entries looked at…`, tone: 'text-muted' })
    try {
      const found = await findCommitment(active.serverSeedHash, onProgress, control.signal)
      setFinding(found ? foundText(found.index) : missingText(active))
    } catch (error) {
      if (!control.signal.aborted) {
        setFinding({
          text: messageOf(error, 'The log could not be read.'),
          tone: 'text-danger',
        })
      }
    } finally {
      setRunning(false)
    }
  }
  return (
    <div className="min-w-0">
      <Button tone="secondary" isPending={isRunning} onClick={() => void look()}>
        {!isRunning && <ScrollText aria-hidden="true" />}
        Check my commitment in the log
      </Button>
      <p role="status" className={cn('mt-2 text-sm', finding?.tone)}>
        {finding?.text}
      </p>
    </div>
  )
}

function foundText(index: number): Finding {
  return {
    text: `Your commitment is entry ${formatNumber(index)} of the signed log.`,
    tone: 'text-success',
  }
}

/** Before the first draw it may still be on its way; after that it must not be missing. */
function missingText({ nonce }: ActiveSeedPair): Finding {
  return nonce > 0
    ? {
        text: 'Your commitment is not in the log, although packs were drawn with it. That must not be.',
        tone: 'text-danger font-semibold',
      }
    : {
        text: 'Your commitment is not in the log yet. Try again in a few seconds.',
        tone: 'text-warning',
      }
}
