// The profile form: its values, whether they are unsaved, and what Save Changes and Reset do.

import { zodResolver } from '@hookform/resolvers/zod'
import { type Profile, UpdateProfileRequest, usersContract } from '@redpack/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type Path, type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { call } from '../../lib/api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { keepInTab, keptInTab } from '../../lib/browser-switch.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { toastError } from '../../ui/feedback/outcome.ts'
import { toast } from '../../ui/feedback/toast.ts'

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

const texts = ['displayName', 'email', 'bio', 'country', 'timezone'] as const
const switches = ['email', 'prizes', 'rewards'] as const
type Text = (typeof texts)[number]
type Switch = (typeof switches)[number]

const fieldPaths: readonly Path<ProfileInput>[] = [
  ...texts,
  ...switches.map((name) => `notifications.${name}` as const),
]

/** What the form holds; a blank text means none. */
type ProfileValues = Readonly<Record<Text, string>> & {
  readonly notifications: Readonly<Record<Switch, boolean>>
}

function named<Name extends string, Value>(names: readonly Name[], of: (name: Name) => Value) {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Value>
}

/** Shows the server's sentences at the fields they are about. */
function showFieldErrors(form: ProfileFormReturn, error: unknown): void {
  if (!(error instanceof ApiError)) return
  const refused = fieldPaths.filter((path) => error.fields[path] !== undefined)
  for (const [index, path] of refused.entries()) {
    form.setError(path, { message: error.fields[path] }, { shouldFocus: index === 0 })
  }
}

export function useProfileForm(profile: Profile): ProfileForm {
  const loaded = useMemo(() => valuesOf(profile), [profile])
  const [draft] = useState(() => profileDraft.read(profile.id, loaded))
  const [isRestored, setRestored] = useState(draft !== undefined)
  const update = useUpdateProfile()
  const form = useForm<ProfileInput, unknown, UpdateProfileRequest>({
    resolver: zodResolver(profileRules),
    defaultValues: draft ?? loaded,
    mode: 'onTouched',
  })
  const watched = useWatch({ control: form.control })
  const values = useMemo(() => valuesOf(watched), [watched])
  const isUnsaved = !isSame(values, loaded)

  useFresherProfile(form, profile)
  useDraft(profile.id, values, loaded)

  const save = form.handleSubmit(async (change) => {
    const submitted = valuesOf(form.getValues())
    try {
      const saved = await update.mutateAsync(change)
      form.reset(mergeValues(valuesOf(form.getValues()), submitted, valuesOf(saved)))
      setRestored(false)
      toast({ title: 'Success', description: 'Profile updated successfully!' })
    } catch (error) {
      showFieldErrors(form, error)
      toastError(error, 'Failed to update profile')
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
    const held = valuesOf(form.getValues())
    const merged = mergeValues(held, valuesOf(before.current), valuesOf(profile))
    before.current = profile
    if (!isSame(held, merged)) form.reset(merged, { keepErrors: true })
  }, [form, profile])
}

function useDraft(userId: number, values: ProfileValues, loaded: ProfileValues): void {
  useEffect(() => {
    if (isSame(values, loaded)) profileDraft.clear()
    else profileDraft.write(userId, values, loaded)
  }, [userId, values, loaded])
}

// Keeps unsaved changes of the profile when the session ends in the middle of the form.
const storageKey = 'redpack:profile-draft'

const Values = z.object({
  ...named(texts, () => z.string()),
  notifications: z.object(named(switches, () => z.boolean())),
})
/** With the values that were changed, so that what is news by the next visit is not undone. */
const Draft = z.object({ userId: z.int(), values: Values, before: z.optional(Values) })

/** Lives as long as the tab. */
export const profileDraft = {
  /** What is loaded now with the unsaved changes of this user, if there are any. */
  read(userId: number, loaded: ProfileValues): ProfileValues | undefined {
    const { data: draft } = Draft.safeParse(keptInTab(storageKey))
    if (draft?.userId !== userId) return undefined
    return mergeValues(draft.values, draft.before ?? loaded, loaded)
  },
  write(userId: number, values: ProfileValues, before: ProfileValues): void {
    keepInTab(storageKey, JSON.stringify({ userId, values, before }))
  },
  clear(): void {
    keepInTab(storageKey, undefined)
  },
}

/** What the form's rules take; they are the server's own. */
const profileRules = UpdateProfileRequest
type ProfileInput = z.input<typeof UpdateProfileRequest>

/** The values of a profile, or of the form while it is being filled in. */
export function valuesOf({ notifications, ...given }: Profile | ProfileInput): ProfileValues {
  return {
    ...named(texts, (name) => given[name] ?? ''),
    notifications: named(switches, (name) => notifications?.[name] === true),
  }
}

export function isSame(one: ProfileValues, other: ProfileValues): boolean {
  return JSON.stringify(valuesOf(one)) === JSON.stringify(valuesOf(other))
}

/**
 * What the form shows after the server's values went from `before` to `after`: the new ones, except
 * where the person had changed something.
 */
export function mergeValues(
  held: ProfileValues,
  before: ProfileValues,
  after: ProfileValues,
): ProfileValues {
  const merged = <Value>(one: Value, old: Value, next: Value) => (one === old ? next : one)
  return {
    ...named(texts, (name) => merged(held[name], before[name], after[name])),
    notifications: named(switches, (name) =>
      merged(held.notifications[name], before.notifications[name], after.notifications[name]),
    ),
  }
}

export const profileQuery = endpointQuery(usersContract.profile, {
  shows: ['profile', 'user'],
  mayBeNothing: true,
})

/** The caller's profile. */
export function useProfile() {
  return useQuery<Profile>(profileQuery)
}

/** What the form may change; the wallet travels along as it was last loaded, or not at all. */
type ProfileChange = Omit<UpdateProfileRequest, 'solanaWallet'>

function useUpdateProfile() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: ProfileChange) => {
      // Another call is on its way, which may be about the wallet: left out, it stays as that says.
      const isMoving = queryClient.isMutating() > 1
      const solanaWallet =
        queryClient.getQueryData<Profile>(profileQuery.queryKey)?.solanaWallet ?? null
      const body = isMoving ? change : { ...change, solanaWallet }
      return call(usersContract.updateProfile, { body })
    },
    onSuccess: (profile) => queryClient.setQueryData<Profile>(profileQuery.queryKey, profile),
  })
}
