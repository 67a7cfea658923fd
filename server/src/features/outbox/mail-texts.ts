// What mails say: plain text and HTML from one letter, made when they are sent, and what staff are
// shown of it beforehand.

import { notificationKinds, verifyLinkHours } from '@redpack/contract/notification-kinds'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { Mail } from '../../adapters/mail/mailer.ts'
import { escapeHtml } from '../../shared/escape-html.ts'
import { discordTextOf, exampleOf, type Letter, letterOf, pushOf } from './letters.ts'
import { linkToken } from './mail-links.ts'
import { type News, type Recipient, sentencesByKind } from './news-tables.ts'
import type { MessageKind } from './recipient-sql.ts'

type MailDeps = Pick<Deps, 'config' | 'encryption'>

/** The mail of a message, in the operator's brand. */
export function mailOf(
  { config, encryption }: MailDeps,
  {
    message,
    to,
    news,
  }: {
    readonly message: {
      readonly id: number
      readonly createdAt: Date
      readonly userId: number
      readonly kind: MessageKind
    }
    readonly to: Recipient
    readonly news: readonly News[]
  },
): Mail {
  const { kind, userId } = message
  const { brandName, publicUrl } = config
  const isProof = kind === 'verify_address'
  const key = to.pending_key ?? ''
  const proofPath = `/api/notifications/verify?token=${linkToken(encryption, 'verify-address', userId, key)}`
  const letter: Letter = isProof
    ? {
        subject: 'Confirm your email address',
        sentences: [
          `Please confirm that you want news from ${brandName} sent to this address.`,
          `The link works once, for ${verifyLinkHours} hours. If you did not ask for this, ignore this email.`,
        ],
        button: { label: 'Confirm address', path: proofPath },
      }
    : letterOf(kind, news, to.sentence)
  const token = linkToken(encryption, 'unsubscribe', userId)
  const unsubscribeUrl = `${publicUrl}/api/notifications/unsubscribe?token=${token}`
  const page = {
    brandName,
    // To an address that nobody has proven go no words of whoever typed it.
    name: isProof ? 'there' : to.display_name,
    sentences: letter.sentences,
    label: letter.button.label,
    url: publicUrl + letter.button.path,
    foot: isProof
      ? []
      : [
          { text: 'Email settings', url: `${publicUrl}/profile` },
          { text: 'Unsubscribe', url: unsubscribeUrl },
        ],
  }
  return {
    to: {
      name: isProof ? '' : to.display_name,
      address: (isProof ? to.pending_address : to.address) ?? '',
    },
    subject: `${letter.subject} (${brandName})`,
    text: textOf(page),
    html: htmlOf(page),
    id: mailId(message),
    unsubscribeUrl: isProof ? undefined : unsubscribeUrl,
  }
}

/**
 * The name of a message's mail. Numbers begin again where an older backup was restored, and
 * mailboxes drop what they know.
 */
export const mailId = ({ id, createdAt }: { readonly id: number; readonly createdAt: Date }) =>
  `outbox-${id}-${createdAt.getTime().toString(36)}`

/** What both readings of a mail show. */
interface Page {
  readonly brandName: string
  readonly name: string
  readonly sentences: readonly string[]
  readonly label: string
  readonly url: string
  readonly foot: readonly { readonly text: string; readonly url: string }[]
}

function textOf({ brandName, name, sentences, label, url, foot }: Page): string {
  const lines = [`Hello ${name},`, '', ...sentences, '', `${label}: ${url}`, '', brandName]
  if (foot.length > 0) lines.push('', '-- ', ...foot.map((link) => `${link.text}: ${link.url}`))
  return lines.join('\n')
}

const font = 'font-family:system-ui,-apple-system,Segoe UI,sans-serif'

function htmlOf({ brandName, name, sentences, label, url, foot }: Page): string {
  const links = foot.map(
    (link) => `<a href="${escapeHtml(link.url)}" style="color:#555">${escapeHtml(link.text)}</a>`,
  )
  const last = `<p style="margin:32px 0 0;font-size:13px;color:#555">${links.join('\n &middot; ')}</p>`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escapeHtml(brandName)}</title></head>
<body style="margin:0;background:#f4f4f5">
<div style="max-width:34rem;margin:0 auto;padding:32px 24px;background:#fff;color:#18181b;${font};font-size:16px;line-height:1.5">
<p style="margin:0 0 24px;font-weight:700;font-size:18px">${escapeHtml(brandName)}</p>
<p style="margin:0 0 12px">Hello ${escapeHtml(name)},</p>
${sentences.map((text) => `<p style="margin:0 0 12px">${escapeHtml(text)}</p>`).join('\n')}
<p style="margin:24px 0 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#b91c1c;color:#fff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
${foot.length > 0 ? last : ''}
</div></body></html>
`
}

/** Every kind as its messages are, told with example data to somebody who is not there. */
export async function newsPreviews(db: Queryable, deps: MailDeps) {
  const sentences = await sentencesByKind(db)
  const nowhere = { address: null, pending_address: null, pending_key: null, discord_id: null }
  const always = { quiet_from: null, quiet_until: null, timezone: 'UTC', is_wanted: true }
  const kinds = notificationKinds.map((kind) => {
    const sentence = sentences.get(kind) ?? null
    const to = { display_name: 'Ana', sentence, ...nowhere, ...always }
    const news = [exampleOf(kind)]
    const { subject, text } = mailOf(deps, {
      message: { id: 0, createdAt: new Date(0), userId: 0, kind },
      to,
      news,
    })
    const letter = letterOf(kind, news, sentence)
    const discord = discordTextOf(letter, deps.config.publicUrl)
    // The link of a mail takes people off the list.
    const shown = text.replace(/\?token=\S+/, '')
    return { kind, sentence, email: { subject, text: shown }, push: pushOf(letter), discord }
  })
  return { kinds }
}
