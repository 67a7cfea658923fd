// Gives the people of an older sandbox the numbers that its stand-ins give them now.

import { type Queryable, statement } from '../adapters/db/database.ts'
import { demoStreams } from './catalogue.ts'

// Earlier sandboxes counted from 990000001 for demo viewers and 990100001 for demo channels, and
// drew ten digits for everybody else: numbers that Twitch gives to real accounts. Now they begin
// with a 9 and have 19 digits (sandbox/src/viewers.ts), where Twitch will never come.
const renumberUsers = statement(
  'renumber_sandbox_users',
  `UPDATE users SET twitch_id = '9' || lpad(twitch_id, 18, '0')
   WHERE twitch_id ~ '^[0-9]{1,10}$'`,
)
const renumberStreams = statement(
  'renumber_sandbox_streams',
  `UPDATE twitch_streams SET twitch_channel_id = '9' || lpad(twitch_channel_id, 18, '0')
   WHERE '9' || lpad(twitch_channel_id, 18, '0') = ANY ($1::text[])`,
)

/** Changes nothing in a database that is new. Channels that staff have entered stay as they are. */
export async function renumberSandbox(tx: Queryable): Promise<void> {
  await tx.run(renumberUsers, [])
  await tx.run(renumberStreams, [demoStreams.map(({ twitchChannelId }) => twitchChannelId)])
}
