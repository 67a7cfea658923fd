// The Bot Credentials tab: the Discord bot and the Twitch bot, one at a time.

import { useSearchValue } from '../../lib/search-value.ts'
import { PanelTitle } from '../../ui/layout/headings.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { DiscordBot } from '../discord-bot/shared/discord-bot.tsx'
import { TwitchBot } from './twitch-bot.tsx'

export function BotCredentialsPanel() {
  const [bot, setBot] = useSearchValue('bot')
  return (
    <section aria-labelledby="bots-heading" className="min-w-0">
      <PanelTitle id="bots-heading" className="mb-4">
        Bot Credentials
      </PanelTitle>
      <Tabs
        label="Bots"
        value={bot === 'twitch' ? 'twitch' : 'discord'}
        onChange={(value) => setBot(value === 'twitch' ? value : '')}
        tabs={[
          { value: 'discord', label: 'Discord Bot', content: <DiscordBot /> },
          { value: 'twitch', label: 'Twitch Bot', content: <TwitchBot /> },
        ]}
      />
    </section>
  )
}
