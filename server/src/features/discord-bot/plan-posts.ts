// Plans the posts of the slot that is due, one row for each channel of the whitelist.

import type { Deps } from '../../adapters/deps.ts'
import { dueSlot, postedRewardDefault, scheduleDefault } from '../../rules/post-schedule.ts'
import { channelsWithoutPost, failOverduePosts, planPost } from './post-tables.ts'
import { readSettings } from './settings-tables.ts'

/** 9 bytes make 18 characters: nobody guesses a button, and Discord takes 25 at most. */
const nonceBytes = 9

/** The name of a post towards Discord: 18 hexadecimal digits. */
export function newNonce(deps: Deps): string {
  return deps.random.bytes(nonceBytes).toString('hex')
}

/**
 * Plans what is due. The row of a slot and channel is unique, so any number of processes may plan
 * at once and there is still one post. A reward of 0 is not posted: there is nothing to claim.
 */
export async function planPosts(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  await failOverduePosts(deps.db, now)
  const settings = await readSettings(deps.db)
  const rewardAmount = settings?.rewardAmount ?? postedRewardDefault
  if (settings?.isActive === false || rewardAmount === 0) return
  const due = dueSlot(settings?.postSchedule ?? scheduleDefault, now)
  if (due === undefined) return
  const { slot, expiresAt } = due
  if (settings?.scheduledFrom && slot < settings.scheduledFrom) return
  for (const { serverId, channelId } of await channelsWithoutPost(deps.db, slot)) {
    await planPost(
      deps.db,
      {
        slot: slot.toISOString(),
        serverId,
        channelId,
        nonce: newNonce(deps),
        rewardAmount,
        isTest: false,
        expiresAt,
      },
      now,
    )
  }
}
