// What each kind of news says, for staff to look at before anybody gets it.

import { notificationKinds } from '@redpack/contract/notification-kinds'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { discordTextOf, exampleOf, letterOf, pushOf } from './letters.ts'
import { mailOf } from './mail-texts.ts'
import { sentencesByKind } from './sending-tables.ts'

/** Every kind as its messages are, told with example data to somebody who is not there. */
export async function newsPreviews(db: Queryable, deps: Pick<Deps, 'config' | 'encryption'>) {
  const sentences = await sentencesByKind(db)
  const nowhere = { address: null, pending_address: null, pending_key: null, discord_id: null }
  const always = { quiet_from: null, quiet_until: null, timezone: 'UTC', is_wanted: true }
  const kinds = notificationKinds.map((kind) => {
    const sentence = sentences.get(kind) ?? null
    const to = { display_name: 'Ana', sentence, ...nowhere, ...always }
    const news = [exampleOf(kind)]
    const { subject, text } = mailOf(deps, { message: { id: 0, userId: 0, kind }, to, news })
    const letter = letterOf(kind, news, sentence)
    const discord = discordTextOf(letter, deps.config.publicUrl)
    // The link of a mail takes people off the list.
    const shown = text.replace(/\?token=\S+/, '')
    return { kind, sentence, email: { subject, text: shown }, push: pushOf(letter), discord }
  })
  return { kinds }
}
