// Profile Settings: the account, its wallet and Discord links, and what can be changed about it.

import type { Profile } from '@redpack/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { EmailCard } from '../features/outbox/email-card.tsx'
import { AccountCard } from '../features/people/account-card.tsx'
import { DiscordCard } from '../features/people/discord-card.tsx'
import { LeaveGuard } from '../features/people/leave-guard.tsx'
import { PersonalInformation } from '../features/people/personal-information.tsx'
import { PrivacyCard } from '../features/people/privacy-card.tsx'
import { useProfile } from '../features/people/profile-queries.ts'
import { ProfileSkeleton } from '../features/people/profile-skeleton.tsx'
import { SaveBar } from '../features/people/save-bar.tsx'
import { StreamerModeCard } from '../features/people/streamer-mode-card.tsx'
import { useProfileForm } from '../features/people/use-profile-form.ts'
import { WalletCard } from '../features/people/wallet-card.tsx'
import { forgetSession } from '../features/session/log-out.ts'
import { askAgain, LoadErrorCard } from '../ui/feedback/data-state.tsx'
import { PageHeading } from '../ui/layout/headings.tsx'

export function ProfileScreen() {
  return (
    <>
      <PageHeading title="Profile Settings" description="Your account, wallet and connections" />
      <ProfileContent />
    </>
  )
}

function ProfileContent() {
  const profile = useProfile()
  const { data, error } = profile
  if (data) return <ProfilePage profile={data} />
  if (!error && data === undefined) return <ProfileSkeleton />
  return (
    <LoadErrorCard
      title="Error loading your profile"
      {...askAgain(profile)}
      // An answer without a text is no error of the browser, and yet no profile.
      error={error ?? new Error('The answer was empty')}
    />
  )
}

function ProfilePage({ profile }: { readonly profile: Profile }) {
  const formId = useId()
  const profileForm = useProfileForm(profile)
  const queryClient = useQueryClient()
  const leave = () => {
    profileForm.reset()
    profileForm.forgetDraft()
    void forgetSession(queryClient).then(() => window.location.assign('/'))
  }
  return (
    <>
      <AccountCard profile={profile} />
      <div className="mt-6 grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)] lg:items-start">
        <div className="grid grid-cols-1 gap-6">
          <WalletCard profile={profile} />
          <DiscordCard profile={profile} />
          <EmailCard suggested={profile.email ?? ''} />
          <StreamerModeCard />
        </div>
        <div className="grid grid-cols-1 gap-6">
          <PersonalInformation formId={formId} profileForm={profileForm} />
          <SaveBar
            formId={formId}
            isUnsaved={profileForm.isUnsaved}
            isRestored={profileForm.isRestored}
            isSaving={profileForm.isSaving}
            onReset={profileForm.reset}
          />
        </div>
      </div>
      <div className="mt-6">
        <PrivacyCard username={profile.username} onDeleted={leave} />
      </div>
      <LeaveGuard isUnsaved={profileForm.isUnsaved} onLeave={profileForm.forgetDraft} />
    </>
  )
}
