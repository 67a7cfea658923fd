// Puts a text on the clipboard and says so.

import { Check, Copy, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { announce } from '../feedback/live-region.tsx'
import { toastError } from '../feedback/outcome.ts'
import { IconButton } from './button.tsx'

/** How long the check mark stands in for the icon, in milliseconds. */
const confirmMs = 2000

export interface CopyButtonProps {
  readonly text: string
  /** What the button does, for example 'Copy Claim ID'. */
  readonly label: string
  readonly onCopied?: () => void
}

export function CopyButton({ text, label, onCopied }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (!outcome) return
    const timer = window.setTimeout(setOutcome, confirmMs, undefined)
    return () => window.clearTimeout(timer)
  }, [outcome])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
      announce('Copied')
      onCopied?.()
    } catch {
      setOutcome('failed')
      toastError(undefined, 'Could not copy')
    }
  }
  return (
    <IconButton label={label} onClick={copy}>
      {outcome === undefined && <Copy />}
      {outcome === 'copied' && <Check className="text-success" />}
      {outcome === 'failed' && <X className="text-danger" />}
    </IconButton>
  )
}
