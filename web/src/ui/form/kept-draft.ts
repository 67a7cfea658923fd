// What was typed into the form of a record, kept for the tab in case the session ends meanwhile.

import { useEffect, useEffectEvent, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import * as z from 'zod/mini'
import { keepInTab, keptInTab } from '../../lib/browser-switch.ts'
import { useSignedIn } from '../../lib/signed-in.ts'

export const isSame = (one: unknown, other: unknown) =>
  JSON.stringify(one) === JSON.stringify(other)

interface Kept<Draft> {
  readonly userId: number
  readonly values: Partial<Draft>
  /** What these fields showed before they were changed. */
  readonly before: Partial<Draft>
}

/** A picture is too much for the storage, and its type alone says nothing. */
const isPicture = (value: unknown) => /^(data:|image\/)/.test(String(value))

/**
 * Puts the changes of an earlier visit into the form, and keeps those of this one until the form
 * is closed by somebody who is signed in.
 * @returns what the record showed then
 */
export function useKeptDraft<Draft extends FieldValues, Sent>(
  form: UseFormReturn<Draft, unknown, Sent>,
  name: string,
  stored: Draft,
): Draft {
  const key = `redpack:form-draft:${name}`
  const signedIn = useSignedIn()
  const [userId] = useState(signedIn)
  const [kept] = useState(() => {
    const found = keptInTab(key) as Kept<Draft> | undefined
    return found?.userId === userId ? found : undefined
  })
  const keep = useEffectEvent((values: Partial<Draft>, shown = stored) => {
    const names = Object.keys(shown).filter(
      (field) =>
        !isSame(values[field], shown[field]) && ![values[field], shown[field]].some(isPicture),
    )
    const pick = (from: Partial<Draft>) =>
      Object.fromEntries(names.map((field) => [field, from[field]]))
    const draft = { userId, values: pick(values), before: pick(shown) }
    keepInTab(key, names.length > 0 ? JSON.stringify(draft) : undefined)
  })
  // What was saved, or is the record's by now, is kept no longer.
  useEffect(() => {
    if (typeof userId === 'number') keep(form.getValues(), stored)
  }, [form, stored, userId])
  const close = useEffectEvent(() => {
    if (signedIn() === userId) keepInTab(key, undefined)
  })
  useEffect(() => {
    if (typeof userId !== 'number') return
    const { unsubscribe } = form.watch((values) => keep(values as Partial<Draft>))
    for (const [field, value] of Object.entries(kept?.values ?? {})) {
      form.setValue(field as Path<Draft>, value, { shouldDirty: true })
    }
    return () => {
      unsubscribe()
      close()
    }
  }, [form, kept, userId])
  return kept ? { ...stored, ...kept.before } : stored
}

/** Turns a draft into the request, or says what is wrong with which field. */
export function draftRules<Draft, Sent, Request>(
  requestOf: (draft: Draft) => Sent,
  rules: z.ZodMiniType<Request, Sent>,
): z.ZodMiniType<Request, Draft> {
  const asked = z.transform(requestOf) as unknown as z.ZodMiniType<Sent, Draft>
  return z.pipe(asked, rules)
}
