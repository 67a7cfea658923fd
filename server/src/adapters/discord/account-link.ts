// Linking a Discord account by OAuth 2: where to send the browser, and which account came back.

import * as z from 'zod/mini'
import type { Config } from '../../config/config.ts'
import { callJson, readAnswer } from '../outbound/call-json.ts'

const refusal = 'Discord did not accept the link'
const service = 'Discord'

const TokenReply = z.object({ access_token: z.string() })
const UserReply = z.object({
  /** Snowflake as text: it does not fit a number. */
  id: z.string().check(z.regex(/^\d{5,20}$/)),
  username: z.string().check(z.minLength(1), z.maxLength(100)),
  /** Hash that names the picture on Discord's image host; null without a picture. */
  avatar: z.catch(z.nullable(z.string().check(z.regex(/^\w{1,64}$/))), null),
})

export type DiscordAccount = z.output<typeof UserReply>

type DiscordSettings = Pick<
  Config['discord'],
  'clientId' | 'clientSecret' | 'apiUrl' | 'authorizeUrl'
>

export type DiscordAccountLink = ReturnType<typeof discordAccountLink>

export function discordAccountLink(settings: DiscordSettings) {
  const { clientId = '', clientSecret = '', apiUrl } = settings
  return {
    /** False when the client settings are missing. */
    isConfigured: settings.clientId !== undefined && settings.clientSecret !== undefined,
    authorizeUrl: ({ redirectUri, state }: Readonly<Record<'redirectUri' | 'state', string>>) =>
      `${settings.authorizeUrl}?${new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        scope: 'identify',
        redirect_uri: redirectUri,
        prompt: 'consent',
        state,
      })}`,
    /**
     * Exchanges the code and asks whose it is. The tokens are dropped, not revoked: revoking would
     * undo the person's authorization of the whole application.
     * @throws Unavailable when Discord does not name an account
     */
    async identify(code: string, redirectUri: string): Promise<DiscordAccount> {
      // Discord takes this call as a form only; JSON is refused.
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uri: redirectUri,
        code,
      })
      const token = await callJson(service, `${apiUrl}/oauth2/token`, { method: 'POST', body })
      const { access_token } = readAnswer(TokenReply, token, refusal)
      const headers = { authorization: `Bearer ${access_token}` }
      const user = await callJson(service, `${apiUrl}/users/@me`, { headers })
      return readAnswer(UserReply, user, refusal)
    },
  }
}
