// Mounts the stand-ins of Twitch and Discord, and the control calls, under /sandbox.

import type { FastifyInstance } from 'fastify'
import { serveConsentStyle } from './consent-style.ts'
import { serveControl } from './control.ts'
import type { SandboxControls } from './controls.ts'
import { serveDiscordOauth } from './discord-oauth.ts'
import { readForms } from './forms.ts'
import { serveTwitchConsent } from './twitch-identity.ts'
import { twitchState } from './twitch-state.ts'
import { serveTwitchTokens } from './twitch-tokens.ts'
import { sandboxViewers } from './viewers.ts'

/** Everything keeps its state in memory: a restart forgets tokens, but a name keeps its number. */
export async function mountSandbox(app: FastifyInstance, controls: SandboxControls): Promise<void> {
  const viewers = sandboxViewers(controls.viewers)
  const twitch = twitchState(controls, viewers)
  await app.register(
    async (scope) => {
      readForms(scope)
      serveConsentStyle(scope)
      serveTwitchConsent(scope, controls, twitch)
      serveTwitchTokens(scope, controls, twitch)
      serveDiscordOauth(scope, controls, viewers)
      await scope.register(async (inner) => serveControl(inner, controls))
    },
    { prefix: '/sandbox' },
  )
}
