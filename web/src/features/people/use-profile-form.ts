// The profile form: its values, whether they are unsaved, and what Save Changes and Reset do.

import { zodResolver } from '@hookform/resolvers/zod'
import type { Profile, UpdateProfileRequest } from '@redpack/contract'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type Path, type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { profileDraft } from './profile-draft.ts'
import { useUpdateProfile } from './profile-queries.ts'
import {
  heldValues,
  isSame,
  mergeValues,
  type ProfileInput,
  profileRules,
  valuesOf,
} from './profile-values.ts'

export type ProfileFormReturn = UseFormReturn<ProfileInput, unknown, UpdateProfileRequest>

export interface ProfileForm {
  readonly form: ProfileFormReturn
  readonly isUnsaved: boolean
  /** True while the unsaved changes are those of an earlier visit. */
  readonly isRestored: boolean
  readonly isSaving: boolean
  readonly save: (event?: React.BaseSyntheticEvent) => Promise<void>
  /** Puts the loaded values back, without a call. */
  readonly reset: () => void
  readonly forgetDraft: () => void
}

const fieldPaths: readonly Path<ProfileInput>[] = [
  'displayName',
  'email',
  'bio',
  'country',
  'timezone',
  'notifications.email',
  'notifications.prizes',
  'notifications.rewards',
]

/** Shows the server's sentences at the fields they are about. */
function showFieldErrors(form: ProfileFormReturn, error: unknown): void {
  if (!(error instanceof ApiError)) return
  const refused = fieldPaths.filter((path) => error.fields[path] !== undefined)
  for (const [index, path] of refused.entries()) {
    form.setError(path, { message: error.fields[path] }, { shouldFocus: index === 0 })
  }
}

export function useProfileForm(profile: Profile): ProfileForm {
  const loaded = valuesOf(profile)
  const [draft] = useState(() => profileDraft.read(profile.id))
  const [isRestored, setRestored] = useState(draft !== undefined)
  const update = useUpdateProfile()
  const form = useForm<ProfileInput, unknown, UpdateProfileRequest>({
    resolver: zodResolver(profileRules),
    defaultValues: draft ?? loaded,
    mode: 'onTouched',
  })
  const watched = useWatch({ control: form.control })
  const values = useMemo(() => heldValues(watched), [watched])
  const isUnsaved = !isSame(values, loaded)

  useFresherProfile(form, profile)
  useDraft(profile.id, values, isUnsaved)

  const save = form.handleSubmit(async (change) => {
    const submitted = heldValues(form.getValues())
    try {
      const saved = await update.mutateAsync(change)
      form.reset(mergeValues(heldValues(form.getValues()), submitted, valuesOf(saved)))
      setRestored(false)
      toast({ title: 'Success', description: 'Profile updated successfully!' })
    } catch (error) {
      showFieldErrors(form, error)
      toast({
        title: 'Error',
        description: messageOf(error, 'Failed to update profile'),
        variant: 'destructive',
      })
    }
  })
  return {
    form,
    isUnsaved,
    isRestored: isRestored && isUnsaved,
    isSaving: update.isPending,
    save,
    reset: () => {
      form.reset(loaded)
      setRestored(false)
    },
    forgetDraft: profileDraft.clear,
  }
}

/** Takes over what the server has changed meanwhile, and leaves alone what the person has. */
function useFresherProfile(form: ProfileFormReturn, profile: Profile): void {
  const before = useRef(profile)
  useEffect(() => {
    if (before.current === profile) return
    const held = heldValues(form.getValues())
    const merged = mergeValues(held, valuesOf(before.current), valuesOf(profile))
    before.current = profile
    if (!isSame(held, merged)) form.reset(merged, { keepErrors: true })
  }, [form, profile])
}

function useDraft(userId: number, values: ReturnType<typeof heldValues>, isUnsaved: boolean): void {
  useEffect(() => {
    if (isUnsaved) profileDraft.write(userId, values)
    else profileDraft.clear()
  }, [userId, values, isUnsaved])
}
