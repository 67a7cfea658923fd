// The link with a Discord account: made by leaving for Discord, taken away by a call.

import { authContract, type Profile } from '@redpack/contract'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { MessagesSquare, Unlink } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useCall } from '../../lib/use-call.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { toastError } from '../../ui/feedback/outcome.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Button, buttonLook } from '../../ui/form/button.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { Avatar } from '../../ui/media/avatar.tsx'

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

export function DiscordCard({ profile }: { readonly profile: Profile }) {
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
            <MessagesSquare aria-hidden="true" />
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
