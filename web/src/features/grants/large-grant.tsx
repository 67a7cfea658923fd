// Asks once before very much is given in one act, with the number in words.

import type { BatchKind } from '@redpack/contract'
import { redCoinMax } from '@redpack/contract/limits'
import { numberWords } from '../../lib/number-words.ts'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { amountOf } from './file-preview.tsx'

/** The most that is given without a question. */
const unaskedMax: Readonly<Record<BatchKind, number>> = { packs: 10_000, redcoin: 10_000_000 }

/** Whether a grant of so much in all asks first. */
export function isLargeGrant(kind: BatchKind, total: number): boolean {
  return total > unaskedMax[kind]
}

/** The sum of a large grant in words; nothing for others, and for what no account could hold. */
export function GrantWords({ kind, total }: { readonly kind: BatchKind; readonly total: number }) {
  if (!isLargeGrant(kind, total) || total > redCoinMax) return null
  const unit = kind === 'packs' ? 'packs' : 'RedCoin'
  return (
    <p>
      In words: <strong>{`${numberWords(total)} ${unit}`}</strong> in all.
    </p>
  )
}

export interface LargeGrantDialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly total: number
  /** Absent for RedCoin. */
  readonly packName?: string | undefined
  /** Who gets it. */
  readonly to: string
  readonly onConfirm: () => void
  readonly isPending: boolean
}

export function LargeGrantDialog({ total, packName, to, ...rest }: LargeGrantDialogProps) {
  return (
    <ConfirmDialog
      {...rest}
      tone="primary"
      title="Give that much?"
      description={`Give ${amountOf(total, packName)} to ${to}?`}
      confirmLabel="Confirm"
    >
      <GrantWords kind={packName === undefined ? 'redcoin' : 'packs'} total={total} />
    </ConfirmDialog>
  )
}
