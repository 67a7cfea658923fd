// Whether the books agree: one word, when it was counted, and every invariant behind it.

import type { BooksState } from '@redpack/contract'
import { BookCheck, BookX, CircleCheck, CircleX, Hourglass } from 'lucide-react'
import { formatDateTime, formatNumber, plural } from '../../lib/format.ts'
import { DataState } from '../../ui/feedback/data-state.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { useBooks } from './economy-queries.ts'

export function BooksTile() {
  const books = useBooks()
  return (
    <Card>
      <DataState query={books} what="the books" skeleton="h-16">
        {(state) => <Books state={state} />}
      </DataState>
    </Card>
  )
}

function Books({ state }: { readonly state: BooksState }) {
  const { drift, checkedAt, invariants } = state
  const looks =
    drift === null
      ? { Icon: Hourglass, tone: 'text-muted', text: 'The books were not checked yet' }
      : drift === 0
        ? { Icon: BookCheck, tone: 'text-success', text: 'The books agree' }
        : {
            Icon: BookX,
            tone: 'text-danger',
            text: `${plural(drift, 'invariant does', 'invariants do')} not hold`,
          }
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <looks.Icon aria-hidden="true" className={`size-8 flex-none ${looks.tone}`} />
        <h3 className="text-xl">{looks.text}</h3>
        {checkedAt && (
          <p className="text-sm text-muted sm:ms-auto">Checked {formatDateTime(checkedAt)}</p>
        )}
      </div>
      {invariants.length > 0 && (
        <Disclosure summary={plural(invariants.length, 'invariant', 'invariants')}>
          <ul className="grid gap-1 text-sm">
            {invariants.map(({ id, title, brokenRows, failure }) => (
              <li key={id} className="flex gap-2">
                {brokenRows === 0 ? (
                  <CircleCheck
                    aria-label="Holds"
                    className="mt-0.5 size-4 flex-none text-success"
                  />
                ) : (
                  <CircleX aria-label="Broken" className="mt-0.5 size-4 flex-none text-danger" />
                )}
                <span className="min-w-0 break-words">
                  {title}
                  {brokenRows > 0 && ` (${formatNumber(brokenRows)} rows)`}
                  {failure !== null && `. It could not be checked: ${failure}`}
                </span>
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
    </>
  )
}
