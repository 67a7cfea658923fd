// The words that new names are looked through for: one a line, and whether such a name is hidden.

import { type NameWords, nameWordMax, nameWordsMax, standingContract } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { Save } from 'lucide-react'
import { useState } from 'react'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { formatNumber, plural } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { DataState } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { SharedNotice, useSharedRecord } from '../../ui/form/shared-record.tsx'
import { entered, Form, TextAreaField } from '../../ui/form/text-field.tsx'
import { SwitchField } from '../../ui/form/toggle-fields.tsx'
import { Card, CardHeader } from '../../ui/layout/section.tsx'
import { LeaveGuard } from '../../ui/overlay/leave-guard.tsx'

const nameWordsQuery = endpointQuery(standingContract.nameWords, { shows: ['users'] })

export function NameWordsCard() {
  const words = useQuery(nameWordsQuery)
  return (
    <Card className="mt-6 xl:max-w-[calc(50%-0.75rem)]">
      <CardHeader
        level={3}
        title="Words in names"
        description="New names that contain one of these words are flagged in the Users tab, even when spelled with look-alike characters."
      />
      <DataState query={words} what="the words" skeleton="h-40 w-full" className="" isBrief>
        {(stored) => <NameWordsForm stored={stored} />}
      </DataState>
    </Card>
  )
}

const linesOf = (words: readonly string[]) => words.join('\n')
const wordsOf = (lines: string) =>
  lines.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))

/** What is wrong with the words, if anything. */
function problemOf(words: readonly string[]): string | undefined {
  if (words.length > nameWordsMax) return `At most ${formatNumber(nameWordsMax)} words`
  const long = words.find((word) => word.length > nameWordMax)
  return long === undefined ? undefined : `Longer than ${nameWordMax} characters: ${long}`
}

function NameWordsForm({ stored }: { readonly stored: NameWords }) {
  const [lines, setLines] = useState(linesOf(stored.words))
  const [hidesAtOnce, setHides] = useState(stored.hidesAtOnce)
  const words = wordsOf(lines)
  const save = useCall(standingContract.saveNameWords, nameWordsQuery.queryKey)
  const shared = useSharedRecord<NameWords>(
    {
      get: (name) => (name === 'words' ? words : hidesAtOnce),
      set: (name, value: string[] & boolean) =>
        name === 'words' ? setLines(linesOf(value)) : setHides(value),
      sent: save.variables?.body,
    },
    stored,
  )
  const problem = problemOf(words)
  const isSame = linesOf(words) === linesOf(stored.words) && hidesAtOnce === stored.hidesAtOnce
  const submit = () => {
    if (problem !== undefined || save.isPending) return
    save.mutate(
      { body: { words, hidesAtOnce, expected: stored } },
      {
        onSuccess: (saved) => {
          setLines((now) => (now === lines ? linesOf(saved.words) : now))
          toastDone(`${plural(saved.words.length, 'word', 'words')} saved`)
        },
        onError: (error) => toastFailed('Error', error, 'Failed to save the words'),
      },
    )
  }
  return (
    <Form onSubmit={submit} noValidate className="grid gap-4">
      <TextAreaField
        label="One word per line"
        rows={6}
        spellCheck={false}
        {...entered(lines, setLines)}
        {...(problem !== undefined && { error: problem })}
      />
      <SwitchField
        label="Hide flagged names automatically"
        hint="Shown as “Viewer” with a number until staff decide."
        isOn={hidesAtOnce}
        onChange={setHides}
      />
      <Button
        icon={Save}
        pendingLabel="Saving..."
        type="submit"
        className="justify-self-start"
        disabled={isSame || problem !== undefined}
        isPending={save.isPending}
      >
        Save words
      </Button>
      <SharedNotice {...shared} />
      <LeaveGuard isUnsaved={!isSame && !save.isPending} />
    </Form>
  )
}
