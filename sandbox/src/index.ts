// Mounts the stand-ins of Twitch and Discord, a mailbox, a push service, and the control calls,
// under /sandbox.

import type { FastifyInstance } from 'fastify'
import { serveConsentStyle } from './consent-style.ts'
import { serveControl } from './control.ts'
import type { SandboxControls } from './controls.ts'
import { serveDiscordApi } from './discord-api.ts'
import { serveDiscordControl } from './discord-control.ts'
import { failOnDemand } from './discord-errors.ts'
import { serveDiscordOauth } from './discord-oauth.ts'
import { DiscordState } from './discord-state.ts'
import { serveMailbox } from './mailbox.ts'
import { servePush } from './push-service.ts'
import { readForms } from './requests.ts'
import { serveTwitchControl } from './twitch-control.ts'
import { serveHelix } from './twitch-helix.ts'
import { serveTwitchConsent } from './twitch-identity.ts'
import { twitchState } from './twitch-state.ts'
import { serveTwitchTokens } from './twitch-tokens.ts'
import { sandboxViewers } from './viewers.ts'

/** Largest body of a call to the stand-ins; what the product sends is a few kilobytes. */
const bodyBytesMax = 64 * 1024
/** Control calls also carry lists: thousands of names or seeds. */
const controlBytesMax = 1024 * 1024

/** Everything keeps its state in memory: a restart forgets tokens, but a name keeps its number. */
export async function mountSandbox(app: FastifyInstance, controls: SandboxControls): Promise<void> {
  const viewers = sandboxViewers(controls.viewers)
  const twitch = twitchState(controls, viewers)
  const discord = new DiscordState(controls)
  await app.register(
    async (scope) => {
      limitBodies(scope, bodyBytesMax)
      readForms(scope)
      serveConsentStyle(scope)
      serveMailbox(scope, controls)
      servePush(scope, controls)
      serveTwitchConsent(scope, controls, twitch)
      serveTwitchTokens(scope, controls, twitch)
      const helix = '/twitch/helix'
      await serveHelix(scope, twitch, { base: helix, events: `${helix}/eventsub/subscriptions` })
      await scope.register(async (inner) => {
        failOnDemand(inner, discord)
        serveDiscordOauth(inner, controls, viewers, discord)
        await serveDiscordApi(inner, controls, discord)
      })
      await scope.register(async (inner) => {
        limitBodies(inner, controlBytesMax)
        serveControl(inner, controls)
        serveTwitchControl(inner, twitch, controls.twitchClient.clientId)
        serveDiscordControl(inner, controls, discord)
      })
    },
    { prefix: '/sandbox' },
  )
}

function limitBodies(app: FastifyInstance, bytes: number): void {
  app.addHook('onRoute', (route) => {
    route.bodyLimit = bytes
  })
}
