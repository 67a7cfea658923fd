// The fields of an act that gives or takes: who, which packs, how much, and what it asks first.

import type { AdminUser, BatchKind } from '@redpack/contract'
import { redCoinMax } from '@redpack/contract/limits'
import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { formatNumber, formatRedCoin, formatSigned } from '../../lib/format.ts'
import { useSettledText } from '../../lib/settled-text.ts'
import { IconButton } from '../../ui/form/button.tsx'
import { NumberField, type NumberFieldProps } from '../../ui/form/number-field.tsx'
import { Avatar } from '../../ui/media/avatar.tsx'
import type { ConfirmDialogProps } from '../../ui/overlay/dialog-panel.tsx'
import { useNamedPackTypes } from '../catalogue/pack-type-queries.ts'
import { usePerson } from '../people/users-queries.ts'
import { HeldPacks, UserField, useRecipients } from '../session/shared/suggest-users.tsx'

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const groups = ['', ' thousand', ' million', ' billion', ' trillion', ' quadrillion']

function belowThousand(value: number): string {
  const hundreds = Math.floor(value / 100)
  const rest = value % 100
  const unit = rest % 10 === 0 ? '' : `-${small[rest % 10]}`
  const restWords = rest < 20 ? small[rest] : `${tens[Math.floor(rest / 10)]}${unit}`
  if (hundreds === 0) return `${restWords}`
  return `${small[hundreds]} hundred${rest === 0 ? '' : ` ${restWords}`}`
}

/** 12,000,500 is 'twelve million five hundred'; takes whole numbers from 0 to 2^53. */
export function numberWords(value: number): string {
  if (value < 1000) return belowThousand(value)
  const words: string[] = []
  let rest = value
  for (const group of groups) {
    if (rest % 1000 > 0) words.unshift(`${belowThousand(rest % 1000)}${group}`)
    rest = Math.floor(rest / 1000)
  }
  return words.join(' ')
}

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

export type Question = Pick<
  ConfirmDialogProps,
  'tone' | 'title' | 'description' | 'confirmLabel' | 'children'
>

/** Asks once before very much is given, with the number in words; RedCoin has no `packName`. */
export function largeGrantQuestion(
  total: number,
  packName: string | undefined,
  to: string,
): Question {
  return {
    tone: 'primary',
    title: 'Give that much?',
    description: `Give ${amountOf(total, packName)} to ${to}?`,
    confirmLabel: 'Confirm',
    children: <GrantWords kind={packName === undefined ? 'redcoin' : 'packs'} total={total} />,
  }
}

/** '12 × Gold' or '1,200 RedCoin'; what was taken back is below zero. */
export function amountOf(total: number, packTypeName: string | undefined): string {
  const amount = total < 0 ? formatSigned(total) : formatNumber(total)
  return packTypeName === undefined ? `${amount} RedCoin` : `${amount} × ${packTypeName}`
}

/** How long after the field is left its list closes, in milliseconds. */
export const recipientsCloseMs = 150
/** How long after the last letter the search starts, in milliseconds. */
const searchDelayMs = 150

/** The chosen user as they are by now: others give and take as well. */
export function useByNow(user: AdminUser | undefined): AdminUser | undefined {
  return usePerson(user?.id ?? 0).data?.user ?? user
}

interface RecipientFieldProps {
  readonly user: AdminUser | undefined
  readonly onChange: (user: AdminUser | undefined) => void
}

export function RecipientField({ user: chosen, onChange }: RecipientFieldProps) {
  const user = useByNow(chosen)
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const { settled: search, isSettled: isStill } = useSettledText(text, searchDelayMs)
  const { data: found = [], isPlaceholderData } = useRecipients(search)
  const isSettled = isStill && !isPlaceholderData
  const pick = (picked: AdminUser) => {
    setText('')
    onChange(picked)
  }
  if (user) {
    return (
      <PickedRecipient
        user={user}
        onClear={() => {
          onChange(undefined)
          window.setTimeout(() => field.current?.focus())
        }}
      />
    )
  }
  return (
    <div>
      <UserField
        label="User"
        placeholder="Name, username or email"
        fieldRef={field}
        value={text}
        onChange={setText}
        closeDelayMs={recipientsCloseMs}
        users={isSettled ? found : []}
        onPick={pick}
        onSubmit={() => {
          const [only] = found
          if (only && found.length === 1 && isSettled) pick(only)
        }}
      />
      <p role="status" className="mt-1.5 text-sm text-muted">
        {isSettled &&
          found.length === 0 &&
          (search === '' ? 'No users found' : `No users found matching "${search}"`)}
      </p>
    </div>
  )
}

interface PickedRecipientProps {
  readonly user: AdminUser
  readonly onClear: () => void
}

function PickedRecipient({ user, onClear }: PickedRecipientProps) {
  return (
    <div>
      <p className="mb-1.5 font-medium">User</p>
      <section
        aria-label="Chosen user"
        className="flex items-center gap-3 rounded-control border border-accent-graphic bg-raised p-3"
      >
        <Avatar name={user.displayName} src={user.avatar} className="size-11" />
        <div className="min-w-0 flex-1">
          <p className="truncate font-semibold">{user.displayName}</p>
          <p className="truncate text-sm text-muted">
            @{user.username} · {formatRedCoin(user.redCoinBalance)}
          </p>
          <HeldPacks user={user} className="mt-1.5" />
        </div>
        <IconButton icon={X} label="Choose another user" onClick={onClear} />
      </section>
    </div>
  )
}

/** The name of the chosen pack type, empty while nothing is chosen. */
export function usePackTypeName(value: string): string {
  return useNamedPackTypes().data?.find(({ id }) => String(id) === value)?.name ?? ''
}

export interface AmountFieldProps extends Partial<NumberFieldProps> {
  readonly kind: BatchKind
  readonly value: number | null
  readonly onChange: (amount: number | null) => void
}

const amounts = {
  packs: { label: 'Quantity', unit: 'packs', step: 1, fieldClassName: 'max-w-56' },
  redcoin: { label: 'Amount', unit: 'RedCoin', step: 10, fieldClassName: 'max-w-80' },
} as const

/** How many packs, or how much RedCoin; an empty field is not wrong yet. */
export function AmountField({ kind, ...rest }: AmountFieldProps) {
  const { value } = rest
  const { label } = amounts[kind]
  const error =
    value === null || isAmount(value)
      ? undefined
      : `${label} must be ${Number.isInteger(value) ? 'at least 1' : 'a whole number'}`
  return <NumberField min={1} error={error} {...amounts[kind]} {...rest} />
}

/** Whether a number can be given or taken. */
export function isAmount(value: number | null): value is number {
  return value !== null && Number.isInteger(value) && value >= 1
}
