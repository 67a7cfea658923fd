// A long value in a list of values: its name, the text to compare, and a way to copy it.

import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'

export interface HashRowProps {
  readonly name: string
  /** One sentence about what the value is for. */
  readonly hint?: ReactNode
  readonly value: string
}

/** Stands inside a `dl`. */
export function HashRow({ name, hint, value }: HashRowProps) {
  return (
    <div className="border-t border-line py-3 first:border-t-0">
      <dt className="font-medium">{name}</dt>
      {hint && <dd className="text-sm text-muted">{hint}</dd>}
      <dd className="mt-1 flex items-center gap-2">
        <code className="min-w-0 flex-1 font-mono text-sm break-all">{value}</code>
        <CopyButton text={value} label={`Copy ${name.toLowerCase()}`} />
      </dd>
    </div>
  )
}
