// News by mail: people say where to, follow the link, and have had enough of it; and what must be
// so of every mail, whatever the mail server says.

import { mailId } from '../server/src/features/outbox/mail-texts.ts'
import type { FarSides } from './far-sides.ts'
import type { Account, Model } from './model.ts'
import { type Change, habit, type Scene, to } from './scene.ts'
import { Disagreement } from './story.ts'
import { rowsOf, type World } from './world.ts'

const [linkMillis, toldMillis, dayMillis] = [24 * 3_600_000, 36 * 3_600_000, 86_400_000]
/** How often a mail is put off before it may be given up, which takes a day. */
const putOffMax = 4

const tokenIn = (text = '') => /token=([\w.]+)/.exec(text)?.[1]

/** What changes where mail of the person goes; `held` says in SQL that the database has it. */
const saying = (
  { model, accountId, now, row }: Scene,
  call: ReturnType<typeof to>,
  fields: Partial<Account>,
  held: string,
): Change => ({
  ...call,
  apply: () => model.setMail(accountId, fields, now),
  async find() {
    const text = `SELECT 1 FROM users u LEFT JOIN notification_settings s ON s.user_id = u.id
      WHERE u.id = $1 AND (${held})`
    return (await row(text, accountId)) && {}
  },
})

export const mailHabits = [
  habit('ask-for-mail', 4, ({ scene, person, turn, now }) => {
    const address = `${person.name}.${turn}@mail.test`
    const call = to('POST user/notifications/email', `wants mail at ${address}`, { address })
    const fields = { pending: address, pendingUntil: now + linkMillis }
    const change = saying(scene, call, fields, `s.pending_address = '${address}'`)
    return { ...change, refusals: () => ({ rate_limited: 'maybe' as const }) }
  }),
  habit('follow-link', 8, async ({ model, accountId, world, now, call, row, tell, check }) => {
    const { pending = '', pendingUntil = 0 } = model.accounts.get(accountId) as Account
    const token = tokenIn(world.far.mailboxes.get(pending)?.text)
    if (token === undefined) return tell('has no mail with a link')
    const line = `POST notifications/verify?token=${token}` as const
    const { isHeard, status } = await call({ line, cookie: '' })
    const text = 'SELECT address FROM notification_settings WHERE user_id = $1'
    const isProven = (await row(text, accountId))?.address === pending
    tell(`follows the link that came to ${pending}: ${isProven}`)
    const isDue = pendingUntil > now
    check(!isProven || isDue, 'proves an address by a link that has ended')
    const isSaid = status === 200
    check(!isHeard || (isSaid === isDue && isProven === isDue), 'takes a good link for a bad one')
    const proven = { address: pending, pending: undefined, isMailOff: false }
    if (isProven) model.setMail(accountId, proven, now)
  }),
  habit('have-enough-mail', 3, ({ scene, chance, world, model, accountId }) => {
    const { address = '' } = model.accounts.get(accountId) as Account
    const token = tokenIn(world.far.mailboxes.get(address)?.unsubscribeUrl)
    const isOff = `u.notifications ->> 'email' = 'false'`
    const isOn = `u.notifications ->> 'email' IS DISTINCT FROM 'false'`
    const [off, on] = [{ notifications: { email: false } }, { notifications: { email: true } }]
    const [isMailOff, none] = [{ isMailOff: true }, { address: undefined, pending: undefined }]
    const taken = { channels: { email: null } }
    const isTaken = 's.address IS NULL AND s.pending_address IS NULL'
    const link = `POST notifications/unsubscribe?token=${token}` as const
    const [call, fields, held] = chance.pick([
      [to('PUT user/profile', 'switches mail off', off), isMailOff, isOff],
      [to('PUT user/profile', 'switches mail on', on), { isMailOff: false }, isOn],
      [to('PUT user/notifications', 'takes the address back', taken), none, isTaken],
      ...(token ? [[to(link, 'wants no more mail'), isMailOff, isOff] as const] : []),
    ] as const)
    return saying(scene, call, fields, held)
  }),
]

/** Nobody is written to who does not want it, or twice but where its fate was open. */
export function checkMails({ far, model }: { far: FarSides; model: Model }, isFaulty: boolean) {
  for (const { id, to: recipient, text, unsubscribeUrl } of far.taken) {
    const { address } = recipient
    const account = model.accounts.get(Number.parseInt(tokenIn(unsubscribeUrl ?? text) ?? '', 10))
    const known = unsubscribeUrl === undefined ? account?.pending : account?.address
    const isOff = unsubscribeUrl !== undefined && account?.isMailOff === true
    if (account?.isGone !== false || isOff || address !== known) {
      throw new Disagreement(`writes to ${address}, where nobody wants it`)
    }
    const fate = far.mails.get(id) ?? { taken: 0, unclear: 0 }
    if (isFaulty) fate.unclear += 1
    if (fate.taken > 1 + fate.unclear) {
      throw new Disagreement(`sends the mail ${id} ${fate.taken} times`)
    }
  }
}

/** What somebody is to be told, of the days before the last, and the message that tells it. */
const newsText = `SELECT n.user_id AS "userId", n.at, n.event, o.state, m.id,
    m.created_at AS "createdAt"
  FROM (
    SELECT user_id, created_at AS at, 'red_coin-' || id AS event FROM red_coin_transactions
      WHERE type IN ('admin_grant', 'admin_removal')
    UNION ALL SELECT user_id, created_at, 'claim-' || id FROM prize_claims
      WHERE updated_at = created_at AND red_coin_amount = 0 AND (pack_quantity = 0 OR is_also_sent)
  ) n LEFT JOIN outbox_messages o ON o.event = n.event AND o.channel = 'email'
  LEFT JOIN outbox_messages m ON m.id = coalesce(o.bundled_into, o.id)
  WHERE n.at BETWEEN $1 AND $2`

/** Everybody who wants mail has been told of everything, unless the server put it off for a day. */
export async function checkNews({ db, clock, model, far }: World): Promise<void> {
  const [from, until] = [clock.millis - toldMillis - dayMillis, clock.millis - toldMillis]
  for (const one of await rowsOf({ db }, newsText, new Date(from), new Date(until))) {
    const { mailedSince, isGone, username } = model.accounts.get(one.userId) as Account
    if (isGone || mailedSince === undefined || mailedSince > one.at.getTime()) continue
    const { taken = 0, putOff = 0 } = (one.id && far.mails.get(mailId(one))) || {}
    if (taken > 0 || (one.state === 'failed' && putOff >= putOffMax)) continue
    throw new Disagreement(`never tells ${username} of ${one.event} (${one.state})`)
  }
}
