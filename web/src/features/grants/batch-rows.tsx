// Rows of a bulk grant with their verdicts, as a table that fits on a phone.

import type { BatchRow, RowVerdict } from '@redpack/contract'
import {
  Check,
  CircleHelp,
  Copy,
  Hash,
  type LucideIcon,
  TriangleAlert,
  UserPen,
  UserX,
  WalletMinimal,
} from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/feedback/badge.tsx'

export interface BatchRowsProps {
  readonly label: string
  readonly rows: readonly BatchRow[]
}

export function BatchRows({ label, rows }: BatchRowsProps) {
  return (
    <section aria-label={label} className="overflow-x-auto rounded-control border border-line">
      <table className="w-full border-collapse [&_td]:border-t [&_td]:border-line [&_td]:px-3 [&_td]:py-2 [&_th]:px-3 [&_th]:py-2 [&_th]:font-display [&_th]:font-semibold">
        <thead className="bg-raised">
          <tr>
            <th scope="col" className="w-px text-start">
              Row
            </th>
            <th scope="col" className="text-start">
              User and verdict
            </th>
            <th scope="col" className="w-px text-end">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.row}>
              <td className="text-muted tabular-nums">{formatNumber(row.row)}</td>
              <td className="max-w-0">
                <UserAndVerdict row={row} />
              </td>
              <td className="text-end tabular-nums">
                {row.amount === null ? '–' : formatNumber(row.amount)}
                {row.after !== null && (
                  <span className="block whitespace-nowrap text-sm text-muted">
                    then {formatNumber(row.after)}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The verdict stands beside the name, or below it where there is no room. */
function UserAndVerdict({ row }: { readonly row: BatchRow }) {
  const { username, displayName, verdict, reason } = row
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <div className="min-w-0 flex-1 basis-36">
        <span className="block truncate" title={username}>
          {username || '(empty)'}
        </span>
        {displayName !== null && displayName !== username && (
          <span className="block truncate text-sm text-muted">{displayName}</span>
        )}
      </div>
      <div className="flex-none">
        <VerdictBadge verdict={verdict} />
        {reason !== null && isTelling(verdict) && (
          <span className="mt-0.5 block text-sm text-muted">{reason}</span>
        )}
      </div>
    </div>
  )
}

// The verdict on a row of a bulk grant, in words, look and picture.
interface VerdictLook {
  readonly word: string
  readonly tone: 'success' | 'warning' | 'danger' | 'info'
  readonly Icon: LucideIcon
}

const looks: Readonly<Record<RowVerdict, VerdictLook>> = {
  ok: { word: 'OK', tone: 'success', Icon: Check },
  unknown: { word: 'Unknown user', tone: 'danger', Icon: UserX },
  ambiguous: { word: 'Several users', tone: 'danger', Icon: CircleHelp },
  renamed: { word: 'Renamed', tone: 'warning', Icon: UserPen },
  duplicate: { word: 'Duplicate', tone: 'warning', Icon: Copy },
  bad_number: { word: 'Bad number', tone: 'danger', Icon: Hash },
  over_limit: { word: 'Over limit', tone: 'danger', Icon: TriangleAlert },
  spent: { word: 'Spent', tone: 'warning', Icon: WalletMinimal },
  gone: { word: 'Gone', tone: 'warning', Icon: UserX },
}

function VerdictBadge({ verdict }: { readonly verdict: RowVerdict }) {
  const { word, tone, Icon } = looks[verdict]
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" />}>
      {word}
    </Badge>
  )
}

/** The reason says more than the verdict's own word: a new name, what is missing. */
function isTelling(verdict: RowVerdict): boolean {
  return verdict === 'renamed' || verdict === 'bad_number' || verdict === 'spent'
}
