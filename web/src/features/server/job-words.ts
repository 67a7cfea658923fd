// Words for jobs: what each of them does, and times as a distance from now.

import { ages, relativeFormat } from '../../lib/format.ts'

/** What each job of the product does; a test compares them with the jobs themselves. */
export const jobTexts: Readonly<Partial<Record<string, string>>> = {
  'auth-clear-expired': 'Removes sign-ins that have ended',
  'auth-validate-sign-ins': 'Checks sign-ins with Twitch',
  'catalogue-remove-deleted': 'Removes what was deleted long ago',
  'chat-bot-check': 'Checks the Twitch bot and renews its token',
  'chat-bot-read-chatters': 'Reads who is in chat',
  'database-tend': 'Maintains the embedded database',
  'delivery-move-due-shipments': 'Ends shipments past their deadline',
  'delivery-erase-old-contacts': 'Erases old delivery details',
  'discord-plan-posts': 'Plans posts to Discord',
  'draw-log-append': 'Writes openings into the public log',
  'idempotency-clear-old-keys': 'Clears old idempotency keys',
  'ledger-count-people': 'Counts people for the ranking',
  'outbox-collect': 'Collects news for people',
  'outbox-collect-due': 'Collects news that is due',
  'outbox-send-chat': 'Posts completions in chat',
  'outbox-send-discord': 'Sends news by Discord message',
  'outbox-send-email': 'Sends news by email',
  'outbox-send-post': 'Posts to Discord channels',
  'outbox-send-push': 'Sends news by push notification',
  'outbox-forget-links': 'Deletes old requests for email links',
  'outbox-tidy': 'Deletes old messages',
  'overview-check-books': 'Checks the books',
  'overview-look-at-new-rows': 'Checks new rows of the books',
  'overview-sum-histories': 'Sums up histories for figures and search',
  'overview-watch-books': 'Makes sure the books are checked',
  'end-draw-chains': 'Ends draw chains of past days',
  'streams-apply-schedules': 'Turns streams on and off on schedule',
  'streams-forget-events': 'Deletes old Twitch events',
  'streams-poll-live': 'Asks Twitch which streams are live',
  'streams-read-pictures': 'Updates channel pictures',
  'streams-remove-deleted': 'Removes streams deleted long ago',
  'streams-subscribe-to-events': 'Keeps Twitch subscriptions alive',
}

/** What a job does; of one that is not known here its name, in words. */
export function jobText(name: string): string {
  const known = jobTexts[name]
  if (known !== undefined) return known
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** '5 minutes ago' or 'in 20 seconds' for a moment, as seen from `now`. */
export function agoText(moment: string, now: string): string {
  const ms = Math.round((Date.parse(moment) - Date.parse(now)) / 1_000) * 1_000
  if (Number.isNaN(ms)) return ''
  const [unit, size] = ages.find(([, length]) => Math.abs(ms) >= length) ?? ['second', 1_000]
  return relativeFormat().format(Math.round(ms / size), unit)
}
