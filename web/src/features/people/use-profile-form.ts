// The profile form: its values, whether they are unsaved, and what Save Changes and Reset do.

import { zodResolver } from '@hookform/resolvers/zod'
import { type Profile, UpdateProfileRequest, usersContract } from '@redpack/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type Path, type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { call } from '../../lib/api.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
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

// Keeps unsaved changes of the profile when the session ends in the middle of the form.
const storageKey = 'redpack:profile-draft'

const Draft = z.object({
  userId: z.int(),
  values: z.object({
    displayName: z.string(),
    email: z.string(),
    bio: z.string(),
    country: z.string(),
    timezone: z.string(),
    notifications: z.object({ email: z.boolean(), prizes: z.boolean(), rewards: z.boolean() }),
  }),
})

/** Lives as long as the tab; without storage nothing is kept. */
export const profileDraft = {
  /** The unsaved changes of this user, if there are any. */
  read(userId: number): ProfileValues | undefined {
    try {
      const draft = Draft.parse(JSON.parse(sessionStorage.getItem(storageKey) ?? 'null'))
      return draft.userId === userId ? draft.values : undefined
    } catch {
      return undefined
    }
  },
  write(userId: number, values: ProfileValues): void {
    try {
      sessionStorage.setItem(storageKey, JSON.stringify({ userId, values }))
    } catch {
      // The changes are still in the form.
    }
  },
  clear(): void {
    try {
      sessionStorage.removeItem(storageKey)
    } catch {
      // Then there was none either.
    }
  },
}

/** What the form's rules take; they are the server's own. */
const profileRules = UpdateProfileRequest
type ProfileInput = z.input<typeof UpdateProfileRequest>

/** What the form holds; a blank text means none. */
interface ProfileValues {
  readonly displayName: string
  readonly email: string
  readonly bio: string
  readonly country: string
  readonly timezone: string
  readonly notifications: {
    readonly email: boolean
    readonly prizes: boolean
    readonly rewards: boolean
  }
}

export function valuesOf(profile: Profile): ProfileValues {
  return {
    displayName: profile.displayName,
    email: profile.email ?? '',
    bio: profile.bio ?? '',
    country: profile.country ?? '',
    timezone: profile.timezone ?? '',
    notifications: {
      email: profile.notifications.email,
      prizes: profile.notifications.prizes,
      rewards: profile.notifications.rewards,
    },
  }
}

/** The form's values as they are held while it is being filled in. */
function heldValues(input: ProfileInput): ProfileValues {
  return {
    displayName: input.displayName ?? '',
    email: input.email ?? '',
    bio: input.bio ?? '',
    country: input.country ?? '',
    timezone: input.timezone ?? '',
    notifications: {
      email: input.notifications?.email === true,
      prizes: input.notifications?.prizes === true,
      rewards: input.notifications?.rewards === true,
    },
  }
}

const texts = ['displayName', 'email', 'bio', 'country', 'timezone'] as const
const switches = ['email', 'prizes', 'rewards'] as const

export function isSame(one: ProfileValues, other: ProfileValues): boolean {
  return (
    texts.every((field) => one[field] === other[field]) &&
    switches.every((field) => one.notifications[field] === other.notifications[field])
  )
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
  const text = (field: (typeof texts)[number]) =>
    held[field] === before[field] ? after[field] : held[field]
  const flag = (field: (typeof switches)[number]) =>
    held.notifications[field] === before.notifications[field]
      ? after.notifications[field]
      : held.notifications[field]
  return {
    displayName: text('displayName'),
    email: text('email'),
    bio: text('bio'),
    country: text('country'),
    timezone: text('timezone'),
    notifications: { email: flag('email'), prizes: flag('prizes'), rewards: flag('rewards') },
  }
}

export const profileQuery = endpointQuery(usersContract.profile, { shows: ['profile'] })

/** The caller's profile. */
export function useProfile() {
  return useQuery<Profile>(profileQuery)
}

/** What the form may change; the wallet travels along as it was last loaded. */
type ProfileChange = Omit<UpdateProfileRequest, 'solanaWallet'>

function useUpdateProfile() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: ProfileChange) => {
      const solanaWallet =
        queryClient.getQueryData<Profile>(profileQuery.queryKey)?.solanaWallet ?? null
      return call(usersContract.updateProfile, { body: { ...change, solanaWallet } })
    },
    onSuccess: (profile) => queryClient.setQueryData<Profile>(profileQuery.queryKey, profile),
  })
}
