// The Discord Bot tab: the first part of Bot Credentials under a name of its own.

import { DiscordBot } from './shared/discord-bot.tsx'

export function DiscordBotPanel() {
  return (
    <section aria-labelledby="discord-heading" className="min-w-0">
      <h2 id="discord-heading" className="mb-4 flex min-h-11 items-center text-2xl">
        Discord Bot
      </h2>
      <DiscordBot />
    </section>
  )
}
