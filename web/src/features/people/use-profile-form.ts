// The profile form: its values, whether they are unsaved, and what Save Changes and Reset do.

import { zodResolver } from '@hookform/resolvers/zod'
import { type Profile, UpdateProfileRequest, usersContract } from '@redpack/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import type * as z from 'zod/mini'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { toastError } from '../../ui/feedback/outcome.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { showFieldErrors } from '../../ui/form/form-fields.tsx'
import { draftRules, isSame, useKeptDraft } from '../../ui/form/kept-draft.ts'

export type ProfileFormReturn = UseFormReturn<ProfileDraft, unknown, ProfileChange>

export interface ProfileForm {
  readonly form: ProfileFormReturn
  readonly isUnsaved: boolean
  /** True while the unsaved changes are those of an earlier visit. */
  readonly isRestored: boolean
  readonly isSaving: boolean
  readonly save: (event?: React.BaseSyntheticEvent) => Promise<void>
  /** Puts the loaded values back, without a call. */
  readonly reset: () => void
}

/** What the form holds; a blank text means none. */
function draftOf({ notifications, ...profile }: Profile) {
  return {
    displayName: profile.displayName ?? '',
    email: profile.email ?? '',
    bio: profile.bio ?? '',
    country: profile.country ?? '',
    timezone: profile.timezone ?? '',
    emailNews: notifications.email,
    prizeNews: notifications.prizes,
    rewardNews: notifications.rewards,
  }
}
type ProfileDraft = ReturnType<typeof draftOf>

/** The rules are the server's own. */
const ProfileRules = draftRules(
  ({ emailNews, prizeNews, rewardNews, ...shown }: ProfileDraft): ProfileInput => ({
    ...shown,
    notifications: { email: emailNews, prizes: prizeNews, rewards: rewardNews },
  }),
  UpdateProfileRequest,
)
type ProfileInput = z.input<typeof UpdateProfileRequest>

export function useProfileForm(profile: Profile): ProfileForm {
  const loaded = useMemo(() => draftOf(profile), [profile])
  const update = useUpdateProfile()
  const form = useForm<ProfileDraft, unknown, ProfileChange>({
    resolver: zodResolver(ProfileRules),
    defaultValues: loaded,
    mode: 'onTouched',
  })
  const begun = useKeptDraft(form, 'profile', loaded)
  const [isRestored, setRestored] = useState(begun !== loaded)
  useFresherProfile(form, loaded, begun)
  const isUnsaved = !isSame(useWatch({ control: form.control }), loaded)

  const save = form.handleSubmit(async (change) => {
    const sent = form.getValues()
    try {
      const saved = draftOf(await update.mutateAsync(change))
      form.reset(merged(form.getValues(), sent, saved))
      setRestored(false)
      toast({ title: 'Success', description: 'Profile updated successfully!' })
    } catch (error) {
      showFieldErrors(form, Object.keys(loaded) as (keyof ProfileDraft)[], error)
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
  }
}

/** What is there now, except where the person has changed what was there before. */
function merged(held: ProfileDraft, before: ProfileDraft, now: ProfileDraft): ProfileDraft {
  const touched = Object.entries(held).filter(
    ([name, value]) => value !== before[name as keyof ProfileDraft],
  )
  return { ...now, ...Object.fromEntries(touched) }
}

/** Takes over what the server has changed since the form was begun. */
function useFresherProfile(form: ProfileFormReturn, loaded: ProfileDraft, begun: ProfileDraft) {
  const before = useRef(begun)
  useEffect(() => {
    if (before.current === loaded) return
    form.reset(merged(form.getValues(), before.current, loaded), { keepErrors: true })
    before.current = loaded
  }, [form, loaded])
}

export const profileQuery = endpointQuery(usersContract.profile, { shows: ['profile', 'user'] })

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
