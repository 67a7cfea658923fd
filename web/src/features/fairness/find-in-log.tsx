// Looks for an opening in the log, and shows that it stands there.

import { Search, Square } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { entryWords } from './entry-words.ts'
import { type FoundEntry, findEntry, type OpenLog } from './log-reader.ts'

export interface FindInLogProps {
  readonly log: OpenLog
  /** Turns the pages to an entry: how many stand up to it. */
  readonly onShow: (upTo: number) => void
}

/** What to look for, by what was typed: part of an id, seed or commitment. */
function wantedBy(typed: string): ((text: string) => boolean) | undefined {
  const wanted = typed.trim().toLowerCase()
  return /^[0-9a-f-]{8,64}$/.test(wanted) ? (text) => text.includes(wanted) : undefined
}

export function FindInLog({ log, onShow }: FindInLogProps) {
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const [seen, setSeen] = useState<number>()
  const [found, setFound] = useState<FoundEntry | null>()
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const find = async (event: FormEvent) => {
    event.preventDefault()
    const wanted = wantedBy(typed)
    setFound(undefined)
    setError(wanted ? undefined : 'Enter the id of an opening, a seed or a commitment.')
    if (!wanted || seen !== undefined) return
    const control = new AbortController()
    running.current = control
    setSeen(0)
    try {
      setFound(await findEntry(log, wanted, setSeen, control.signal))
    } catch (cause) {
      if (!control.signal.aborted) setError(messageOf(cause, 'The log could not be read.'))
    } finally {
      setSeen(undefined)
    }
  }
  const isRunning = seen !== undefined
  return (
    <section className="mt-6 border-t border-line pt-4">
      <h3 className="text-lg">Find an entry</h3>
      <form noValidate onSubmit={(event) => void find(event)} className="mt-2 grid max-w-xl gap-3">
        <TextField
          label="Id of an opening, a seed or a commitment"
          hint="The details of your openings show all three."
          error={error}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setError(undefined)
          }}
          autoComplete="off"
          spellCheck={false}
          className="font-mono text-sm"
        />
        {isRunning ? (
          <Button
            tone="secondary"
            className="justify-self-start"
            onClick={() => running.current?.abort()}
          >
            <Square aria-hidden="true" />
            Stop
          </Button>
        ) : (
          <Button type="submit" tone="secondary" className="justify-self-start">
            <Search aria-hidden="true" />
            Find
          </Button>
        )}
      </form>
      <div role="status" className="mt-3">
        {isRunning && <p className="text-muted">{formatNumber(seen)} entries looked at…</p>}
        {found === null && <p>It is not in the log.</p>}
        {found && (
          <p className="break-words">
            Entry {formatNumber(found.index)}, shown to stand in the signed log:{' '}
            {entryWords(found.text)}.{' '}
            <Button tone="faint" size="compact" onClick={() => onShow(found.index + 1)}>
              Show it among the others
            </Button>
          </p>
        )}
      </div>
    </section>
  )
}
