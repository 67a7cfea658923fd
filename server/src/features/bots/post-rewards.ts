// Posts the rewards that are due to every channel of the whitelist.

import type { World } from '../../adapters/world.ts'
import { botProblem, stopBot } from './bot-stop.ts'
import { planPosts } from './plan-posts.ts'
import { takeWaitingPost } from './post-tables.ts'
import { leaseEnd, trySendPost } from './send-post.ts'

/** Posts of one run; what is left is sent by the next one. */
const postsPerRunMax = 200

/** Without a token, or with one that Discord has refused, nothing is planned or sent. */
export async function postRewards(world: World): Promise<void> {
  if (!world.discord.hasToken || (await botProblem(world)) !== undefined) return
  await planPosts(world)
  for (let count = 0; count < postsPerRunMax; count += 1) {
    const now = world.clock.now()
    const post = await takeWaitingPost(world.db, now, leaseEnd(now))
    if (post === undefined) return
    if (!(await trySendPost(world, post))) {
      await stopBot(world)
      return
    }
  }
}
