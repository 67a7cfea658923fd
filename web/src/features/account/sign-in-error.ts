// What the sign-in provider's way back says when it did not work out.

import { toast } from '../../ui/feedback/toast.ts'

const reasons: Readonly<Record<string, string>> = {
  denied: 'You did not allow the login. Nothing was changed.',
  state: 'The login took too long or was started in another tab. Please try again.',
  provider: 'Twitch could not complete the login. Please try again in a moment.',
  not_configured: 'This login is not set up on this server.',
}

/** Shows why a sign-in came back without a session; nothing for a reason it does not know. */
export function showSignInError(reason: string): void {
  const description = Object.hasOwn(reasons, reason) ? reasons[reason] : undefined
  if (description) toast({ title: 'Login failed', description, variant: 'destructive' })
}
