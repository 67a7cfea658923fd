// Several live streams and one clock: which of them counts, and how a viewer changes that.

import { beforeEach, describe, expect, it } from 'vitest'
import { createTestDeps, type Person, told, useTestDeps } from '../../../test/deps.ts'
import { addStream } from '../../../test/watch-scene.ts'

const t = useTestDeps()
const sessionsPath = '/api/twitch/watch-sessions'
const beatPath = '/api/twitch/heartbeat'
let ana: Person
let first: number
let second: number

beforeEach(async () => {
  ana = await t.person('ana')
  first = await addStream(t.rows, { watchSeconds: 120 })
  second = await addStream(t.rows)
})

const start = async (streamId: number, who = ana): Promise<number> =>
  (await who.send('POST', sessionsPath, { streamId, streamSessionId: 'b1' })).json().id
const beat = async (streamId: number): Promise<number> => {
  const body = { streamId, streamSessionId: 'b1' }
  return (await ana.send('POST', beatPath, body)).json().totalWatchTime
}
const choose = (id: number, who = ana) => who.send('POST', `${sessionsPath}/${id}/count-here`)

/** By stream: true for the one that counts, or why it does not. */
async function standing(): Promise<Record<number, string | true | null>> {
  const sessions: {
    streamId: number
    isCounting: boolean
    notCountingBecause: string | null
  }[] = await ana.read(sessionsPath)
  return Object.fromEntries(
    sessions.map(({ streamId, isCounting, notCountingBecause }) => [
      streamId,
      isCounting || notCountingBecause,
    ]),
  )
}

describe('of several live streams', () => {
  it('the first counts, and beats of the others add nothing', async () => {
    await start(first)
    await start(second)
    expect(await standing()).toEqual({ [first]: true, [second]: 'other_stream' })
    t.clock.advance(60)
    expect(await beat(second)).toBe(0)
    expect(await beat(first)).toBe(60)
    expect(await beat(second)).toBe(0)
  })

  it('one goes on, with true books, when the clock of the server is set back', async () => {
    const setBack = await createTestDeps(t.db)
    t.clock.advance(3_600)
    await start(second)
    t.clock.advance(60)
    expect(await beat(second)).toBe(60)
    for (const seconds of [60, 120, 180]) {
      const payload = { streamId: second, streamSessionId: 'b1' }
      const request = { headers: { cookie: ana.cookie }, payload }
      const beaten = await setBack.app.inject({ method: 'POST', url: beatPath, ...request })
      expect(beaten.json().totalWatchTime).toBe(seconds)
      setBack.clock.advance(60)
    }
    await t.expectTrueBooks()
    await setBack.app.close()
  })

  it('the one chosen last counts, from then on and as often as it is chosen', async () => {
    const [one, two] = [await start(first), await start(second)]
    const answer = await choose(two)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ id: two, isCounting: true, notCountingBecause: null })
    expect((await choose(two)).json()).toEqual(answer.json())
    expect(await standing()).toEqual({ [first]: 'other_stream', [second]: true })
    t.clock.advance(60)
    expect([await beat(first), await beat(second)]).toEqual([0, 60])
    await choose(one)
    t.clock.advance(30)
    expect([await beat(second), await beat(first)]).toEqual([60, 30])
  })

  it('another counts when the one that counted is over or completed', async () => {
    const one = await start(first)
    await start(second)
    await t.rows(`UPDATE twitch_streams SET is_live = false WHERE id = $1`, [first])
    expect(await standing()).toEqual({ [first]: 'offline', [second]: true })
    await t.rows(`UPDATE twitch_streams SET is_live = true WHERE id = $1`, [first])
    expect(await standing()).toEqual({ [first]: true, [second]: 'other_stream' })
    await choose(one)
    for (const total of [60, 120]) {
      t.clock.advance(60)
      expect(await beat(first)).toBe(total)
    }
    expect(await standing()).toEqual({ [first]: null, [second]: true })
  })

  it('a late beat is said, and the clock stays where it is', async () => {
    await start(first)
    await start(second)
    // Nothing is written until the beat is late, so the time alone makes the answer another.
    expect(await standing()).toEqual({ [first]: true, [second]: 'other_stream' })
    t.clock.advance(120)
    expect(await standing()).toEqual({ [first]: 'late_beat', [second]: 'other_stream' })
    expect(await beat(first)).toBe(90)
    expect(await standing()).toEqual({ [first]: true, [second]: 'other_stream' })
  })

  it('one whose chat lacks the viewer does not hold the clock', async () => {
    await start(first)
    await start(second)
    await t.rows(
      `UPDATE twitch_streams SET presence_mode = 'require', chatters_read_at = $2 WHERE id = $1`,
      [first, new Date(t.clock.now().getTime() + 400_000)],
    )
    t.clock.advance(400)
    expect((await standing())[first]).toBe('not_in_chat')
    await beat(second)
    expect(await standing()).toEqual({ [first]: 'not_in_chat', [second]: true })
  })

  it.each([
    'is_earning_blocked = true',
    "suspended_until = 'infinity', suspension_reason = 'Farm'",
  ])('none counts for an account that may not earn: %s', async (shut) => {
    await start(first)
    await t.rows(`UPDATE users SET ${shut} WHERE id = $1`, [ana.id])
    expect(await standing()).toEqual({ [first]: null })
  })
})

describe('the choice', () => {
  it('is refused for a session of somebody else and for one that is not there', async () => {
    const ben = await t.person('ben')
    const bens = await start(first, ben)
    for (const id of [bens, 2_147_483_647]) {
      expect(await told(choose(id))).toBe('404 Watch session not found')
    }
    const [row] = await t.rows('SELECT chosen_at FROM viewer_sessions WHERE id = $1', [bens])
    expect(row).toEqual({ chosen_at: null })
  })

  it('is refused while the stream is offline and once it is completed', async () => {
    const one = await start(first)
    await t.rows(`UPDATE twitch_streams SET is_live = false WHERE id = $1`, [first])
    expect(await told(choose(one))).toBe('409 This stream is offline, so watch time does not count')
    await t.rows(`UPDATE twitch_streams SET is_live = true WHERE id = $1`, [first])
    for (let minute = 0; minute < 2; minute += 1) {
      t.clock.advance(60)
      await beat(first)
    }
    expect(await told(choose(one))).toBe('409 You have already completed this stream')
  })
})
