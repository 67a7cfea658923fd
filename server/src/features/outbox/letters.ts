// What messages say, whatever carries them: made of the news when they are sent.

import {
  kindRules,
  type NotificationKind,
  screenOf,
  type Told,
} from '@redpack/contract/notification-kinds'
import { numberText } from '../../shared/number-text.ts'
import type { News } from './news-tables.ts'
import type { MessageKind } from './recipient-sql.ts'

/** One letter: a subject, a few sentences, and one place to go. */
export interface Letter {
  readonly subject: string
  readonly sentences: readonly string[]
  readonly button: { readonly label: string; readonly path: string }
}

/** What the button to a screen says. */
const buttonLabels = {
  '/my-prizes': 'Open My Prizes',
  '/history': 'Open your history',
  '/inventory': 'Open your inventory',
  '/twitch-streams': 'Watch now',
  '/profile': 'Open your profile',
} as const

const isOfPacks = ({ subject }: News) => subject === 'packs'

function toldOf(news: News): Told {
  const count = Math.abs(news.amount)
  const packs = count === 1 ? '1 pack' : `${numberText(count)} packs`
  const amount = isOfPacks(news) ? packs : `${numberText(count)} RedCoin`
  return { subject: news.subject ?? '', status: news.status ?? '', amount }
}

interface Words {
  readonly more?: string
  /** The status of news of which `more` is said; without one it always is. */
  readonly moreOf?: string
  /** A status of the example that staff are shown. */
  readonly example?: string
}

const whereTo = 'Tell us in My Prizes where to send it.'

/** What letters say besides the line of the kind. */
const words: Readonly<Partial<Record<NotificationKind, Words>>> = {
  prize_won: { more: whereTo, moreOf: 'address_wanted', example: 'address_wanted' },
  code_ready: { more: 'Your code is in My Prizes.' },
  address_wanted: { more: whereTo },
  deadline_near: {
    more: 'Tell us in My Prizes where to send it: without an address by then, you lose the prize.',
    example: 'December 7, 2026, 01:00 UTC',
  },
  shipment_sent: { example: 'DHL, number JD0123456789' },
  shipment_returned: { more: 'Check the address in My Prizes.' },
  delivery_asked: { more: 'It was sent three weeks ago.' },
  claim_status: { example: 'processing' },
  signed_in: {
    more: 'If this was not you, change your password and sign out everywhere in your profile.',
  },
  wallet_changed: {
    more: 'If this was not you, sign out everywhere and check your wallet in your profile.',
  },
}

/** Sentences of a mail that tells of many; the rest is a number. */
const linesMax = 10

export function isUrgent(kind: MessageKind): boolean {
  return kind === 'verify_address' || 'isUrgent' in kindRules[kind]
}

/** The letter that tells of the news; `sentence` is what staff add to its kind. */
export function letterOf(
  kind: NotificationKind,
  news: readonly News[],
  sentence?: string | null,
): Letter {
  const { more, moreOf }: Words = words[kind] ?? {}
  const isMore = moreOf === undefined || news.some(({ status }) => status === moreOf)
  const lines = news.slice(0, linesMax).map((each) => kindRules[kind].line(toldOf(each)))
  const left = news.length - lines.length
  const [first = ''] = lines
  const screen = screenOf(kind)
  const path = screen === '/history' && news.every(isOfPacks) ? '/inventory' : screen
  return {
    subject: news.length === 1 ? first : `${news.length} messages: ${first}`,
    sentences: [
      ...lines.map((text) => `${text}.`),
      ...(left > 0 ? [`And ${numberText(left)} more.`] : []),
      ...(more !== undefined && isMore ? [more] : []),
      ...(sentence ? [sentence] : []),
    ],
    button: { label: buttonLabels[path], path },
  }
}

/** News as it might be, for staff who look at what a kind says. */
export function exampleOf(kind: NotificationKind): News {
  const subject = kind === 'stream_live' ? 'Luna' : 'Hoodie'
  return { subject, status: words[kind]?.example ?? null, amount: 250 }
}

/** A letter as a browser shows it: a title and a few lines. */
export function pushOf({ subject, sentences }: Letter): { title: string; body: string } {
  const [first, ...rest] = sentences
  const isSaid = first?.slice(0, -1) === subject
  return { title: clipped(subject, 120), body: clipped((isSaid ? rest : sentences).join(' '), 400) }
}

/** At most so many UTF-16 units, and no half of a character among them. */
function clipped(text: string, max: number): string {
  if (text.length <= max) return text
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** A letter as a message on Discord, which reads marks like `*` and addresses. */
export function discordTextOf({ sentences, button }: Letter, publicUrl: string): string {
  const text = sentences.join('\n').replace(/[\\*_~`|>#[\]()@<:]/g, '\\$&')
  return `${clipped(text, 1_500)}\n${button.label}: <${publicUrl}${button.path}>`
}
