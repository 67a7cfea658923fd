// Makes a theme: presets, eight fields, a preview, and the two buttons that save.

import { type Theme, themeDefault } from '@redpack/contract'
import { Palette, RotateCcw } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { toastDone, toastFailed, toastUnchanged } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { ColorField } from '../../ui/form/color-field.tsx'
import { SharedNotice, useSharedRecord } from '../../ui/form/shared-record.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { ContrastReport } from './contrast-report.tsx'
import { PresetTiles } from './preset-tiles.tsx'
import { useSaveTheme } from './queries.ts'
import { ThemePreview } from './theme-preview.tsx'
import {
  isSameTheme,
  type ThemeKey,
  themeFields,
  themeHexOf,
  themeProblems,
} from './theme-words.ts'

/** The draft where it can be painted; a colour that is none yet stays as it was. */
function paintable(draft: Theme, fallback: Theme): Theme {
  return Object.fromEntries(
    themeFields.map(({ key }) => [key, themeHexOf(draft[key]) ?? fallback[key]]),
  ) as unknown as Theme
}

export function ThemeForm({ saved }: { readonly saved: Theme }) {
  const [draft, setDraft] = useState(saved)
  const [problems, setProblems] = useState<Partial<Record<ThemeKey, string>>>({})
  const [isAsking, setAsking] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const save = useSaveTheme()
  const shared = useSharedRecord<Theme>(
    {
      get: (key) => draft[key],
      set: (key, color) => setDraft((before) => ({ ...before, [key]: color })),
    },
    saved,
  )
  const painted = paintable(draft, saved)

  const change = (next: Theme) => {
    setDraft(next)
    setProblems({})
  }
  const send = (theme: Theme, done: string, before = saved) => {
    const sent = { ...theme, expected: before }
    save.mutate(sent, {
      onSuccess: (answer) => {
        change(answer)
        const undo = () => send(before, 'The color theme is back to what it was', answer)
        const isUndoable = !isSameTheme(before, answer)
        toastDone(done, isUndoable ? { label: 'Undo', onSelect: undo } : undefined)
      },
      onError: (error) =>
        toastFailed('Error updating color theme', error, 'Failed to update color theme'),
      onSettled: () => setAsking(false),
    })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = themeProblems(draft)
    setProblems(found)
    const first = themeFields.find(({ key }) => found[key] !== undefined)
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first.key}"]`)?.focus()
    else if (isSameTheme(draft, saved)) toastUnchanged()
    else send(draft, 'The color theme was updated')
  }
  return (
    <form
      ref={form}
      onSubmit={submit}
      noValidate
      className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2"
    >
      <div className="grid gap-6">
        <Card>
          <CardHeader
            level={3}
            title="Presets"
            description="Fills the fields; nothing is saved yet."
          />
          <PresetTiles theme={draft} onChoose={change} />
        </Card>
        <Card>
          <CardHeader level={3} title="Colors" description="Hex with 3, 6 or 8 digits." />
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,15rem),1fr))] gap-4">
            {themeFields.map(({ key, label }) => (
              <ColorField
                key={key}
                label={label}
                name={key}
                value={draft[key]}
                onChange={(value) => change({ ...draft, [key]: value })}
                hexOf={themeHexOf}
                {...(problems[key] !== undefined && { error: problems[key] })}
              />
            ))}
          </div>
        </Card>
      </div>
      <div className="grid gap-6 xl:sticky xl:top-20">
        <Card>
          <CardHeader level={3} title="Live preview" />
          <ThemePreview theme={painted} />
          <SharedNotice {...shared} />
          <div className="mt-5 flex flex-wrap gap-3">
            <Button type="submit" isPending={save.isPending}>
              {!save.isPending && <Palette aria-hidden="true" />}
              {save.isPending ? 'Saving...' : 'Update Theme'}
            </Button>
            <Button tone="secondary" onClick={() => setAsking(true)} disabled={save.isPending}>
              <RotateCcw aria-hidden="true" />
              Reset to Default
            </Button>
          </div>
        </Card>
        <Card>
          <CardHeader level={3} title="Contrast" />
          <ContrastReport theme={painted} />
        </Card>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        tone="primary"
        title="Reset to Default"
        description="This saves the default colors for everyone at once. You can undo it right after."
        confirmLabel="Confirm"
        onConfirm={() => send(themeDefault, 'The default colors are back')}
        isPending={save.isPending}
      />
    </form>
  )
}
