// Profile Settings: the account, its wallet and Discord links, and what can be changed about it.

import { authContract, type Profile, privacyContract } from '@redpack/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import {
  CalendarDays,
  CircleCheck,
  Coins,
  EyeOff,
  LogOut,
  MessagesSquare,
  ShieldUser,
  Trash2,
  Unlink,
} from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useClaims } from '../features/claims/queries.ts'
import { NewsCard } from '../features/outbox/news-card.tsx'
import { PersonalInformation, SaveBar } from '../features/people/personal-information.tsx'
import { useProfile, useProfileForm } from '../features/people/use-profile-form.ts'
import { WalletCard } from '../features/people/wallet-card.tsx'
import { forgetSession } from '../features/session/log-out.ts'
import { useShownBalance } from '../features/session/queries.ts'
import { formatDate, formatRedCoin, plural } from '../lib/format.ts'
import { streamerMode, useStreamerMode } from '../lib/streamer-mode.ts'
import { useCall } from '../lib/use-call.ts'
import { toastError } from '../ui/feedback/outcome.ts'
import { Badge, DataState, Skeleton } from '../ui/feedback/state.tsx'
import { toast } from '../ui/feedback/toast.ts'
import { Button, buttonLook, DownloadButton } from '../ui/form/button.tsx'
import { entered, TextField, verbatim } from '../ui/form/text-field.tsx'
import { SwitchField } from '../ui/form/toggle-fields.tsx'
import { Card, CardHeader, PageHeading } from '../ui/layout/section.tsx'
import { Avatar } from '../ui/media/avatar.tsx'
import { Masked } from '../ui/media/masked.tsx'
import { ConfirmDialog } from '../ui/overlay/dialog.tsx'
import { LeaveGuard } from '../ui/overlay/leave-guard.tsx'

type DiscordFields = Pick<Profile, 'discordId' | 'discordUsername' | 'discordAvatar'>

/** The name of the linked account; both fields must be there for it to count as linked. */
function linkedName({ discordId, discordUsername }: DiscordFields): string | undefined {
  return discordId && discordUsername ? discordUsername : undefined
}

/** Discord names a picture by its hash (discord.com/developers, "Image Formatting"). */
function pictureOf({ discordId, discordAvatar }: DiscordFields): string | null {
  if (!discordId || !discordAvatar) return null
  if (discordAvatar.startsWith('https://')) return discordAvatar
  return `https://cdn.discordapp.com/avatars/${discordId}/${discordAvatar}.png?size=64`
}

function DiscordCard({ profile }: { readonly profile: Profile }) {
  const notice = useDiscordNotice()
  const name = linkedName(profile)
  const card = useRef<HTMLDivElement>(null)
  return (
    <Card ref={card} role="group" aria-label="Discord Connection" tabIndex={-1}>
      <CardHeader
        title="Discord Connection"
        icon={MessagesSquare}
        // On phones the state needs the room of the icon.
        iconClassName="size-5 text-muted max-sm:hidden"
        action={
          name ? <Badge tone="success">Connected</Badge> : <Badge tone="idle">Not connected</Badge>
        }
      />
      {name ? (
        <Linked
          name={name}
          picture={pictureOf(profile)}
          onDisconnected={() => card.current?.focus()}
        />
      ) : (
        <>
          <p className="mb-4 text-muted">
            Connect Discord to claim the rewards posted in our servers.
          </p>
          <a href={authContract.discord.path} className={buttonLook({ tone: 'secondary' })}>
            <MessagesSquare />
            Connect Discord
          </a>
        </>
      )}
      {notice?.isError && <p className="mt-4 text-danger">{notice.description}</p>}
    </Card>
  )
}

interface LinkedProps {
  readonly name: string
  readonly picture: string | null
  readonly onDisconnected: () => void
}

function Linked({ name, picture, onDisconnected }: LinkedProps) {
  const disconnect = useCall(authContract.discordDisconnect)
  const onDisconnect = () =>
    disconnect.mutate(
      {},
      {
        onSuccess: () => {
          onDisconnected()
          toast({
            title: 'Discord Disconnected',
            description: 'Your Discord account has been disconnected.',
            duration: discordSuccessMs,
          })
        },
        onError: (error) =>
          toastError(error, 'Failed to disconnect Discord account', { duration: discordErrorMs }),
      },
    )
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="flex min-w-0 items-center gap-3">
        <Avatar name={name} src={picture} />
        <span className="min-w-0 break-words font-medium">{name}</span>
      </p>
      <Button
        icon={Unlink}
        pendingLabel="Disconnecting..."
        tone="secondary"
        onClick={onDisconnect}
        isPending={disconnect.isPending}
      >
        Disconnect
      </Button>
    </div>
  )
}

/** How long messages about Discord are shown, in milliseconds. */
const discordSuccessMs = 3000
const discordErrorMs = 5000

interface DiscordNotice {
  readonly title: string
  readonly description: string
  readonly isError: boolean
}

/** How linking ended, by the word in the address. */
const notices: Readonly<Record<string, DiscordNotice>> = {
  connected: {
    title: 'Discord Connected',
    description: 'Your Discord account has been connected.',
    isError: false,
  },
  taken: {
    title: 'Error',
    description:
      'This Discord account is already linked to another user. Disconnect it there first.',
    isError: true,
  },
  failed: {
    title: 'Error',
    description: 'Failed to connect Discord account. Please try again.',
    isError: true,
  },
}

/**
 * Shows the outcome and takes it out of the address. It stays on the card until the next attempt.
 */
function useDiscordNotice(): DiscordNotice | undefined {
  const search = useLocation({ select: (location) => location.searchStr })
  const navigate = useNavigate()
  const [notice, setNotice] = useState<DiscordNotice>()
  useEffect(() => {
    const outcome = new URLSearchParams(search).get('discord')
    const next = outcome === null ? undefined : notices[outcome]
    if (outcome === null) return
    if (next) {
      setNotice(next)
      toast({
        title: next.title,
        description: next.description,
        variant: next.isError ? 'destructive' : 'default',
        duration: next.isError ? discordErrorMs : discordSuccessMs,
      })
    }
    navigate({ to: '.', search: {}, replace: true }).catch(() => undefined)
  }, [search, navigate])
  return notice
}

export function ProfileScreen() {
  const profile = useProfile()
  return (
    <>
      <PageHeading title="Profile Settings" description="Your account, wallet and connections" />
      <DataState
        query={profile}
        what="your profile"
        skeleton={<ProfileShape />}
        className=""
        isOnPage
        isBrief
      >
        {(data) => <ProfilePage profile={data} />}
      </DataState>
    </>
  )
}

function ProfilePage({ profile }: { readonly profile: Profile }) {
  const formId = useId()
  const profileForm = useProfileForm(profile)
  const queryClient = useQueryClient()
  const leave = () => {
    profileForm.reset()
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
          <SaveBar formId={formId} profileForm={profileForm} />
        </div>
      </div>
      <div className="mt-6">
        <PrivacyCard username={profile.username} onLeft={leave} />
      </div>
      <LeaveGuard isUnsaved={profileForm.isUnsaved} />
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
        <Row icon={<CircleCheck />} term="Account status">
          <Badge tone="success">Active</Badge>
        </Row>
        <Row icon={<CalendarDays />} term="Member since">
          {formatDate(profile.createdAt)}
        </Row>
        <Row icon={<Coins />} term="Balance">
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

function ProfileShape() {
  return (
    <>
      <Card className="flex items-center gap-6">
        <Skeleton className="size-16 flex-none rounded-full sm:size-20" />
        <div className="grid gap-2">
          <Skeleton className="h-7 w-40" />
          <Skeleton className="h-5 w-24" />
        </div>
      </Card>
      <div className="mt-6 grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)] lg:items-start">
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
    </>
  )
}

interface PrivacyCardProps {
  readonly username: string
  /** Called once nobody is signed in any more. */
  readonly onLeft: () => void
}

export function PrivacyCard({ username, onLeft }: PrivacyCardProps) {
  const [isAsking, setAsking] = useState(false)
  const everywhere = useCall(authContract.logoutEverywhere)
  const signOut = () =>
    everywhere.mutate(
      {},
      {
        onSuccess: onLeft,
        onError: (error) => toastError(error, 'You could not be signed out everywhere'),
      },
    )
  return (
    <Card role="group" aria-label="Your Data">
      <CardHeader title="Your Data" icon={ShieldUser} />
      <p className="mb-4 text-muted">
        Download everything we hold about you as a JSON file: your profile, openings, claims with
        delivery details, balance history, and staff notes and actions on your account.
      </p>
      <DownloadButton href={privacyContract.exportOwnData.path}>Download my data</DownloadButton>
      <p className="mt-4 text-muted">
        To detect tampering, this browser remembers the commitments to your seeds and the latest
        state of the draw log, without your name. They stay after you log out; clearing this site's
        data removes them.
      </p>
      <div className="mt-6 border-t border-line pt-4">
        <p className="mb-4 text-muted">
          Was somebody else in your account, or did you lose a device? Sign out on all devices, this
          one included. They get no more push messages either.
        </p>
        <Button icon={LogOut} tone="secondary" isPending={everywhere.isPending} onClick={signOut}>
          Sign out everywhere
        </Button>
      </div>
      <div className="mt-6 border-t border-line pt-4">
        <p className="mb-4 text-muted">
          Deleting your account removes your name and contact details. This cannot be undone:
          download your data first if you want to keep it.
        </p>
        <Button icon={Trash2} tone="danger" onClick={() => setAsking(true)}>
          Delete my account
        </Button>
      </div>
      {isAsking && (
        <DeleteAccount username={username} onClose={() => setAsking(false)} onLeft={onLeft} />
      )}
    </Card>
  )
}

interface DeleteAccountProps extends PrivacyCardProps {
  readonly onClose: () => void
}

/** Open as long as it is mounted. */
function DeleteAccount({ username, onClose, onLeft }: DeleteAccountProps) {
  const [typed, setTyped] = useState('')
  const remove = useCall(privacyContract.deleteAccount)
  const submit = () => {
    if (typed !== username || remove.isPending) return
    remove.mutate(
      { body: { confirm: typed } },
      {
        onSuccess: onLeft,
        onError: (error) => toastError(error, 'Your account could not be deleted'),
      },
    )
  }
  return (
    <ConfirmDialog
      onOpenChange={onClose}
      title="Delete your account?"
      description="You will be signed out everywhere. This cannot be undone."
      confirmLabel={remove.isPending ? 'Deleting...' : 'Delete my account'}
      onConfirm={submit}
      isPending={remove.isPending}
      canConfirm={typed === username}
    >
      <OpenClaims />
      <p className="font-semibold">What we delete</p>
      <p className="mb-3 text-muted">
        Your name, email, picture, bio, delivery details, wallet and Discord connections. Your packs
        and RedCoin can no longer be used.
      </p>
      <p className="font-semibold">What we keep</p>
      <p className="mb-4 text-muted">
        Balance changes, openings and claims, without your name, so that the books and the public
        draw log stay correct. Your current server seed is revealed for the same reason. Anonymous
        marks keep rewards from being paid twice, and blocks in place.
      </p>
      <TextField
        label={`Type ${username} to confirm`}
        {...entered(typed, setTyped)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') submit()
        }}
        {...verbatim}
      />
    </ConfirmDialog>
  )
}

/** Physical prizes that have not arrived yet, as far as the first page of claims tells. */
function OpenClaims() {
  const { data } = useClaims('physical', 1)
  const open = data?.claims.filter(({ status }) => status !== 'completed').length ?? 0
  if (open === 0) return null
  const isMore = data?.pagination.hasNextPage === true
  return (
    <p
      role="alert"
      className="mb-4 rounded-control border border-warning p-3 font-medium text-warning"
    >
      {isMore ? 'At least ' : ''}
      {plural(open, 'prize has', 'prizes have')} not been delivered yet. Without your delivery
      details, we cannot send {open === 1 ? 'it' : 'them'}.
    </p>
  )
}
