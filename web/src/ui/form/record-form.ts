// A form in its two modes, create and edit, as prizes, pack types, listings and streams have it.

import { zodResolver } from '@hookform/resolvers/zod'
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import { isUnchanged, toastDone, toastFailed } from '../feedback/outcome.ts'
import { showFieldErrors } from './form-fields.tsx'
import { isSame, useKeptDraft } from './kept-draft.ts'
import { heldBy, useSharedRecord } from './shared-record.tsx'

/** Numbers are whole: '3.7' gives 3, an emptied field its fallback. */
export function parseWhole(typed: number | null, fallback: number): number {
  return typed === null || Number.isNaN(typed) ? fallback : Math.trunc(typed)
}

/**
 * What an edit sends: only what is different from the record as the form last showed it, and in
 * `expected` what that was, so that nothing is put back that changed meanwhile. Of `unseen` nobody
 * says what it was.
 */
export function editOf<Request extends object>(
  request: Request,
  shown: object,
  unseen: readonly (keyof Request)[] = [],
): Partial<Request> & { readonly expected?: Partial<Request> } {
  const before: Partial<Request> = shown
  const keys = (Object.keys(request) as (keyof Request)[]).filter(
    (key) => JSON.stringify(request[key]) !== JSON.stringify(before[key]),
  )
  const pick = (from: Partial<Request>, names: readonly (keyof Request)[]) =>
    Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<Request>
  const seen = keys.filter((key) => !unseen.includes(key))
  return { ...pick(request, keys), ...(seen.length > 0 && { expected: pick(before, seen) }) }
}

/**
 * Taken before a form is sent. @returns puts it to what it shows afterwards, unless something was
 * typed meanwhile: that has not been sent, and stays
 */
export function resetOnceSent<Draft extends FieldValues, Sent>(
  form: UseFormReturn<Draft, unknown, Sent>,
): (next: Draft) => void {
  const sent = form.getValues()
  return (next) => {
    const all = { keepDirty: false, keepDirtyValues: false }
    if (isSame(form.getValues(), sent)) form.reset(next, all)
  }
}

export interface RecordFormOptions<Draft extends FieldValues, Request> {
  /** What the form is about, as messages say it after 'update'. */
  readonly thing: string
  /** Tells it from others of its kind that are open or were: 'new' while it has no id. */
  readonly id: number | string
  /** What it shows of the record as it is now, or what a new one starts with. */
  readonly stored: Draft
  readonly rules: z.ZodMiniType<Request, Draft>
  /** True once somebody else has deleted the record. */
  readonly isGone?: boolean | undefined
  readonly create: (body: Request) => Promise<unknown>
  /** What is different and how to send it; absent for a new record. */
  readonly edit?:
    | {
        readonly changeOf: (request: Request) => object
        readonly send: (body: never) => Promise<unknown>
      }
    | undefined
  /** Called once it is saved, or had nothing to save. */
  readonly onDone: () => void
  /** Says that it failed, where that takes more than the server's sentence. */
  readonly onError?: (error: unknown) => void
  /** Asks for another press first. */
  readonly isHeldBack?: (form: UseFormReturn<Draft, unknown, Request>) => boolean
}

/** The form, and what the dialog around it is told of it. */
export function useRecordForm<Draft extends FieldValues, Request>({
  thing,
  id,
  stored,
  rules,
  isGone,
  create,
  edit,
  onDone,
  onError,
  isHeldBack,
}: RecordFormOptions<Draft, Request>) {
  const form = useForm<Draft, unknown, Request>({
    resolver: zodResolver(rules),
    defaultValues: stored as DefaultValues<Draft>,
  })
  const begun = useKeptDraft(form, `${thing}:${id}`, stored)
  const shared = useSharedRecord(heldBy(form), stored, isGone, begun)
  const submit = form.handleSubmit(async (request) => {
    const word = edit ? 'updat' : 'creat'
    try {
      if (edit) {
        const change = edit.changeOf(request)
        if (isUnchanged(change)) return onDone()
        await edit.send(change as never)
      } else await create(request)
      toastDone(`${thing.charAt(0).toUpperCase()}${thing.slice(1)} ${word}ed successfully`)
      onDone()
    } catch (error) {
      showFieldErrors(form, Object.keys(stored) as Path<Draft>[], error)
      if (onError) onError(error)
      else toastFailed(`Error ${word}ing ${thing}`, error, `Failed to ${word}e ${thing}`)
    }
  })
  const onSubmit = () => {
    if (!isHeldBack?.(form)) void submit()
  }
  const { isDirty: isUnsaved, isSubmitting: isPending } = form.formState
  return { form, dialog: { onSubmit, isUnsaved, isPending, shared } }
}
