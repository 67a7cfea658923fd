// The tabs of the admin panel in their order, with the words that the address knows them by.

export const adminTabNames = [
  { id: 'overview', label: 'Overview', group: '' },
  { id: 'prizes', label: 'Prizes', group: 'Catalogue' },
  { id: 'pack-types', label: 'Pack Types', group: 'Catalogue' },
  { id: 'distribute', label: 'Distribute', group: 'Catalogue' },
  { id: 'store', label: 'Store', group: 'Catalogue' },
  { id: 'prize-claims', label: 'Prize Claims', group: 'People' },
  { id: 'fresh-users', label: 'Users', group: 'People' },
  { id: 'settings', label: 'Settings', group: 'Setup' },
  { id: 'twitch-streams', label: 'Twitch Streams', group: 'Setup' },
  { id: 'discord-bot', label: 'Discord Bot', group: 'Setup' },
  { id: 'bot-credentials', label: 'Bot Credentials', group: 'Setup' },
  { id: 'economy', label: 'Economy', group: 'System' },
  { id: 'audit', label: 'Audit Log', group: 'System' },
  { id: 'messages', label: 'Messages', group: 'System' },
  { id: 'jobs', label: 'Jobs', group: 'System' },
  { id: 'server', label: 'Server', group: 'System' },
  { id: 'security', label: 'Security', group: 'System' },
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
