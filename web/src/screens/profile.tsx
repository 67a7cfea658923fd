// Profile Settings: the account, its wallet and Discord links, and what can be changed about it.

import type { Profile } from '@redpack/contract'
import { useQueryClient } from '@tanstack/react-query'
import { CalendarDays, CircleCheck, Coins, EyeOff } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { NewsCard } from '../features/outbox/news-card.tsx'
import { DiscordCard } from '../features/people/discord-card.tsx'
import {
  LeaveGuard,
  PersonalInformation,
  SaveBar,
} from '../features/people/personal-information.tsx'
import { PrivacyCard } from '../features/people/privacy-card.tsx'
import { useProfile, useProfileForm } from '../features/people/use-profile-form.ts'
import { WalletCard } from '../features/people/wallet-card.tsx'
import { forgetSession } from '../features/session/log-out.ts'
import { useShownBalance } from '../features/session/queries.ts'
import { formatMoment, formatRedCoin } from '../lib/format.ts'
import { streamerMode, useStreamerMode } from '../lib/streamer-mode.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { askAgain, LoadErrorCard, Loading, Skeleton } from '../ui/feedback/data-state.tsx'
import { SwitchField } from '../ui/form/toggle-fields.tsx'
import { Card, CardHeader } from '../ui/layout/card.tsx'
import { PageHeading } from '../ui/layout/headings.tsx'
import { Avatar } from '../ui/media/avatar.tsx'
import { Masked } from '../ui/media/masked.tsx'

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
          <NewsCard suggested={profile.email ?? ''} />
          <StreamerModeCard />
        </div>
        <div className="grid grid-cols-1 gap-6">
          <PersonalInformation
            formId={formId}
            profileForm={profileForm}
            shownName={profile.shownName}
          />
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

function AccountCard({ profile }: { readonly profile: Profile }) {
  const balance = useShownBalance()
  return (
    <Card className="flex flex-wrap items-center justify-between gap-x-10 gap-y-6">
      <div className="flex min-w-0 items-center gap-4 sm:gap-6">
        <Avatar
          name={profile.displayName}
          src={profile.avatar}
          className="size-16 sm:size-20 [&>span]:text-3xl"
        />
        <div className="min-w-0">
          <h2 className="break-words text-2xl">{profile.displayName}</h2>
          <p className="break-words text-muted">@{profile.username}</p>
        </div>
      </div>
      <dl className="flex flex-wrap gap-x-10 gap-y-4">
        <Row icon={<CircleCheck aria-hidden="true" />} term="Account status">
          <Badge tone="success">Active</Badge>
        </Row>
        <Row icon={<CalendarDays aria-hidden="true" />} term="Member since">
          {formatMoment(profile.createdAt)}
        </Row>
        <Row icon={<Coins aria-hidden="true" />} term="Balance">
          <Masked what="Balance">
            <span className="font-display font-semibold tabular-nums">
              {formatRedCoin(balance)}
            </span>
          </Masked>
        </Row>
      </dl>
    </Card>
  )
}

interface RowProps {
  readonly icon: ReactNode
  readonly term: string
  readonly children: ReactNode
}

function Row({ icon, term, children }: RowProps) {
  return (
    <div className="min-w-0">
      <dt className="mb-1 flex items-center gap-2 text-sm text-muted [&>svg]:size-4">
        {icon}
        {term}
      </dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}

/** Takes effect at once, in this browser alone, until a logout. */
function StreamerModeCard() {
  const isOn = useStreamerMode()
  return (
    <Card role="group" aria-label="Streamer Mode">
      <CardHeader title="Streamer Mode" icon={EyeOff} />
      <SwitchField
        label="Hide private details"
        hint="Hides your email, wallet, Claim IDs, delivery details and balances in this browser. Press one to show it briefly."
        isOn={isOn}
        onChange={streamerMode.set}
      />
    </Card>
  )
}

function ProfileSkeleton() {
  return (
    <Loading label="Loading your profile">
      <Card className="flex items-center gap-6">
        <Skeleton className="size-16 flex-none rounded-full sm:size-20" />
        <div className="grid gap-2">
          <Skeleton className="h-7 w-40" />
          <Skeleton className="h-5 w-24" />
        </div>
      </Card>
      <div className="mt-6 grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,24rem)_minmax(0,1fr)] lg:items-start">
        <div className="grid grid-cols-1 gap-6">
          <Card className="grid gap-4">
            <Skeleton className="h-7 w-40" />
            <Skeleton className="h-44 w-full" />
          </Card>
          <Card className="grid gap-4">
            <Skeleton className="h-7 w-52 max-w-full" />
            <Skeleton className="h-24 w-full" />
          </Card>
        </div>
        <Card className="grid gap-5">
          <Skeleton className="h-7 w-52 max-w-full" />
          <Skeleton className="h-11 w-full" />
          <Skeleton className="h-11 w-full" />
          <Skeleton className="h-28 w-full" />
          <Skeleton className="h-11 w-full" />
        </Card>
      </div>
    </Loading>
  )
}
