// Everything that the product does by the clock, in the order in which due jobs run.

import type { Job } from './adapters/jobs/scheduler.ts'
import { clearExpired, validateSignIns } from './features/account/validate-sign-ins.ts'
import { watchBooks } from './features/books/books-state.ts'
import { checkBooks } from './features/books/check-books.ts'
import { checkNewRows } from './features/books/check-new-rows.ts'
import { sumHistories } from './features/books/sum-histories.ts'
import { removeDeleted } from './features/catalogue/remove-deleted.ts'
import { moveDueShipments } from './features/claims/change-shipments.ts'
import { eraseOldDeliveries } from './features/claims/deliveries.ts'
import { planPosts } from './features/discord-bot/posts.ts'
import { postCarrier } from './features/discord-bot/send-post.ts'
import { endPastChains } from './features/fairness/chains.ts'
import { keepLog } from './features/fairness/public-log.ts'
import { countPeople } from './features/ledger/count-people.ts'
import { collectDueNews, collectNews } from './features/outbox/collect-news.ts'
import { newsCarrier } from './features/outbox/deliver.ts'
import { forgetOldLinks } from './features/outbox/own-settings.ts'
import { sendingJob, tidyOutbox } from './features/outbox/send-messages.ts'
import { clearOldKeys, vacuumEmbedded } from './features/server/upkeep.ts'
import { asBot, chatCarrier, readChatters } from './features/twitch-bot/bot.ts'
import { checkBot } from './features/twitch-bot/credentials.ts'
import {
  forgetOldEvents,
  pollLive,
  readChannelPictures,
  subscribeToEvents,
} from './features/watch/live.ts'
import { applySchedules, removeDeletedStreams } from './features/watch/streams.ts'

/** A site without client settings asks as its bot, if it has one. */
const pollAsAppOrBot: Job['run'] = (deps) =>
  pollLive(deps, {
    askElse: (ids) => asBot(deps, undefined, (bot) => deps.twitch.liveBroadcasts(ids, bot)),
  })

/** The jobs of every feature. */
export function productJobs(): readonly Job[] {
  return [
    { name: 'auth-clear-expired', everySeconds: 600, run: clearExpired },
    { name: 'auth-validate-sign-ins', everySeconds: 60, run: validateSignIns },
    { name: 'streams-apply-schedules', everySeconds: 60, run: applySchedules },
    { name: 'streams-poll-live', everySeconds: 30, run: pollAsAppOrBot },
    { name: 'streams-read-pictures', everySeconds: 60, run: readChannelPictures },
    { name: 'streams-subscribe-to-events', everySeconds: 600, run: subscribeToEvents },
    { name: 'streams-forget-events', everySeconds: 3_600, run: forgetOldEvents },
    { name: 'streams-remove-deleted', everySeconds: 3_600, run: removeDeletedStreams },
    { name: 'chat-bot-check', everySeconds: 300, run: checkBot },
    { name: 'chat-bot-read-chatters', everySeconds: 60, run: readChatters },
    // With the scheduler's look once a second, an entry is at most five seconds behind.
    { name: 'draw-log-append', everySeconds: 3, run: keepLog },
    { name: 'end-draw-chains', everySeconds: 60, run: endPastChains },
    { name: 'delivery-erase-old-contacts', everySeconds: 3_600, run: eraseOldDeliveries },
    { name: 'delivery-move-due-shipments', everySeconds: 300, run: moveDueShipments },
    { name: 'discord-plan-posts', everySeconds: 20, run: planPosts },
    { name: 'outbox-collect', everySeconds: 5, run: collectNews },
    { name: 'outbox-collect-due', everySeconds: 60, run: collectDueNews },
    sendingJob('email', newsCarrier),
    sendingJob('push', newsCarrier),
    sendingJob('discord', newsCarrier),
    sendingJob('chat', chatCarrier),
    sendingJob('post', postCarrier),
    { name: 'outbox-forget-links', everySeconds: 3_600, run: forgetOldLinks },
    { name: 'outbox-tidy', everySeconds: 86_400, run: tidyOutbox },
    { name: 'catalogue-remove-deleted', everySeconds: 86_400, run: removeDeleted },
    { name: 'idempotency-clear-old-keys', everySeconds: 3_600, run: clearOldKeys },
    { name: 'database-tend', everySeconds: 60, run: vacuumEmbedded },
    { name: 'ledger-count-people', everySeconds: 5, run: (deps) => countPeople(deps) },
    { name: 'overview-sum-histories', everySeconds: 5, run: (...given) => sumHistories(...given) },
    { name: 'overview-check-books', everySeconds: 60, run: checkBooks },
    { name: 'overview-look-at-new-rows', everySeconds: 60, run: checkNewRows },
    { name: 'overview-watch-books', everySeconds: 300, run: watchBooks },
  ]
}
