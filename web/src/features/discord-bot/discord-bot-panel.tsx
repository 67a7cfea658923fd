// The Discord Bot tab: the first part of Bot Credentials under a name of its own.

import { PanelTitle } from '../../ui/layout/headings.tsx'
import { DiscordBot } from './shared/discord-bot.tsx'

export function DiscordBotPanel() {
  return (
    <section aria-labelledby="discord-heading" className="min-w-0">
      <PanelTitle id="discord-heading" className="mb-4">
        Discord Bot
      </PanelTitle>
      <DiscordBot />
    </section>
  )
}
