// What each kind of news says on every channel, with example data, and the operator's own sentence.

import {
  adminOutboxContract,
  type NewsPreview,
  type NewsPreviewsResponse,
  notificationKinds,
  notificationRules,
} from '@redpack/contract'
import { sentenceMax } from '@redpack/contract/limits'
import { useIsMutating, useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useMemo, useState } from 'react'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { useIdempotentCall } from '../../lib/use-call.ts'
import { askAgain, LoadError, Loading, Skeleton } from '../../ui/feedback/data-state.tsx'
import { reportOutcome } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { SharedNotice, useSharedRecord } from '../../ui/form/shared-record.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { LeaveGuard } from '../../ui/overlay/leave-guard.tsx'
import { useIsStaff } from '../session/queries.ts'

const previewsQuery = endpointQuery(adminOutboxContract.kinds, { shows: ['outbox'] })

export function NewsPreviews() {
  const [kind, setKind] = useState<string>(notificationKinds[0] ?? '')
  const previews = useQuery<NewsPreviewsResponse>({ ...previewsQuery, enabled: useIsStaff() })
  const kinds = previews.data?.kinds ?? []
  const shown = kinds.find((one) => one.kind === kind)
  const [typed, setTyped] = useState<Readonly<Record<string, Typed>>>({})
  const isSaving = useIsMutating() > 0
  const isUnsaved = kinds.some(
    ({ kind: of, sentence }) => typed[of] && typed[of].text.trim() !== (sentence ?? ''),
  )
  if (!previews.data && previews.error) {
    return <LoadError title="Error loading the texts" {...askAgain(previews)} />
  }
  return (
    <div className="mb-6 grid max-w-3xl gap-4">
      <SelectField
        label="Kind of news"
        choices={notificationKinds.map((value) => ({
          value,
          label: notificationRules[value].label,
        }))}
        value={kind}
        onChange={(event) => setKind(event.target.value)}
      />
      {shown ? (
        <Preview
          key={shown.kind}
          of={shown}
          typed={typed[shown.kind]}
          onType={(text) =>
            setTyped((now) => ({
              ...now,
              [shown.kind]: { over: shown.sentence ?? '', ...now[shown.kind], text },
            }))
          }
        />
      ) : (
        <Loading label="Loading the texts">
          <Skeleton className="h-44" />
        </Loading>
      )}
      <LeaveGuard isUnsaved={isUnsaved && !isSaving} />
    </div>
  )
}

/** An own sentence that waits while another kind is looked at. */
interface Typed {
  readonly text: string
  /** What was stored when it was begun. */
  readonly over: string
}

interface PreviewProps {
  readonly of: NewsPreview
  readonly typed: Typed | undefined
  readonly onType: (text: string) => void
}

function Preview({ of, typed, onType }: PreviewProps) {
  const { kind, email, push, discord } = of
  const stored = useMemo(() => ({ sentence: of.sentence ?? '' }), [of.sentence])
  const sentence = typed?.text ?? stored.sentence
  const shared = useSharedRecord(
    { get: () => sentence.trim(), set: (_, text) => onType(text) },
    stored,
    false,
    typed && { sentence: typed.over },
  )
  const save = useIdempotentCall(adminOutboxContract.saveSentence)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const body = { sentence, expected: stored }
    void reportOutcome(save.mutateAsync({ params: { kind }, body }), {
      done: 'The sentence is saved',
      fallback: 'The sentence could not be saved',
    })
  }
  return (
    <>
      <form noValidate onSubmit={onSubmit} className="grid gap-3">
        <TextField
          label="Your own sentence"
          hint="Shown below the news on every channel. Leave blank for none."
          maxLength={sentenceMax}
          value={sentence}
          onChange={(event) => onType(event.target.value)}
        />
        <Button
          type="submit"
          tone="secondary"
          disabled={sentence.trim() === stored.sentence}
          isPending={save.isPending}
          className="justify-self-start"
        >
          Save the sentence
        </Button>
        <SharedNotice {...shared} />
      </form>
      <div className="grid gap-4 sm:grid-cols-2 sm:grid-rows-[auto_1fr]">
        <Sample title="Email" className="sm:row-span-2">
          <strong>{email.subject}</strong>
          {`\n\n${email.text}`}
        </Sample>
        <Sample title="Push">
          <strong>{push.title}</strong>
          {push.body && `\n${push.body}`}
        </Sample>
        {/* As Discord shows it, without the signs that keep marks and links plain. */}
        <Sample title="Discord">{discord.replace(/\\(.)|<(https?:[^>]+)>/g, '$1$2')}</Sample>
      </div>
    </>
  )
}

interface SampleProps {
  readonly title: string
  readonly children: ReactNode
  readonly className?: string
}

function Sample({ title, children, className = '' }: SampleProps) {
  return (
    <figure className={`grid min-w-0 content-start gap-1 ${className}`}>
      <figcaption className="text-sm text-muted">{title}</figcaption>
      <div className="rounded-lg border border-line bg-surface p-3 wrap-anywhere whitespace-pre-wrap">
        {children}
      </div>
    </figure>
  )
}
