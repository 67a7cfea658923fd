// Tells staff when the books do not agree, or when nobody would notice that they do not.

import type { BooksSummary } from '@redpack/contract'
import { commandLine } from '@redpack/contract/command-line'
import { TriangleAlert } from 'lucide-react'
import { formatDateTime, plural } from '../../lib/format.ts'
import { Card, CardHeader } from '../../ui/layout/card.tsx'

/** Nothing while all is well: the health of the server says that. */
export function BooksAlarm({ books }: { readonly books: BooksSummary }) {
  const sentences = booksTroubles(books)
  if (sentences.length === 0) return null
  return (
    <Card role="group" aria-label="Check the books" className="border-warning">
      <CardHeader
        level={3}
        title="Check the books"
        icon={TriangleAlert}
        iconClassName="size-5 text-warning"
      />
      <ul className="grid gap-2">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Card>
  )
}

/** What is wrong and what to do, a sentence or two each. */
function booksTroubles({ drift, checkedAt, failingSince, isOverdue }: BooksSummary): string[] {
  const troubles: string[] = []
  if (drift !== null && drift > 0) {
    troubles.push(
      `${plural(drift, 'rule of the books does', 'rules of the books do')} not hold. Run "` +
        `${commandLine('verify-economy')}" on the server: it names the rows. Back up before you ` +
        'change anything.',
    )
  }
  if (failingSince !== null) {
    troubles.push(
      `Part of the books has not been checked since ${formatDateTime(failingSince)}. The ` +
        'Economy tab says which and why. The server keeps trying.',
    )
  }
  if (isOverdue) {
    const last =
      checkedAt === null
        ? 'The books have never been fully checked'
        : `The books were last checked on ${formatDateTime(checkedAt)}`
    troubles.push(
      `${last}, so errors would go unnoticed. See overview-check-books in the Jobs tab ` +
        `and the server log, and run "${commandLine('verify-economy')}" in the meantime.`,
    )
  }
  return troubles
}
