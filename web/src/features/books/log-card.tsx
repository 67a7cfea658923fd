// How the public log of draws is doing, in plain words, and what to do when it is not well.

import type { LogFault, LogState, LogWitnessState } from '@redpack/contract'
import { commandLine } from '@redpack/contract/command-line'
import { ScrollText } from 'lucide-react'
import { formatDateTime, formatDay, formatNumber, plural } from '../../lib/format.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { Fact } from '../../ui/layout/detail.tsx'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { useLogState } from './overview-queries.ts'

const troubleTexts: Readonly<Record<LogFault, string>> = {
  no_key: 'The signing key is missing. Set LOG_SIGNING_KEY and restart.',
  key_changed:
    'The signing key has changed. Set LOG_SIGNING_KEY to the old ' +
    `key and restart. If the old key is lost, run "${commandLine('renew-log')}" and publish the ` +
    'new key.',
  history_lost:
    'It has fewer entries than were signed: an older backup was restored. Restore the newest ' +
    `backup. If there is none, run "${commandLine('renew-log')}" and explain it in public.`,
  inconsistent:
    'Its entries differ from those that were signed: someone changed the database. Run ' +
    `"${commandLine('verify-economy')}" to see which, and restore a backup. Do not renew the log until ` +
    'you know what happened.',
}

/** Nothing while it is not known: the overview says enough about servers that do not answer. */
export function LogCard() {
  const { data } = useLogState()
  if (!data) return null
  const { trouble, setAside, witnesses, discord, waiting, entries } = data
  const hasProblem = [...witnesses, discord].some((each) => each?.problem)
  const isOk = trouble === null && setAside === 0 && !hasProblem
  const now = waiting === 0 ? 'Nothing' : plural(waiting, 'event', 'events')
  const facts = (
    <dl>
      <Fact term="Entries">{formatNumber(entries)}</Fact>
      <Fact term="Waiting">
        {setAside === 0 ? now : `${now}; ${formatNumber(setAside)} cannot be logged`}
      </Fact>
      <Fact term="Signed">{signedText(data)}</Fact>
      <Fact term="Key">{keyText(data)}</Fact>
      {witnesses.map((witness) => (
        <Fact key={witness.name} term={`Witness ${witness.name}`}>
          {witnessText(witness)}
        </Fact>
      ))}
      {discord && <Fact term="Discord">{discordText(discord)}</Fact>}
    </dl>
  )
  return (
    <Card role="group" aria-label="Public log" className={isOk ? '' : 'border-warning'}>
      <CardHeader
        level={3}
        title="Public log"
        icon={ScrollText}
        action={
          <Badge tone={isOk ? 'success' : 'warning'}>{isOk ? 'OK' : 'Needs attention'}</Badge>
        }
      />
      {trouble && (
        <p className="mb-2">
          The log is no longer signed. Packs can still be opened. {troubleTexts[trouble]}
        </p>
      )}
      {isOk ? <Disclosure summary={`Signed: ${signedText(data)}`}>{facts}</Disclosure> : facts}
    </Card>
  )
}

function signedText({ checkpoint, entries }: LogState): string {
  if (checkpoint === null) return 'Not yet'
  const { size, signedAt } = checkpoint
  const first = size === 1 ? 'The first entry' : `The first ${formatNumber(size)} entries`
  const what = size === entries ? 'All entries' : first
  return `${what}, ${formatDateTime(signedAt)}`
}

function keyText({ key, changes }: LogState) {
  const [last] = changes
  const what = last?.reason === 'new_log' ? 'A new log began' : 'The key was changed'
  return (
    <span className="grid justify-items-end gap-1">
      {key === null ? 'None yet' : <code className="text-sm break-all">{key}</code>}
      {last && (
        <span className="text-sm font-normal text-muted">
          {what} at entry {formatNumber(last.fromSize)}, {formatDateTime(last.at)}
        </span>
      )}
    </span>
  )
}

function witnessText({ cosignedAt, seenSize, problem }: LogWitnessState): string {
  const last =
    cosignedAt === null
      ? 'Has never cosigned'
      : `Cosigned ${plural(seenSize, 'entry', 'entries')}, ${formatDateTime(cosignedAt)}`
  return problem === null ? last : `${problem}. ${last}.`
}

function discordText({ postedDay, problem }: NonNullable<LogState['discord']>): string {
  const last = postedDay === null ? 'Not posted yet' : `Posted for ${formatDay(postedDay)}`
  return problem === null ? last : `${problem}. ${last}.`
}
