// Tells staff when what is drawn and what is published part.

import { ShieldCheck, TriangleAlert } from 'lucide-react'
import { LinkButton } from '../../ui/form/link-button.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { useObserved } from '../fairness/queries.ts'

/** Nothing while it is not known: the overview says enough about servers that do not answer. */
export function DrawAlarm() {
  const { data } = useObserved()
  if (!data) return null
  const outside = data.packTypes.flatMap(({ name, prizes }) =>
    prizes
      .filter(({ isOutside }) => isOutside)
      .map((prize) => ({ id: prize.prizeId, text: `${prize.name} in ${name}` })),
  )
  const isQuiet = outside.length === 0
  return (
    <Card role="group" aria-label="Fairness of draws" className={isQuiet ? '' : 'border-warning'}>
      <CardHeader
        title="Fairness of draws"
        icon={isQuiet ? ShieldCheck : TriangleAlert}
        iconClassName={isQuiet ? 'size-5 text-success' : 'size-5 text-warning'}
        description={isQuiet && 'No prize’s draws speak against its published chance.'}
        action={
          <LinkButton to="/fairness" tone="secondary">
            See the figures
          </LinkButton>
        }
      />
      {!isQuiet && (
        <>
          <p>
            The draws of these prizes speak against their published chances. Of 100 installations
            whose draws are fair, at most one ever shows this alarm, however often you look:
          </p>
          <ul className="mt-2 list-disc ps-5">
            {outside.map(({ id, text }) => (
              <li key={`${id} ${text}`}>{text}</li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}
