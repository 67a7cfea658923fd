// Requests that were refused or never answered, and what they would have given; and the memory of
// this browser as a file.

import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { formatDateTime, plural } from '../../lib/format.ts'
import { saveJson } from '../../lib/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import {
  type DrawMemory,
  keptTable,
  prizeNameIn,
  type RememberedRequest,
  readMemory,
} from './draw-memory.ts'
import { isWithheld } from './own-chain.ts'

const lookEveryMs = 5_000

interface Withheld {
  readonly request: RememberedRequest
  /** Undefined until its seed is known. */
  readonly gave: string | undefined
}

async function withheldOf(userId: number): Promise<{ memory: DrawMemory; withheld: Withheld[] }> {
  const memory = await readMemory(userId)
  const { requests } = memory
  const counted = requests.filter((request) => isWithheld(request, requests) && request.gave)
  const withheld = await Promise.all(
    counted.map(async (request) => ({ request, gave: await gaveText(request) })),
  )
  return { memory, withheld }
}

async function gaveText({ gave = [], tableHash }: RememberedRequest): Promise<string> {
  const won = gave.filter((prizeId) => prizeId !== null)
  if (won.length === 0) return 'no prize'
  const names = await Promise.all(won.map((prizeId) => prizeNameIn(tableHash, prizeId)))
  return names.join(', ')
}

/** The memory as a file, with the tables that it speaks of. */
async function saveMemory(userId: number, memory: DrawMemory): Promise<void> {
  const tables: Record<string, string> = {}
  for (const { tableHash } of memory.requests) {
    const text = tables[tableHash] ?? (await keptTable(tableHash))
    if (text !== undefined) tables[tableHash] = text
  }
  saveJson('draw-memory.json', { version: 1, userId, ...memory, tables })
}

export function WithheldList({ userId }: { readonly userId: number }) {
  const { data } = useQuery({
    queryKey: ['draw-memory', userId],
    queryFn: () => withheldOf(userId),
    refetchInterval: lookEveryMs,
  })
  if (!data) return null
  const { memory, withheld } = data
  const wins = withheld.filter(({ request }) => request.gave?.some((prizeId) => prizeId !== null))
  return (
    <Card>
      <CardHeader
        title="What was withheld"
        description="Openings that were refused or never answered. Once their seed is known, your browser draws them again. One win among them is an accident; several are a reason to ask."
      />
      <div data-withheld={withheld.length}>
        <p className="font-medium">
          {withheld.length === 0
            ? 'Nothing was withheld that this browser knows of.'
            : `${plural(withheld.length, 'request', 'requests')}, ${plural(wins.length, 'win', 'wins')} among them.`}
        </p>
        {withheld.length > 0 && (
          <ul className="mt-3 list-none divide-y divide-line border-y border-line p-0">
            {withheld.map(({ request, gave }) => (
              <li key={request.key} className="py-2 break-words">
                {formatDateTime(new Date(request.sentAt).toISOString())}:{' '}
                {plural(request.quantity, 'pack', 'packs')}, would have given {gave}
              </li>
            ))}
          </ul>
        )}
      </div>
      <p className="mt-4 text-sm text-muted">
        This memory lives in your browser, in the storage of this site, whose own page could clear
        it. Save it from time to time: the offline tools compare it.
      </p>
      <Button tone="secondary" className="mt-3" onClick={() => void saveMemory(userId, memory)}>
        <Download aria-hidden="true" />
        Save the memory
      </Button>
    </Card>
  )
}
