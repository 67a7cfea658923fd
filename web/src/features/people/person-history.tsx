// The latest changes of a user's balance, packs and role.

import type { AdminPerson } from '@redpack/contract'
import type { ReactNode } from 'react'
import { cn } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { Moment } from '../../ui/media/moment.tsx'
import { roleNames } from './user-words.ts'

export function PersonHistory({ person }: { readonly person: AdminPerson }) {
  const { ledger, packHistory, roleHistory } = person
  return (
    <div className="grid gap-6">
      <Part title="RedCoin" isEmpty={ledger.length === 0}>
        {ledger.map((entry) => (
          <Line
            key={entry.id}
            at={entry.createdAt}
            text={entry.description || entry.type}
            change={entry.amount}
            after={`Balance ${formatNumber(entry.balanceAfter)}`}
          />
        ))}
      </Part>
      <Part title="Packs" isEmpty={packHistory.length === 0}>
        {packHistory.map((entry) => (
          <Line
            key={entry.id}
            at={entry.createdAt}
            text={`${entry.packTypeName}: ${entry.description || entry.type}`}
            change={entry.delta}
            after={`Then ${formatNumber(entry.quantityAfter)}`}
          />
        ))}
      </Part>
      <Part title="Role" isEmpty={roleHistory.length === 0}>
        {roleHistory.map((entry) => (
          <li
            key={entry.createdAt}
            className="flex flex-wrap justify-between gap-x-4 border-b border-line py-2"
          >
            <span>
              {roleNames[entry.from]} → {roleNames[entry.to]}
              {entry.actor && ` by @${entry.actor.username}`}
            </span>
            <Moment at={entry.createdAt} className="text-sm text-muted" />
          </li>
        ))}
      </Part>
    </div>
  )
}

interface PartProps {
  readonly title: string
  readonly isEmpty: boolean
  readonly children: ReactNode
}

function Part({ title, isEmpty, children }: PartProps) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-lg">{title}</h3>
      {isEmpty ? (
        <p className="text-muted">No changes yet.</p>
      ) : (
        <ol className="list-none p-0">{children}</ol>
      )}
    </section>
  )
}

interface LineProps {
  readonly at: string
  readonly text: string
  readonly change: number
  readonly after: string
}

function Line({ at, text, change, after }: LineProps) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-b border-line py-2">
      <span className="break-words">{text}</span>
      <span
        className={cn(
          'text-end font-semibold tabular-nums',
          change < 0 ? 'text-danger' : 'text-success',
        )}
      >
        {change > 0 && '+'}
        {formatNumber(change)}
      </span>
      <Moment at={at} className="text-sm text-muted" />
      <span className="text-end text-sm text-muted tabular-nums">{after}</span>
    </li>
  )
}
