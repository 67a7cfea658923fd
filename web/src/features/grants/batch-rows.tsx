// Rows of a bulk grant with their verdicts, as a table that fits on a phone.

import type { BatchRow } from '@redpack/contract'
import { formatNumber } from '../../lib/format.ts'
import { isTelling, VerdictBadge } from './verdict.tsx'

export interface BatchRowsProps {
  readonly label: string
  readonly rows: readonly BatchRow[]
}

export function BatchRows({ label, rows }: BatchRowsProps) {
  return (
    <section aria-label={label} className="overflow-x-auto rounded-control border border-line">
      <table className="w-full border-collapse text-start [&_td]:border-t [&_td]:border-line [&_td]:px-3 [&_td]:py-2 [&_th]:px-3 [&_th]:py-2 [&_th]:text-start [&_th]:font-display [&_th]:font-semibold">
        <thead className="bg-raised">
          <tr>
            <th scope="col" className="w-px">
              Row
            </th>
            <th scope="col">User</th>
            <th scope="col" className="w-px">
              <span className="block text-end">Amount</span>
            </th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.row}>
              <td className="text-muted tabular-nums">{formatNumber(row.row)}</td>
              <td className="max-w-0 min-w-24">
                <span className="block truncate" title={row.username}>
                  {row.username || '(empty)'}
                </span>
                {row.displayName !== null && row.displayName !== row.username && (
                  <span className="block truncate text-sm text-muted">{row.displayName}</span>
                )}
              </td>
              <td className="text-end tabular-nums">
                {row.amount === null ? '–' : formatNumber(row.amount)}
              </td>
              <td>
                <VerdictBadge verdict={row.verdict} />
                {row.reason !== null && isTelling(row.verdict) && (
                  <span className="mt-0.5 block text-sm text-muted">{row.reason}</span>
                )}
                {row.after !== null && (
                  <span className="mt-0.5 block text-sm text-muted">
                    {formatNumber(row.after)} after it
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
