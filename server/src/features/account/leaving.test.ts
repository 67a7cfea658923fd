// Leaving and coming back, as somebody does who wants to be paid twice or to lose a block.

import { beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../test/deps.ts'
import { useListeningDeps } from '../../../test/listening-server.ts'
import { seededRandom } from '../../../test/seeded-random.ts'
import { Browser } from '../../../test/sign-in.ts'
import { addStream } from '../../../test/watch-scene.ts'
import type { Deps } from '../../adapters/deps.ts'
import { encryptionWith } from '../../adapters/encryption/encryption.ts'
import { redeemReward } from '../discord-bot/redeem-reward.ts'
import { deleteAccount } from '../people/own-account.ts'
import { creditHeartbeat, startSession } from '../watch/watch-sessions.ts'

const { t, origin } = await useListeningDeps({ SEED_DEMO: 'off' })
let ana: Browser
let boss: Person

beforeEach(async () => {
  ana = new Browser(origin)
  boss = await t.person('boss', { role: 'admin' })
  await ana.signIn('Ana')
})

const leave = (who: Browser, confirm = 'ana') =>
  who.json('/api/user', { confirm }, { method: 'DELETE' })
const leaveAndReturn = async (who: Browser, name = 'Ana') => {
  await leave(who, name.toLowerCase())
  t.clock.advance(60)
  expect(await who.signIn(name)).toBe('/dashboard')
}
const link = async (who: Browser, login: string) =>
  who.redirectOf(await who.consent(await who.redirectOf('/api/auth/discord'), login))
const unlink = (who: Browser) => who.open('/api/auth/discord/disconnect', { method: 'POST' })

interface Row {
  readonly id: number
  readonly discord_id: string
  readonly is_earning_blocked: boolean
}
const userOf = async (name: string): Promise<Row> => {
  const [row] = await t.rows<Row>('SELECT * FROM users WHERE username = $1', [name])
  return row!
}
const setBlock = async (name: string, isBlocked: boolean) => {
  const { id } = await userOf(name)
  const order = { isBlocked, reason: 'Runs a farm' }
  const answer = await boss.send('PUT', `/api/admin/users/${id}/earning-block`, order)
  expect(answer.statusCode).toBe(200)
}
const isBlocked = async (name: string) => (await userOf(name)).is_earning_blocked

const paidIn = async (type: string) => {
  const rows = await t.rows('SELECT id FROM red_coin_transactions WHERE type = $1', [type])
  return rows.length
}
/** The same product after its key was changed. */
const withNewKey = (): Deps => ({
  ...t.deps,
  encryption: encryptionWith('77'.repeat(32), seededRandom(), ['5e'.repeat(32)]),
})

describe('an earning block', () => {
  it('is there again when its Twitch account comes back, and says why', async () => {
    await setBlock('ana', true)
    await leaveAndReturn(ana)
    expect(await isBlocked('ana')).toBe(true)
    const { id } = await userOf('ana')
    expect((await boss.read(`/api/admin/users/${id}`)).earningBlock).toEqual({
      reason: 'The owner of this Twitch account was blocked before',
      createdAt: expect.any(String),
      actor: null,
    })
    await leaveAndReturn(ana)
    expect(await isBlocked('ana')).toBe(true)
  })

  it('is there again after the key was changed', async () => {
    await setBlock('ana', true)
    await deleteAccount(t.deps, (await userOf('ana')).id, 'ana', 'r')
    const kept = t.deps.encryption
    Object.assign(t.deps, { encryption: withNewKey().encryption })
    try {
      await ana.signIn('Ana')
    } finally {
      Object.assign(t.deps, { encryption: kept })
    }
    expect(await isBlocked('ana')).toBe(true)
  })

  it('comes along with a Discord account, to whomever it is linked', async () => {
    await link(ana, 'Shared')
    await setBlock('ana', true)
    await leave(ana)
    const ben = new Browser(origin)
    await ben.signIn('Ben')
    expect(await isBlocked('ben')).toBe(false)
    expect(await link(ben, 'Shared')).toBe('/profile?discord=connected')
    expect(await isBlocked('ben')).toBe(true)
  })

  it('comes along with a Discord account that was given up before', async () => {
    await link(ana, 'Shared')
    await setBlock('ana', true)
    await unlink(ana)
    const ben = new Browser(origin)
    await ben.signIn('Ben')
    await link(ben, 'Shared')
    expect(await isBlocked('ben')).toBe(true)
    await link(ana, 'Other')
    await link(ana, 'Third')
    const carl = new Browser(origin)
    await carl.signIn('Carl')
    await link(carl, 'Other')
    expect(await isBlocked('carl')).toBe(true)
  })

  it('is over everywhere once staff lift it', async () => {
    await link(ana, 'Own')
    await setBlock('ana', true)
    await leaveAndReturn(ana)
    await link(ana, 'Own')
    await setBlock('ana', false)
    await unlink(ana)
    await link(ana, 'Own')
    expect(await isBlocked('ana')).toBe(false)
    await leaveAndReturn(ana)
    await link(ana, 'Own')
    expect(await isBlocked('ana')).toBe(false)
  })

  it('stays away from people who were never blocked', async () => {
    await link(ana, 'Own')
    await leaveAndReturn(ana)
    await link(ana, 'Own')
    expect(await isBlocked('ana')).toBe(false)
  })
})

describe('a Discord reward', () => {
  const post = async (messageId: string) => {
    await t.rows(
      `INSERT INTO discord_servers (server_id, server_name, channel_id, channel_name)
       VALUES ('s1', 'Server', 'c1', 'rewards') ON CONFLICT DO NOTHING`,
    )
    await t.rows(
      `INSERT INTO discord_messages (message_id, channel_id, server_id, posted_at, expires_at,
         reward_amount) VALUES ($1, 'c1', 's1', $2, $3, 25)`,
      [messageId, t.clock.now(), new Date(t.clock.now().getTime() + 24 * 3_600_000)],
    )
  }
  const click = async (name: string, messageId: string, deps = t.deps) =>
    (await redeemReward(deps, (await userOf(name)).discord_id, messageId)).kind

  it('is paid once, however often its account leaves and comes back', async () => {
    await link(ana, 'Ana')
    await leaveAndReturn(ana)
    // Posted after the first leaving: the mark of that one does not cover it.
    await post('m1')
    await link(ana, 'Ana')
    expect(await click('ana', 'm1')).toBe('paid')
    for (let time = 0; time < 3; time += 1) {
      await leaveAndReturn(ana)
      await link(ana, 'Ana')
      expect(await click('ana', 'm1')).toBe('already_claimed')
    }
    t.clock.advance(60)
    await post('m2')
    expect(await click('ana', 'm2')).toBe('paid')
    expect(await paidIn('discord_reward')).toBe(2)
    await t.expectTrueBooks()
  })

  it('is not paid to the Twitch account again through another Discord account', async () => {
    await post('m1')
    await link(ana, 'First')
    expect(await click('ana', 'm1')).toBe('paid')
    await leaveAndReturn(ana)
    await link(ana, 'Second')
    expect(await click('ana', 'm1')).toBe('already_claimed')
  })

  it('is not paid to the Discord account again through another Twitch account', async () => {
    await post('m1')
    await link(ana, 'Shared')
    expect(await click('ana', 'm1')).toBe('paid')
    await unlink(ana)
    await leave(ana)
    const ben = new Browser(origin)
    await ben.signIn('Ben')
    await link(ben, 'Shared')
    expect(await click('ben', 'm1')).toBe('already_claimed')
    expect(await paidIn('discord_reward')).toBe(1)
  })

  it('is not paid again after the key was changed', async () => {
    await post('m1')
    await link(ana, 'Ana')
    expect(await click('ana', 'm1')).toBe('paid')
    await leaveAndReturn(ana)
    await link(ana, 'Ana')
    expect(await click('ana', 'm1', withNewKey())).toBe('already_claimed')
  })
})

describe('a watch completion', () => {
  const order = async () => {
    const streamId = await addStream(t.rows, { watchSeconds: 60, redCoins: 10 })
    return { streamId, streamSessionId: 'b1' }
  }
  type Order = Awaited<ReturnType<typeof order>>
  const post = (path: string, body: Order) => ana.json(`/api/twitch/${path}`, body)
  const watch = async (broadcast: Order) => {
    await post('watch-sessions', broadcast)
    t.clock.advance(60)
    return post('heartbeat', broadcast)
  }

  it('is paid once, however often its account leaves and comes back', async () => {
    const broadcast = await order()
    expect(await watch(broadcast)).toMatchObject({ isCompleted: true })
    for (let time = 0; time < 3; time += 1) {
      await leaveAndReturn(ana)
      await expect(post('watch-sessions', broadcast)).rejects.toThrow(/409: .*already_completed/)
    }
    expect(await paidIn('watch_reward')).toBe(1)
    await t.rows(`UPDATE twitch_streams SET current_stream_id = 'b2'`)
    expect(await watch({ ...broadcast, streamSessionId: 'b2' })).toMatchObject({
      isCompleted: true,
    })
    expect(await paidIn('watch_reward')).toBe(2)
    await t.expectTrueBooks()
  })

  it('is paid to somebody who had not completed the broadcast before leaving', async () => {
    const broadcast = await order()
    await post('watch-sessions', broadcast)
    t.clock.advance(30)
    await post('heartbeat', broadcast)
    await leaveAndReturn(ana)
    expect(await watch(broadcast)).toMatchObject({ isCompleted: true })
    expect(await paidIn('watch_reward')).toBe(1)
  })

  it('is not paid again after the key was changed, nor by a session from before', async () => {
    const broadcast = await order()
    await watch(broadcast)
    await leaveAndReturn(ana)
    const { id } = await userOf('ana')
    await expect(startSession(withNewKey(), id, broadcast)).rejects.toMatchObject({
      code: 'already_completed',
    })
    await t.rows(
      `INSERT INTO viewer_sessions (user_id, stream_id, stream_session_id, total_watch_time,
         started_at, last_active_at) VALUES ($1, $2, 'b1', 59, $3, $3)`,
      [id, broadcast.streamId, t.clock.now()],
    )
    t.clock.advance(60)
    await expect(creditHeartbeat(withNewKey(), id, broadcast)).rejects.toMatchObject({
      code: 'wrong_state',
    })
    expect(await paidIn('watch_reward')).toBe(1)
  })

  it('leaves marks that name nobody and do not belong together', async () => {
    const broadcast = await order()
    await watch(broadcast)
    await t.rows(`UPDATE twitch_streams SET current_stream_id = 'b2'`)
    await watch({ ...broadcast, streamSessionId: 'b2' })
    const [before] = await t.rows<{ twitch_id: string }>(
      `SELECT twitch_id FROM users WHERE username = 'ana'`,
    )
    await leave(ana)
    const marks = await t.rows<{ mark: string }>('SELECT mark FROM paid_watch_marks')
    expect(new Set(marks.map(({ mark }) => mark)).size).toBe(2)
    const stored = JSON.stringify([marks, await t.rows('SELECT * FROM tombstones')])
    expect(stored).not.toContain(before!.twitch_id)
  })
})

describe('links that prove an address', () => {
  const ask = (who: Browser, address: string) =>
    who.json('/api/user/notifications/email', { address })
  const tooMany = (when: string) => new RegExp(`Too many links were sent, try again ${when}`)

  it('do not begin anew for whoever leaves and comes back', async () => {
    for (let count = 0; count < 5; count += 1) {
      await ask(ana, `a${count}@example.org`)
    }
    await expect(ask(ana, 'six@example.org')).rejects.toThrow(tooMany('in an hour'))
    await leaveAndReturn(ana)
    await expect(ask(ana, 'six@example.org')).rejects.toThrow(tooMany('in an hour'))
    expect(await t.rows('SELECT * FROM outbox_messages')).toEqual([])
    t.clock.advance(3_600)
    await ask(ana, 'six@example.org')
  })

  it('go to one address five times a day, whoever asks and leaves or goes on', async () => {
    for (const name of ['ben', 'carl', 'dora', 'emil', 'fred']) {
      const one = new Browser(origin)
      await one.signIn(name)
      await ask(one, 'Victim@example.org')
      await ask(one, `${name}@example.org`)
      if (name < 'd') await leave(one, name)
      t.clock.advance(60)
    }
    await expect(ask(ana, 'victim@EXAMPLE.org')).rejects.toThrow(tooMany('tomorrow'))
    t.clock.advance(86_400 - 300)
    await ana.signIn('Ana')
    await ask(ana, 'victim@example.org')
    await expect(ask(ana, 'victim@example.org')).rejects.toThrow(tooMany('tomorrow'))
  })
})

describe('the draw chain of somebody who leaves', () => {
  it('ends with its seed revealed, so that what was withheld shows itself', async () => {
    const gold = await t.packType('Gold')
    const ben = await t.person('ben', { packs: { [gold]: 2 } })
    await ben.open(gold, 2)
    await ben.send('DELETE', '/api/user', { confirm: 'ben' })
    const chains = await t.rows('SELECT index, ended_at, end_seed, sealed_seed FROM draw_chains')
    expect(chains).toEqual([
      {
        index: 1,
        ended_at: expect.any(Date),
        end_seed: expect.stringMatching(/^[0-9a-f]{64}$/),
        sealed_seed: null,
      },
    ])
    await t.expectTrueBooks()
  })
})
