// What is said after coming back from Discord: the outcome stands in the address, once.

import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { toast } from '../../ui/feedback/toast.ts'

/** How long messages about Discord are shown, in milliseconds. */
export const discordSuccessMs = 3000
export const discordErrorMs = 5000

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
export function useDiscordNotice(): DiscordNotice | undefined {
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
