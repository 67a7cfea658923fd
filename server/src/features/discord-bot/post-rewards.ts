// Posts the rewards that are due to every channel of the whitelist.

import type { Deps } from '../../adapters/deps.ts'
import { botProblem, stopBot } from './bot-stop.ts'
import { planPosts } from './plan-posts.ts'
import { takeWaitingPost } from './post-tables.ts'
import { leaseEnd, trySendPost } from './send-post.ts'

/** Posts of one run; what is left is sent by the next one. */
const postsPerRunMax = 200

/** Without a token, or with one that Discord has refused, nothing is planned or sent. */
export async function postRewards(deps: Deps): Promise<void> {
  if (!deps.discord.hasToken || (await botProblem(deps)) !== undefined) return
  await planPosts(deps)
  for (let count = 0; count < postsPerRunMax; count += 1) {
    const now = deps.clock.now()
    const post = await takeWaitingPost(deps.db, now, leaseEnd(now))
    if (post === undefined) return
    if (!(await trySendPost(deps, post))) {
      await stopBot(deps)
      return
    }
  }
}
