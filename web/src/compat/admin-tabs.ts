// The tabs of the admin panel in their order, with the words that the address knows them by.

export const adminTabNames = [
  { id: 'overview', label: 'Overview' },
  { id: 'prizes', label: 'Prizes' },
  { id: 'pack-types', label: 'Pack Types' },
  { id: 'distribute', label: 'Distribute' },
  { id: 'store', label: 'Store' },
  { id: 'prize-claims', label: 'Prize Claims' },
  { id: 'fresh-users', label: 'Users' },
  { id: 'settings', label: 'Settings' },
  { id: 'twitch-streams', label: 'Twitch Streams' },
  { id: 'discord-bot', label: 'Discord Bot' },
  { id: 'bot-credentials', label: 'Bot Credentials' },
  { id: 'economy', label: 'Economy' },
  { id: 'audit', label: 'Audit Log' },
  { id: 'jobs', label: 'Jobs' },
  { id: 'server', label: 'Server' },
  { id: 'security', label: 'Security' },
] as const

export type AdminTabName = (typeof adminTabNames)[number]
export type AdminTabId = AdminTabName['id']

/** The other reading's words for tabs, where they differ; they are the ones that links carry. */
const secondWords: Partial<Record<AdminTabId, string>> = {
  'prize-claims': 'claims',
  'fresh-users': 'users',
  'twitch-streams': 'twitch',
}

/** The other reading's word for a tab; undefined where both agree. */
export function secondWord(id: AdminTabId): string | undefined {
  return secondWords[id]
}

/** The word for a tab in links. */
export function tabWord({ id }: Pick<AdminTabName, 'id'>): string {
  return secondWord(id) ?? id
}

/** The tab that a word of the address means, by either reading. */
export function tabOfWord(word: string): AdminTabName | undefined {
  return adminTabNames.find(({ id }) => id === word || secondWord(id) === word)
}
