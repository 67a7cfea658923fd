// The newest openings of all: who opened what, and what came of it.

import type { AdminStats } from '@redpack/contract'
import { PackageOpen } from 'lucide-react'
import { formatDateTime } from '../../lib/format.ts'
import { Card, CardHeader } from '../../ui/layout/card.tsx'

/** Across the page: in half of it every cell took two lines, beside a card of half the height. */
export function LatestOpenings({ openings }: { readonly openings: AdminStats['recentOpenings'] }) {
  return (
    <Card>
      <CardHeader level={3} title="Latest openings" icon={PackageOpen} />
      {openings.length === 0 ? (
        <p className="text-muted">No packs were opened yet.</p>
      ) : (
        <OpeningsTable openings={openings} />
      )}
    </Card>
  )
}

function OpeningsTable({ openings }: { readonly openings: AdminStats['recentOpenings'] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section aria-label="Latest openings" tabIndex={0} className="overflow-x-auto">
      <table className="w-full min-w-96 text-start text-sm">
        <thead className="text-muted">
          <tr className="border-b border-line [&>th]:py-2 [&>th]:pe-4 [&>th]:text-start [&>th]:font-medium">
            <th scope="col">When</th>
            <th scope="col">User</th>
            <th scope="col">Pack</th>
            <th scope="col">Prize</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line [&_td]:py-2 [&_td]:pe-4 [&_td]:wrap-anywhere">
          {openings.map(({ id, createdAt, username, packTypeName, prizeName }) => (
            <tr key={id}>
              <td className="whitespace-nowrap">{formatDateTime(createdAt)}</td>
              <td>{username}</td>
              <td>{packTypeName}</td>
              <td>{prizeName ?? <span className="text-muted">None</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
