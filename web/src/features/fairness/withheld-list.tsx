// Requests that were refused or never answered, and what they would have given; and the memory of
// this browser as a file.

import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { formatDateTime } from '../../lib/format.ts'
import { saveJson } from '../../lib/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'

const lookEveryMs = 20_000

// What draws again is loaded when it is needed.
const memory = () => import('./draw-memory.ts')

async function saveMemory(userId: number): Promise<void> {
  saveJson('draw-memory.json', await (await memory()).savedMemory(userId))
}

export function WithheldList({ userId }: { readonly userId: number }) {
  const { data } = useQuery({
    queryKey: ['draw-memory', userId],
    queryFn: async () => (await memory()).withheldFrom(userId),
    refetchInterval: lookEveryMs,
  })
  if (!data) return null
  const { withheld, summary } = data
  return (
    <Card>
      <CardHeader
        title="What was withheld"
        description="Openings that were refused or got no answer. When the site reveals their seed, your browser draws them again. One win among them can be an accident. Several are a reason to ask."
      />
      <div data-withheld={withheld.filter(({ prizes }) => prizes).length}>
        <p className="font-medium">{summary}</p>
        {withheld.length > 0 && (
          <ul className="mt-3 list-none divide-y divide-line border-y border-line p-0">
            {withheld.map(({ request, text }) => (
              <li key={request.key} className="py-2 break-words">
                {text}
                <p className="text-sm text-muted">
                  {formatDateTime(new Date(request.sentAt).toISOString())}
                </p>
              </li>
            ))}
          </ul>
        )}
      </div>
      <p className="mt-4 text-sm text-muted">
        Your browser keeps this memory in the storage of this site, and the site could clear it.
        Save it from time to time. The offline verifier checks the file.
      </p>
      <Button tone="secondary" className="mt-3" onClick={() => void saveMemory(userId)}>
        <Download aria-hidden="true" />
        Save the memory
      </Button>
    </Card>
  )
}
