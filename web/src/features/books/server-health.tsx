// How the server and its books are doing.

import type { AdminStats } from '@redpack/contract'
import { ServerCog } from 'lucide-react'
import { formatDateTime } from '../../lib/format.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { Fact, Facts } from './facts.tsx'
import { booksText, cpuText, memoryText, uptimeText } from './figures.ts'

type Health = Pick<AdminStats, 'serverHealth' | 'books'>

export function ServerHealth({ serverHealth, books }: Health) {
  return (
    <Card>
      <CardHeader level={3} title="Server Health" icon={ServerCog} />
      <Facts>
        <Fact term="Uptime">{uptimeText(serverHealth.uptime)}</Fact>
        <Fact term="Memory">{memoryText(serverHealth.memoryUsage)}</Fact>
        <Fact term="Node version">{serverHealth.nodeVersion}</Fact>
        <Fact term="Platform">{serverHealth.platform}</Fact>
        <Fact term="CPU">{cpuText(serverHealth.cpuUsage)}</Fact>
        <Fact term="Books">
          <BooksState books={books} />
        </Fact>
      </Facts>
    </Card>
  )
}

function BooksState({ books }: Pick<Health, 'books'>) {
  const text = booksText(books)
  if (text === undefined) return 'Not checked yet'
  return (
    <span className="flex flex-wrap items-center justify-end gap-2">
      <Badge tone={books.drift === 0 ? 'success' : 'danger'}>{text}</Badge>
      {books.checkedAt && (
        <span className="text-sm font-normal text-muted">{formatDateTime(books.checkedAt)}</span>
      )}
    </span>
  )
}
