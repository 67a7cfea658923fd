// A clock that was ahead for a while: what was noted by it holds nothing up once it is right again.

import { beforeEach, expect, it } from 'vitest'
import { grantCoins } from '../../../test/commands.ts'
import { type Person, useTestDeps } from '../../../test/deps.ts'
import { jobsNamed } from '../../../test/jobs.ts'
import type { Deps } from '../../adapters/deps.ts'
import { DeliveryFault } from '../../shared/far-side-faults.ts'
import { sendingJob } from './send-messages.ts'

const t = useTestDeps()
const daySeconds = 86_400
let aheadSeconds = 0
let isAway = false
let said: string[] = []
let mailed = 0
beforeEach(() => {
  aheadSeconds = 0
  isAway = false
  said = []
  mailed = 0
})

const now = () => new Date(t.clock.now().getTime() + aheadSeconds * 1_000)
const deps = (): Deps => ({
  ...t.deps,
  clock: { now, pause: async () => undefined },
  mailer: {
    isSetUp: true,
    async send() {
      mailed += 1
    },
  },
})

const chat = sendingJob('chat', () => ({
  isInOrder: true,
  backoff: { firstMillis: 2_000, mostMillis: 16_000 },
  leaseMillis: 20_000,
  isOpen: async () => true,
  decide:
    async (_tx, { event }) =>
    async () => {
      if (isAway) throw new DeliveryFault('later', 'Not now')
      said.push(event)
    },
}))

async function runJobs(): Promise<void> {
  t.clock.advance(5)
  for (const job of jobsNamed('outbox-')) {
    const { run } = job.name === 'outbox-send-chat' ? chat : job
    await run(deps()).catch(() => undefined)
  }
}

const addToChat = (event: string) =>
  t.rows(
    `INSERT INTO outbox_messages (channel, place, kind, event, next_try_at, expires_at, created_at)
     VALUES ('chat', '1', 'completion', $1, $2, $2::timestamptz + interval '1 hour', $2)`,
    [event, now()],
  )

it.each([
  ['made', async () => undefined],
  [
    'put off',
    async () => {
      isAway = true
      await runJobs()
      isAway = false
    },
  ],
  [
    'left by a process that was killed',
    () => t.rows(`UPDATE outbox_messages SET leased_until = $1`, [now()]),
  ],
])('says what was %s then, and what comes after it, within two runs', async (_what, meanwhile) => {
  aheadSeconds = daySeconds
  await addToChat('first')
  await meanwhile()
  aheadSeconds = 0
  await addToChat('second')
  for (let run = 0; run < 2; run += 1) await runJobs()
  expect(said).toEqual(['first', 'second'])
})

it('keeps the pauses of a chat', async () => {
  await addToChat('first')
  isAway = true
  await runJobs()
  isAway = false
  await t.rows(`UPDATE outbox_messages SET next_try_at = $1`, [new Date(now().getTime() + 60_000)])
  await runJobs()
  expect(said).toEqual([])
})

async function grant({ id }: Person): Promise<void> {
  await grantCoins(t.db, id, now())
  await runJobs()
}

it('sends news as if nothing had been sent in an hour that is still to come', async () => {
  const ana = await t.person('ana', { coins: 100 })
  await t.insert('notification_settings', { user_id: ana.id, address: 'a@example.org' })
  await runJobs()
  aheadSeconds = 7 * daySeconds
  for (let count = 0; count < 5; count += 1) await grant(ana)
  const before = mailed
  expect(before).toBe(5)
  aheadSeconds = 0
  await grant(ana)
  expect(mailed).toBe(before + 1)
})

it('sends the news that was left to a day far away', async () => {
  const ana = await t.person('ana', { coins: 100 })
  await t.insert('notification_settings', { user_id: ana.id, address: 'a@example.org' })
  await grant(ana)
  await t.rows(`UPDATE outbox_messages SET state = 'waiting', next_try_at = $1`, [
    new Date(now().getTime() + 7 * daySeconds * 1_000),
  ])
  await runJobs()
  expect(mailed).toBe(2)
})
