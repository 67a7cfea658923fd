// The alarms of this browser until they have been seen, with their evidence; and what was
// withheld, with the memory as a file.

import { useQuery } from '@tanstack/react-query'
import { Download, Eye, ShieldX } from 'lucide-react'
import { formatDateTime } from '../../lib/format.ts'
import { saveJson } from '../../lib/save-file.ts'
import { Button } from '../../ui/form/button.tsx'
import { Card, CardHeader } from '../../ui/layout/section.tsx'
import { type Alarm, acknowledgeAlarm, useAlarms } from './alarm-queries.ts'
import { ownDraws } from './queries.ts'

const lookEveryMs = 20_000

interface Viewer {
  /** Null for visitors. */
  readonly userId: number | null
}

/** `hasSeen` shows those that have been seen, too. */
export function AlarmList({ userId, hasSeen = false }: Viewer & { readonly hasSeen?: boolean }) {
  const alarms = useAlarms(userId)
  const shown = alarms.filter(({ isAcknowledged }) => hasSeen || !isAcknowledged)
  if (shown.length === 0) return null
  return (
    <div className="grid gap-4">
      {shown.map((alarm) => (
        <AlarmNotice key={`${alarm.userId} ${alarm.name}`} alarm={alarm} userId={userId} />
      ))}
    </div>
  )
}

/** With all that this browser remembers, so that what was withheld stands in it too. */
async function saveEvidence(alarm: Alarm, userId: number | null): Promise<void> {
  const { title, text, reason, evidence, raisedAt } = alarm
  const saved = userId && (await (await ownDraws()).savedMemory(userId))
  const about = { title, text, reason, time: new Date(raisedAt).toISOString() }
  saveJson(`fairness-evidence-${raisedAt}.json`, { ...about, evidence, memory: saved })
}

function AlarmNotice({ alarm, userId }: Viewer & { readonly alarm: Alarm }) {
  const { title, text, reason, raisedAt, isAcknowledged } = alarm
  const time = new Date(raisedAt).toISOString()
  return (
    <section
      role={isAcknowledged ? undefined : 'alert'}
      aria-label={title}
      data-alarm="draw"
      data-reason={reason}
      className="card on-card border-danger p-4 sm:p-5"
    >
      <h2 className="flex items-start gap-3 text-lg text-danger">
        <ShieldX className="size-6 flex-none" />
        {title}
      </h2>
      <p className="mt-2">{text}</p>
      <p className="mt-2 text-sm text-muted">
        Noticed by your browser on <time dateTime={time}>{formatDateTime(time)}</time>.{' '}
        {isAcknowledged
          ? 'You have seen this.'
          : 'Packs cannot be opened here until you have seen this. Save the evidence first.'}
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button tone="secondary" onClick={() => void saveEvidence(alarm, userId)} icon={Download}>
          Save the evidence
        </Button>
        {!isAcknowledged && (
          <Button tone="danger" onClick={() => void acknowledgeAlarm(alarm)} icon={Eye}>
            I have seen this
          </Button>
        )}
      </div>
    </section>
  )
}

export function WithheldList({ userId }: { readonly userId: number }) {
  const { data } = useQuery({
    queryKey: ['draw-memory', userId],
    queryFn: async () => (await ownDraws()).withheldFrom(userId),
    refetchInterval: lookEveryMs,
  })
  if (!data) return null
  const { withheld, summary } = data
  const save = async () =>
    saveJson('draw-memory.json', await (await ownDraws()).savedMemory(userId))
  return (
    <Card>
      <CardHeader
        title="What was withheld"
        description="Openings that were refused, overtaken by another or never answered. When the site reveals their seed, your browser draws them again. One win among them can be a coincidence. Several are a reason to ask."
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
        Your browser keeps this memory in this site's storage, which the site could clear. Save it
        from time to time. The offline verifier checks the file.
      </p>
      <Button tone="secondary" className="mt-3" onClick={() => void save()} icon={Download}>
        Save the memory
      </Button>
    </Card>
  )
}
