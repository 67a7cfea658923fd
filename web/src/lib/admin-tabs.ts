// The tabs of the admin panel in their order, with the words that the address knows them by
//

export interface AdminTabName {
  /** Names the tab's element, as the one reading of the specification has it. */
  readonly id: string
  /** The other reading's word, where it differs; it is the one that links carry. */
  readonly otherId?: string
  readonly label: string
}

export const adminTabNames = [
  { id: 'overview', label: 'Overview' },
  { id: 'prizes', label: 'Prizes' },
  { id: 'pack-types', label: 'Pack Types' },
  { id: 'distribute', label: 'Distribute' },
  { id: 'store', label: 'Store' },
  { id: 'prize-claims', otherId: 'claims', label: 'Prize Claims' },
  { id: 'fresh-users', otherId: 'users', label: 'Users' },
  { id: 'settings', label: 'Settings' },
  { id: 'twitch-streams', otherId: 'twitch', label: 'Twitch Streams' },
  { id: 'discord-bot', label: 'Discord Bot' },
  { id: 'bot-credentials', label: 'Bot Credentials' },
  { id: 'economy', label: 'Economy' },
  { id: 'audit', label: 'Audit Log' },
  { id: 'jobs', label: 'Jobs' },
  { id: 'server', label: 'Server' },
  { id: 'security', label: 'Security' },
] as const satisfies readonly AdminTabName[]

export type AdminTabId = (typeof adminTabNames)[number]['id']

/** The word for a tab in links. */
export function tabWord({ id, otherId }: AdminTabName): string {
  return otherId ?? id
}

/** The tab that a word of the address means, by either reading. */
export function tabOfWord(word: string): (typeof adminTabNames)[number] | undefined {
  return adminTabNames.find((tab: AdminTabName) => tab.id === word || tab.otherId === word)
}
