// What messages say, whatever carries them: made of the news when they are sent.

import { type NotificationKind, notificationRules } from '@redpack/contract/notification-kinds'
import { numberText } from '../../shared/number-text.ts'
import type { News } from './news-tables.ts'
import type { MessageKind } from './recipient-sql.ts'

/** One letter: a subject, a few sentences, and one place to go. */
export interface Letter {
  readonly subject: string
  readonly sentences: readonly string[]
  readonly button: { readonly label: string; readonly path: string }
}

const toPrizes = { label: 'Open My Prizes', path: '/my-prizes' }
const toWhatChanged = {
  to: { label: 'Open your history', path: '/history' },
  toPacks: { label: 'Open your inventory', path: '/inventory' },
}
const toStreams = { label: 'Watch now', path: '/twitch-streams' }
const toProfile = { label: 'Open your profile', path: '/profile' }

const isOfPacks = ({ subject }: News) => subject === 'packs'

const amountText = (news: News) => {
  const count = Math.abs(news.amount)
  if (!isOfPacks(news)) return `${numberText(count)} RedCoin`
  return count === 1 ? '1 pack' : `${numberText(count)} packs`
}

const statusWords: Readonly<Record<string, string>> = {
  pending: 'is back to pending',
  processing: 'is being processed',
  completed: 'has been delivered',
}

interface Words {
  /** One sentence for each piece of news. */
  readonly line: (news: News) => string
  readonly more?: string
  /** The status of news of which `more` is said; without one it always is. */
  readonly moreOf?: string
  readonly to: Letter['button']
  /** Where news of packs alone leads instead. */
  readonly toPacks?: Letter['button']
}

const words: Readonly<Record<NotificationKind, Words>> = {
  prize_won: {
    line: ({ subject }) => `You won: ${subject}`,
    more: 'Tell us in My Prizes where to send it.',
    moreOf: 'address_wanted',
    to: toPrizes,
  },
  code_ready: {
    line: ({ subject }) => `You won: ${subject}`,
    more: 'Your code is in My Prizes.',
    to: toPrizes,
  },
  address_wanted: {
    line: ({ subject }) => `Your ${subject} needs an address`,
    more: 'Tell us in My Prizes where to send it.',
    to: toPrizes,
  },
  deadline_near: {
    line: ({ subject, status }) => `Your ${subject} needs an address by ${status}`,
    more: 'Tell us in My Prizes where to send it: without an address by then, you lose the prize.',
    to: toPrizes,
  },
  shipment_sent: {
    line: ({ subject, status }) =>
      `Your ${subject} is on its way${status ? ` with ${status}` : ''}`,
    to: toPrizes,
  },
  shipment_returned: {
    line: ({ subject }) => `Your ${subject} came back to us`,
    more: 'Check the address in My Prizes.',
    to: toPrizes,
  },
  delivery_asked: {
    line: ({ subject }) => `Has your ${subject} arrived? Let us know in My Prizes`,
    more: 'It was sent three weeks ago.',
    to: toPrizes,
  },
  stream_live: { line: ({ subject }) => `${subject} is live`, to: toStreams },
  claim_status: {
    line: ({ subject, status }) => `Your ${subject} ${statusWords[status ?? ''] ?? 'has changed'}`,
    to: toPrizes,
  },
  granted: { line: (news) => `You received ${amountText(news)}`, ...toWhatChanged },
  taken: { line: (news) => `Staff took back ${amountText(news)}`, ...toWhatChanged },
  signed_in: {
    line: () => 'New sign-in to your account',
    more: 'If this was not you, change your password and sign out everywhere in your profile.',
    to: toProfile,
  },
  wallet_changed: {
    line: () => 'Your wallet was changed',
    more: 'If this was not you, sign out everywhere and check your wallet in your profile.',
    to: toProfile,
  },
}

/** Sentences of a mail that tells of many; the rest is a number. */
const linesMax = 10

export function isUrgent(kind: MessageKind): boolean {
  return kind === 'verify_address' || notificationRules[kind].isUrgent
}

/** The letter that tells of the news; `sentence` is what staff add to its kind. */
export function letterOf(
  kind: NotificationKind,
  news: readonly News[],
  sentence?: string | null,
): Letter {
  const { line, more, moreOf, to, toPacks = to } = words[kind]
  const isMore = moreOf === undefined || news.some(({ status }) => status === moreOf)
  const lines = news.slice(0, linesMax).map(line)
  const left = news.length - lines.length
  const [first = ''] = lines
  return {
    subject: news.length === 1 ? first : `${news.length} messages: ${first}`,
    sentences: [
      ...lines.map((text) => `${text}.`),
      ...(left > 0 ? [`And ${numberText(left)} more.`] : []),
      ...(more !== undefined && isMore ? [more] : []),
      ...(sentence ? [sentence] : []),
    ],
    button: news.every(isOfPacks) ? toPacks : to,
  }
}

const exampleStatuses: Partial<Record<NotificationKind, string>> = {
  prize_won: 'address_wanted',
  claim_status: 'processing',
  deadline_near: 'December 7, 2026, 01:00 UTC',
  shipment_sent: 'DHL, number JD0123456789',
}

/** News as it might be, for staff who look at what a kind says. */
export function exampleOf(kind: NotificationKind): News {
  const subject = kind === 'stream_live' ? 'Luna' : 'Hoodie'
  return { subject, status: exampleStatuses[kind] ?? null, amount: 250 }
}

/** A letter as a browser shows it: a title and a few lines. */
export function pushOf({ subject, sentences }: Letter): { title: string; body: string } {
  const [first, ...rest] = sentences
  const isSaid = first?.slice(0, -1) === subject
  return { title: clipped(subject, 120), body: clipped((isSaid ? rest : sentences).join(' '), 400) }
}

function clipped(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`
}

/** A letter as a message on Discord, which reads marks like `*` and addresses. */
export function discordTextOf({ sentences, button }: Letter, publicUrl: string): string {
  const text = sentences.join('\n').replace(/[\\*_~`|>#[\]()@<:]/g, '\\$&')
  return `${clipped(text, 1_500)}\n${button.label}: <${publicUrl}${button.path}>`
}
