// Completions said in chat: each once, in batches, in time, and none lost to a failure.

import { beforeEach, describe, expect, it } from 'vitest'
import { useListeningServer } from '../../../test/listening-server.ts'
import { endWaits, shortenPatience } from '../../../test/short-patience.ts'
import { addStream } from '../../../test/watch-scene.ts'
import { announceCompletion } from './tables.ts'

const w = useListeningServer({}, { jobs: ['chat-bot-', 'streams-', 'outbox-send-chat'] })
let counted = 0
let channel = ''
let streamId = 0
beforeEach(async () => {
  counted += 1
  channel = String(820_000 + counted)
  streamId = await addStream(w.t.rows, { watchSeconds: 60 })
  await w.t.rows('UPDATE twitch_streams SET twitch_channel_id = $1, is_live_by_hand = true', [
    channel,
  ])
  await setText('Well done {username}!')
})
const setText = (text: string) =>
  w.t.rows('UPDATE twitch_streams SET completion_message = $1', [text])

async function saveBot() {
  const boss = await w.t.person('boss', { role: 'admin' })
  const minted = await w.control<Record<string, string>>('twitch/bot-token', { login: 'redbot' })
  const { accessToken, refreshToken, clientId, userId, login } = minted
  const form = { botUsername: login, botUserId: userId, clientId, accessToken, refreshToken }
  const answer = await boss.send('POST', '/api/admin/twitch/bot-credentials', form)
  expect(answer.statusCode).toBe(200)
  return { boss, userId }
}

interface Said {
  twitchChannelId: string
  senderId: string
  message: string
  sentAt: string
}
const said = async () => {
  const all = await w.control<Said[]>('twitch/chat-messages')
  return all.filter(({ twitchChannelId }) => twitchChannelId === channel)
}
const words = async () => (await said()).map(({ message }) => message)

/** Somebody who has watched for long enough. */
async function complete(name: string) {
  const viewer = await w.t.person(name)
  const order = { streamId, streamSessionId: 'b1' }
  await viewer.send('POST', '/api/twitch/watch-sessions', order)
  w.t.clock.advance(61)
  const answer = await viewer.send('POST', '/api/twitch/heartbeat', order)
  expect(answer.json()).toMatchObject({ isCompleted: true })
  return viewer
}

/** Completions of people at once, without the way there. */
async function completeMany(names: readonly string[]) {
  for (const name of names) {
    const viewer = await w.t.person(name)
    const [row] = await w.t.rows<{ id: number }>(
      `INSERT INTO watch_completions (user_id, stream_id, stream_session_id, watch_time_completed,
         required, completed_at) VALUES ($1, $2, 'b1', 60, 60, $3) RETURNING id`,
      [viewer.id, streamId, w.t.clock.now()],
    )
    await announceCompletion(w.t.db, row?.id ?? 0, streamId, w.t.clock.now())
  }
}

describe('a completion', () => {
  it('is said in the channel, once, by the bot, under the name that Twitch shows', async () => {
    const { userId } = await saveBot()
    const ana = await complete('ana')
    await w.t.rows(
      `UPDATE users SET twitch_display_name = 'AnaTV', display_name = '/ban everybody'
       WHERE id = $1`,
      [ana.id],
    )
    for (let n = 0; n < 5; n += 1) await w.advance(6)
    expect(await said()).toEqual([
      {
        twitchChannelId: channel,
        senderId: userId,
        message: 'Well done AnaTV!',
        sentAt: expect.any(String),
      },
    ])
  })

  it('is not said when the stream does not want it, or without a bot', async () => {
    await complete('early')
    await saveBot()
    await w.advance(6)
    await w.t.rows('UPDATE twitch_streams SET enable_chat_message = false')
    await complete('quiet')
    await w.advance(6)
    expect(await said()).toEqual([])
  })

  it('does not name somebody who has left since', async () => {
    await saveBot()
    const ana = await complete('ana')
    expect((await ana.send('DELETE', '/api/user', { confirm: 'ana' })).statusCode).toBe(200)
    await w.advance(6)
    expect(await said()).toEqual([])
    expect(await w.t.rows('SELECT 1 FROM outbox_messages')).toEqual([])
  })
})

describe('many completions', () => {
  it('share messages of at most 500 characters, 1.5 s apart, and nobody is left out', async () => {
    endWaits(1_600, () => w.t.clock.advance(1.6))
    await saveBot()
    const names = Array.from({ length: 40 }, (_, n) => `viewer_with_a_long_name_${n}`)
    await completeMany(names)
    await w.advance(6)
    const all = await said()
    expect(all.length).toBeGreaterThan(1)
    expect(all.length).toBeLessThan(6)
    for (const name of names) {
      const times = all.filter(({ message }) => message.split(/[ ,!]/).includes(name))
      expect(times).toHaveLength(1)
    }
    for (const { message } of all) expect(message.length).toBeLessThanOrEqual(500)
    const times = all.map(({ sentAt }) => Date.parse(sentAt))
    for (const [index, time] of times.slice(1).entries()) {
      expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(1_500)
    }
  }, 30_000)

  it('are said after a clock that was hours ahead when something was said', async () => {
    await saveBot()
    await complete('ana')
    await w.advance(6)
    await w.t.rows(`UPDATE outbox_messages SET sent_at = sent_at + interval '9 hours'`)
    await complete('ben')
    await w.advance(6)
    expect(await words()).toEqual(['Well done ana!', 'Well done ben!'])
  }, 30_000)

  it('without a place for names are one message, and the next comes when it may', async () => {
    await saveBot()
    await setText('/Somebody is done.')
    await completeMany(['ana', 'ben'])
    await w.advance(6)
    await completeMany(['cem'])
    await w.advance(6)
    expect(await words()).toEqual(['Somebody is done.'])
    await w.advance(31)
    expect(await words()).toEqual(['Somebody is done.', 'Somebody is done.'])
  }, 30_000)
})

describe('a failure', () => {
  it.each([503, 429, 401, 0])(
    'of status %d loses nothing and says nothing twice',
    async (status) => {
      await saveBot()
      await complete('ana')
      if (status === 0) shortenPatience()
      await w.control('twitch/fail', { next: 2, status })
      await w.advance(6)
      await w.control('twitch/fail', { next: 0, status })
      for (let n = 0; n < 12; n += 1) await w.advance(30)
      expect(await words()).toEqual(['Well done ana!'])
    },
    60_000,
  )

  it('is met by tries so close together that the same words are recognised', async () => {
    await saveBot()
    await complete('ana')
    await w.control('twitch/fail', { next: 1_000, status: 503 })
    for (let n = 0; n < 6; n += 1) {
      await w.advance(30)
      const [gap] = await w.t.rows<{ seconds: number }>(
        `SELECT extract(epoch FROM next_try_at - $1)::float AS seconds FROM outbox_messages`,
        [w.t.clock.now()],
      )
      expect(gap?.seconds).toBeLessThanOrEqual(20)
    }
    expect((await w.t.rows('SELECT 1 FROM outbox_messages WHERE attempts >= 5')).length).toBe(1)
    await w.control('twitch/fail', { next: 0, status: 503 })
  }, 60_000)

  it('that lasts for an hour ends it: nobody is congratulated much later', async () => {
    await saveBot()
    await complete('ana')
    await w.t.rows('UPDATE twitch_bot_credentials SET is_active = false')
    await w.advance(6)
    await w.advance(3_700)
    await w.t.rows('UPDATE twitch_bot_credentials SET is_active = true, checked_at = now()')
    await w.advance(6)
    expect(await said()).toEqual([])
    // Nothing was tried, so there is nothing for staff to see.
    expect(await w.t.rows('SELECT 1 FROM outbox_messages')).toEqual([])
  }, 30_000)

  it('of the message never undoes the reward', async () => {
    await saveBot()
    await w.t.rows('UPDATE twitch_streams SET reward_red_coin_amount = 50')
    await w.control('twitch/fail', { next: 100, status: 403 })
    const ana = await complete('ana')
    await w.advance(6)
    const [user] = await w.t.rows('SELECT red_coin_balance FROM users WHERE id = $1', [ana.id])
    expect(user).toEqual({ red_coin_balance: 50 })
  })
})

describe('presence', () => {
  const order = () => ({ streamId, streamSessionId: 'b1' })
  const mode = (presence: string) =>
    w.t.rows('UPDATE twitch_streams SET presence_mode = $1', [presence])
  async function watching(name: string) {
    const viewer = await w.t.person(name)
    await w.t.rows('UPDATE users SET twitch_id = $1 WHERE id = $2', [
      (await w.control<{ userId: string }>('twitch/bot-token', { login: name })).userId,
      viewer.id,
    ])
    await w.t.rows('UPDATE twitch_streams SET watch_time_required = 7200')
    await viewer.send('POST', '/api/twitch/watch-sessions', order())
    return viewer
  }
  const chat = (logins: string[]) =>
    w.control('twitch/chatters', { twitchChannelId: channel, logins })

  it('that is required counts those in the chat, and tells the others why not', async () => {
    await saveBot()
    await mode('require')
    const [ana, ben] = [await watching('ana'), await watching('ben')]
    await chat(['ana'])
    for (let n = 0; n < 6; n += 1) await w.advance(61)
    expect((await ana.send('POST', '/api/twitch/heartbeat', order())).statusCode).toBe(200)
    const refused = await ben.send('POST', '/api/twitch/heartbeat', order())
    expect(refused.json()).toMatchObject({
      code: 'wrong_state',
      message: 'You are not in the chat of this stream, so watch time does not count',
    })
    await chat(['ana', 'ben'])
    await w.advance(61)
    expect((await ben.send('POST', '/api/twitch/heartbeat', order())).statusCode).toBe(200)
  })

  it('that is required keeps nobody from earning while the list cannot be read', async () => {
    await saveBot()
    await mode('require')
    const ben = await watching('ben')
    await chat([])
    await w.advance(61)
    await w.control('twitch/fail', { next: 1_000, status: 500 })
    for (let n = 0; n < 6; n += 1) await w.advance(61)
    expect((await ben.send('POST', '/api/twitch/heartbeat', order())).statusCode).toBe(200)
  })

  it.each([
    ['observe', true],
    ['off', false],
  ])('in the mode %s refuses nobody', async (presence, isNoted) => {
    await saveBot()
    await mode(presence)
    const [ana, ben] = [await watching('ana'), await watching('ben')]
    await chat(['ana'])
    for (let n = 0; n < 6; n += 1) await w.advance(61)
    for (const one of [ana, ben]) {
      expect((await one.send('POST', '/api/twitch/heartbeat', order())).statusCode).toBe(200)
    }
    const seen = await w.t.rows<{ user_id: number }>(
      'SELECT user_id FROM viewer_sessions WHERE chat_seen_at IS NOT NULL',
    )
    expect(seen.map(({ user_id }) => user_id)).toEqual(isNoted ? [ana.id] : [])
  })
})
