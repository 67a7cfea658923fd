// Everything that the product does by the clock, in the order in which due jobs run.

import type { Job } from './adapters/jobs/job.ts'
import { clearExpired, validateSignIns } from './features/account/validate-sign-ins.ts'
import { overviewJobs } from './features/books/jobs.ts'
import { removeDeleted } from './features/catalogue/remove-deleted.ts'
import { moveDueShipments } from './features/claims/change-shipments.ts'
import { eraseOldDeliveries } from './features/claims/deliveries.ts'
import { discordJobs, postOutlet } from './features/discord-bot/jobs.ts'
import { chainJobs, drawLogJobs } from './features/fairness/log-jobs.ts'
import { countPeople } from './features/ledger/count-people.ts'
import { outboxJobs } from './features/outbox/jobs.ts'
import { clearOldKeys, vacuumEmbedded } from './features/server/upkeep.ts'
import { asBot } from './features/twitch-bot/bot-access.ts'
import { chatBotJobs, chatOutlet } from './features/twitch-bot/jobs.ts'
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
    ...chatBotJobs,
    ...drawLogJobs,
    ...chainJobs,
    { name: 'delivery-erase-old-contacts', everySeconds: 3_600, run: eraseOldDeliveries },
    { name: 'delivery-move-due-shipments', everySeconds: 300, run: moveDueShipments },
    ...discordJobs,
    ...outboxJobs(chatOutlet, postOutlet),
    { name: 'catalogue-remove-deleted', everySeconds: 86_400, run: removeDeleted },
    { name: 'idempotency-clear-old-keys', everySeconds: 3_600, run: clearOldKeys },
    { name: 'database-tend', everySeconds: 60, run: vacuumEmbedded },
    { name: 'ledger-count-people', everySeconds: 5, run: (deps) => countPeople(deps) },
    ...overviewJobs,
  ]
}
