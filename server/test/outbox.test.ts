// News from two processes on one PostgreSQL, and through kills between writing, sending and the
// answer: nothing is lost, and twice comes only what the far side had taken unheard.

import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { letTimePass, stopTime } from '../../tools/test-clock.ts'
import type { Deps } from '../src/adapters/deps.ts'
import { openMailer } from '../src/adapters/mail/mailer.ts'
import { openPusher } from '../src/adapters/push/pusher.ts'
import { sealToken } from '../src/features/twitch-bot/bot.ts'
import { announceCompletion } from '../src/features/twitch-bot/tables.ts'
import { DiscordFault, TwitchFault } from '../src/shared/far-side-faults.ts'
import { grantCoins } from './commands.ts'
import { createTestDeps, emptyDatabase, type TestDeps } from './deps.ts'
import { snowflake } from './discord-scene.ts'
import { everyday } from './everyday.ts'
import { heldTransaction } from './held-transaction.ts'
import { jobsNamed } from './jobs.ts'
import { freePort } from './product-process.ts'
import { type PushService, pushService } from './push-service.ts'
import { type SmtpServer, smtpServer } from './smtp-server.ts'
import { hasPostgres, postgresTestDatabase } from './test-database.ts'
import { addStream } from './watch-scene.ts'

/** Where a process dies, or what it does not hear. */
const ends = ['collecting', 'deciding', 'before sending', 'after sending', 'unheard'] as const
type End = (typeof ends)[number]
const channels = ['email', 'push', 'discord'] as const
const roundsOfEach = everyday(4, 17)
const rounds = ends.length * channels.length * roundsOfEach
const privateKey = Buffer.alloc(32, 7).toString('base64url')

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  let t: TestDeps
  let server: SmtpServer
  let service: PushService
  let isDiscordHeard = true
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await postgresTestDatabase(16)
    drop = database.drop
    server = await smtpServer()
    const port = await freePort()
    t = await createTestDeps(database.db, {
      PORT: String(port),
      ...{ SMTP_URL: server.url, MAIL_FROM: 'news@packs.example', VAPID_PRIVATE_KEY: privateKey },
    })
    service = await pushService(() => t.deps.pusher.publicKey ?? '')
    const subject = 'mailto:a@packs.example'
    await t.app.listen({ port, host: '127.0.0.1' })
    const bot = t.deps.discord
    const discord: typeof bot = {
      ...bot,
      async tell(...message) {
        await bot.tell(...message)
        if (!isDiscordHeard) throw new DiscordFault('unreachable', 'No answer')
      },
    }
    const pusher = openPusher({ privateKey, subject, ownService: service.url }, 1_000)
    Object.assign(t.deps, { pusher, discord })
  }, 60_000)
  beforeEach(async () => {
    await emptyDatabase(t.db)
    server.taken.length = 0
    server.fate = () => 'take'
  })
  afterAll(async () => {
    await t.app.close()
    await server.close()
    await service.close()
    await drop()
  })

  async function subscriber(name: string): Promise<number> {
    const { id } = await t.person(name)
    await t.insert('notification_settings', { user_id: id, address: `${name}@example.org` })
    return id
  }
  const grant = (userId: number) => grantCoins(t.db, userId, t.clock.now())
  const runJobs = async (deps: Deps) => {
    for (const job of jobsNamed('outbox-')) await job.run(deps)
  }
  const countTo = (name: string) =>
    server.taken.filter(({ to }) => to === `${name}@example.org`).length

  /** Somebody who is reached over one channel, and how often they were. */
  async function reached(name: string, over: (typeof channels)[number]) {
    if (over === 'email') {
      const id = await subscriber(name)
      return { id, count: () => countTo(name), hears: () => undefined }
    }
    const { id } = await t.person(name)
    await t.insert('notification_settings', { user_id: id, is_discord_on: over === 'discord' })
    if (over === 'discord') {
      await t.rows('UPDATE users SET discord_id = $2 WHERE id = $1', [id, snowflake()])
      const shown = async () => {
        const url = '/sandbox/control/discord/messages'
        return (await t.app.inject({ url })).json().length as number
      }
      const before = await shown()
      return { id, count: async () => (await shown()) - before, hears: () => undefined }
    }
    const browser = service.browser(name)
    const { endpoint, keys } = browser.subscription
    await t.rows(
      `INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth, label, created_at)
       VALUES (md5($2), $1, $2, $3, $4, 'A browser', now())`,
      [id, endpoint, keys.p256dh, keys.auth],
    )
    const hears = (isHeard: boolean) => {
      browser.status = isHeard ? 201 : 0
    }
    return { id, count: () => browser.shown.length, hears }
  }

  /** A process that ends there; what it had begun is never finished. */
  function dying(end: End): Deps {
    const mailer = openMailer(t.deps.config.mail, 1_000)
    const killed = () => Promise.reject(new Error('killed'))
    const around = async (send: () => Promise<void>) => {
      if (end === 'before sending') return killed()
      await send()
      if (end === 'after sending') return killed()
    }
    let transactions = 0
    const lasting = { collecting: 0, deciding: 1 }[end as string] ?? Number.POSITIVE_INFINITY
    return {
      ...t.deps,
      db: {
        ...t.db,
        kind: t.db.kind,
        run: t.db.run.bind(t.db),
        transaction: (work) => {
          transactions += 1
          return transactions > lasting ? killed() : t.db.transaction(work)
        },
      },
      mailer: { isSetUp: true, send: (mail) => around(() => mailer.send(mail)) },
      pusher: {
        ...t.deps.pusher,
        send: (...push) => around(() => t.deps.pusher.send(...push)),
      },
      discord: { ...t.deps.discord, tell: (...dm) => around(() => t.deps.discord.tell(...dm)) },
    }
  }

  it(`loses nothing through ${rounds} kills, and doubles only what was taken unheard`, async () => {
    // The library that calls Discord rests by the time on the wall.
    letTimePass()
    onTestFinished(stopTime)
    const doubled: Record<string, number> = {}
    for (let round = 0; round < rounds; round += 1) {
      const end = ends[round % ends.length] ?? 'unheard'
      const over = channels[round % channels.length] ?? 'email'
      const who = await reached(`p${round}`, over)
      await grant(who.id)
      const hear = (isHeard: boolean) => {
        server.fate = () => (isHeard ? 'take' : 'take-and-close')
        isDiscordHeard = isHeard
        who.hears(isHeard)
      }
      hear(end !== 'unheard')
      // That one device does not answer says nothing of the push service.
      const run = runJobs(dying(end))
      await (over === 'push' && end === 'unheard' ? run : expect(run).rejects.toThrow())
      const before = await who.count()
      hear(true)
      // The lease of who died, and the first wait of who heard nothing.
      t.clock.advance(121)
      await runJobs(t.deps)
      await runJobs(t.deps)
      const isUnheard = end === 'after sending' || end === 'unheard'
      const times = isUnheard && over !== 'discord' ? 2 : 1
      expect([over, end, before, await who.count()]).toEqual([over, end, isUnheard ? 1 : 0, times])
      if (times === 2) doubled[`${over} ${end}`] = (doubled[`${over} ${end}`] ?? 0) + 1
    }
    expect(doubled).toEqual({
      ...{ 'email after sending': roundsOfEach, 'email unheard': roundsOfEach },
      ...{ 'push after sending': roundsOfEach, 'push unheard': roundsOfEach },
    })
    const ids = server.taken.map(({ raw }) => /^Message-ID: (\S+)/im.exec(raw)?.[1])
    // The far side can tell a second try by its id.
    expect(new Set(ids).size).toBe(rounds / channels.length)
    const states = await t.rows('SELECT DISTINCT state FROM outbox_messages')
    expect(states).toEqual([{ state: 'sent' }])
  }, 120_000)

  it('sends each once with eight runs of two processes at the same time', async () => {
    for (let person = 0; person < 10; person += 1) {
      const id = await subscriber(`q${person}`)
      for (let count = 0; count < 4; count += 1) await grant(id)
    }
    await Promise.all(Array.from({ length: 8 }, () => runJobs({ ...t.deps })))
    await runJobs(t.deps)
    expect(server.taken).toHaveLength(40)
    for (let person = 0; person < 10; person += 1) expect(countTo(`q${person}`)).toBe(4)
  }, 60_000)

  it('names no mail like one of the time that a restore has taken back', async () => {
    const ana = await subscriber('ana')
    const nameOfNext = async () => {
      await grant(ana)
      await runJobs(t.deps)
      return /^Message-ID: (\S+)/im.exec(server.taken.at(-1)?.raw ?? '')?.[1]
    }
    const lost = await nameOfNext()
    await t.db.script('TRUNCATE outbox_messages RESTART IDENTITY')
    t.clock.advance(3_600)
    const next = await nameOfNext()
    expect(server.taken).toHaveLength(2)
    expect(next).toMatch(/^<outbox-1-\w+@packs\.example>$/)
    expect(next).not.toBe(lost)
  })

  it('a device that two people register at once is one of them, and ten are kept of twelve', async () => {
    const [ana, ben] = [await t.person('ana'), await t.person('ben')]
    const path = '/api/user/notifications/push'
    const shared = service.browser('shared').subscription
    const both = await Promise.all([ana, ben].map((person) => person.send('POST', path, shared)))
    expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(await t.rows('SELECT user_id FROM push_subscriptions')).toHaveLength(1)
    const own = Array.from({ length: 12 }, (_, at) => service.browser(`own${at}`).subscription)
    await Promise.all(own.map((subscription) => ana.send('POST', path, subscription)))
    const kept = await t.rows('SELECT 1 FROM push_subscriptions WHERE user_id = $1', [ana.id])
    expect(kept).toHaveLength(10)
  }, 30_000)

  it('counts an event whose transaction was open when its history was read', async () => {
    const [ana, ben] = [await subscriber('ana'), await subscriber('ben')]
    const slow = await heldTransaction(t.db, (tx) => grantCoins(tx, ana, t.clock.now()))
    await grant(ben)
    await runJobs(t.deps)
    await slow.end()
    await runJobs(t.deps)
    expect([countTo('ana'), countTo('ben')]).toEqual([1, 1])
  }, 30_000)

  it('goes on with others when one mailbox says no, and ends with who is not there', async () => {
    for (const name of ['a1', 'a2', 'a3']) await grant(await subscriber(name))
    server.fate = (to) => (to.startsWith('a2') ? { at: 'RCPT', reply: '451 later' } : 'take')
    await runJobs(t.deps)
    expect(['a1', 'a2', 'a3'].map(countTo)).toEqual([1, 0, 1])
    t.clock.advance(60)
    await runJobs(t.deps)
    expect(countTo('a2')).toBe(0)
    server.fate = () => 'take'
    t.clock.advance(120)
    await runJobs(t.deps)
    expect(['a1', 'a2', 'a3'].map(countTo)).toEqual([1, 1, 1])
  }, 30_000)

  describe('in chats', () => {
    /** What Twitch has shown, by channel; like the real one it drops the same words within 30 s. */
    const shown: { channelId: string; text: string; at: number }[] = []
    let answerOf: (channelId: string) => 'take' | 'unheard' | 'away' | 'slow' = () => 'take'
    beforeEach(async () => {
      shown.length = 0
      answerOf = () => 'take'
      await t.rows(
        `INSERT INTO twitch_bot_credentials (bot_username, bot_user_id, access_token, client_id,
           scopes) VALUES ('bot', '1', $1, 'c', 'user:write:chat')`,
        [sealToken(t.deps, 'access_token', 'token')],
      )
      await t.rows(`UPDATE twitch_bot_credentials SET id = 1`)
    })
    const sendChat: Deps['twitch']['sendChat'] = async (_bot, channelId, text) => {
      const answer = answerOf(channelId)
      if (answer === 'away') throw new TwitchFault('unreachable', 'No answer')
      if (answer === 'slow') return { isSent: false, dropCode: 'msg_slowmode' }
      const at = t.clock.now().getTime()
      const isKnown = shown.some(
        (one) => one.channelId === channelId && one.text === text && at - one.at < 30_000,
      )
      if (!isKnown) shown.push({ channelId, text, at })
      if (answer === 'unheard') throw new TwitchFault('unreachable', 'The answer got lost')
      return { isSent: !isKnown, dropCode: isKnown ? 'msg_duplicate' : undefined }
    }
    const withTwitch = (deps: Deps): Deps => ({
      ...deps,
      // Nobody waits in a test.
      clock: { ...t.clock, pause: async () => undefined },
      twitch: { ...t.deps.twitch, sendChat },
    })
    async function chat(template = '{username}!') {
      const streamId = await addStream(t.rows)
      const [row] = await t.rows<{ channel: string }>(
        `UPDATE twitch_streams SET completion_message = $2 WHERE id = $1
         RETURNING twitch_channel_id AS channel`,
        [streamId, template],
      )
      const complete = async (name: string) => {
        const { id } = await t.person(name)
        const [completion] = await t.rows<{ id: number }>(
          `INSERT INTO watch_completions (user_id, stream_id, stream_session_id,
             watch_time_completed, required, completed_at)
           VALUES ($1, $2, 'b1', 60, 60, $3) RETURNING id`,
          [id, streamId, t.clock.now()],
        )
        await announceCompletion(t.db, completion?.id ?? 0, streamId, t.clock.now())
        return id
      }
      const said = () => shown.filter(({ channelId }) => channelId === row?.channel)
      const names = () => said().flatMap(({ text }) => text.slice(0, -1).split(/, | and /))
      return { channel: row?.channel ?? '', complete, said, names }
    }
    const run = (deps: Deps = t.deps) => runJobs(withTwitch(deps))

    it.each(['deciding', 'before sending', 'after sending', 'unheard'] as const)(
      'a process that ends %s loses nobody and names nobody twice',
      async (end) => {
        const one = await chat()
        for (const name of ['ana', 'ben', 'cem']) await one.complete(name)
        if (end === 'unheard') answerOf = () => 'unheard'
        const deps = withTwitch(t.deps)
        let transactions = 0
        const dead: Deps = {
          ...deps,
          db: {
            ...t.db,
            kind: t.db.kind,
            run: (statement, values) =>
              end === 'after sending' && statement.name === 'end_outbox_try'
                ? Promise.reject(new Error('killed'))
                : t.db.run(statement, values),
            transaction: (work) => {
              transactions += 1
              return end === 'deciding' && transactions === 1
                ? Promise.reject(new Error('killed'))
                : t.db.transaction(work)
            },
          },
          twitch: {
            ...deps.twitch,
            sendChat: (...line) =>
              end === 'before sending' ? Promise.reject(new Error('killed')) : sendChat(...line),
          },
        }
        await expect(runJobs(dead)).rejects.toThrow()
        answerOf = () => 'take'
        await one.complete('dan')
        for (let seconds = 0; seconds < 60; seconds += 6) {
          t.clock.advance(6)
          await run()
        }
        expect(one.names().toSorted()).toEqual(['ana', 'ben', 'cem', 'dan'])
        expect(await t.rows('SELECT DISTINCT state FROM outbox_messages')).toEqual([
          { state: 'sent' },
        ])
      },
      30_000,
    )

    it('of 40 completions in eight runs at once each is said once, and never too fast', async () => {
      const [one, other] = [await chat(), await chat()]
      for (let n = 0; n < 20; n += 1) {
        await one.complete(`one-with-a-rather-long-name-${n}`)
        await other.complete(`other-with-a-rather-long-name-${n}`)
      }
      for (let runs = 0; runs < 6; runs += 1) {
        await Promise.all(Array.from({ length: 8 }, () => run()))
        t.clock.advance(2)
      }
      for (const { names, said } of [one, other]) {
        expect(names()).toHaveLength(20)
        expect(new Set(names()).size).toBe(20)
        const times = said().map(({ at }) => at)
        expect(times.length).toBeGreaterThan(1)
        for (const [at, time] of times.slice(1).entries()) {
          expect(time - (times[at] ?? 0)).toBeGreaterThanOrEqual(1_600)
        }
      }
    }, 60_000)

    it('one that refuses for minutes holds up no other, and goes on in order by names of then', async () => {
      const [slow, well] = [await chat(), await chat()]
      answerOf = (channelId) => (channelId === slow.channel ? 'slow' : 'take')
      const ana = await slow.complete('ana')
      await run()
      for (let minute = 0; minute < 5; minute += 1) {
        await slow.complete(`late${minute}`)
        await well.complete(`well${minute}`)
        for (let runs = 0; runs < 10; runs += 1) {
          t.clock.advance(6)
          await run()
        }
        expect(well.said()).toHaveLength(minute + 1)
      }
      expect(slow.said()).toEqual([])
      await t.rows(`UPDATE users SET twitch_display_name = 'AnaTV' WHERE id = $1`, [ana])
      answerOf = () => 'take'
      for (let runs = 0; runs < 5; runs += 1) {
        t.clock.advance(6)
        await run()
      }
      expect(slow.said().map(({ text }) => text)).toEqual([
        'AnaTV!',
        'late0, late1, late2, late3 and late4!',
      ])
    }, 60_000)

    it('what was tried for an hour is listed for staff, and what was not is let go', async () => {
      const one = await chat()
      await one.complete('ana')
      answerOf = () => 'away'
      await expect(run()).rejects.toThrow('No answer')
      await one.complete('ben')
      t.clock.advance(3_601)
      answerOf = () => 'take'
      await run()
      expect(one.said()).toEqual([])
      expect(await t.rows('SELECT state, problem FROM outbox_messages')).toEqual([
        { state: 'failed', problem: 'No answer. Its time was over' },
      ])
      const boss = await t.person('boss', { role: 'admin' })
      const { messages } = (await boss.get('/api/admin/outbox?state=failed')).json()
      expect(messages).toMatchObject([{ kind: 'completion', channel: 'chat', attempts: 1 }])
      const again = await boss.send('POST', `/api/admin/outbox/${messages[0].id}/again`)
      expect(again.statusCode).toBe(409)
    }, 30_000)
  })
})
