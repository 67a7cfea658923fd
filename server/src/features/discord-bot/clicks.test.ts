// Discord's webhook: who is believed, what a click pays, and what the person who clicked reads.

import { createHash, createPrivateKey, sign } from 'node:crypto'
import { verifyKey } from 'discord-interactions'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../test/deps.ts'
import { discordScene } from '../../../test/discord-scene.ts'
import { heldTransaction } from '../../../test/held-transaction.ts'
import { jobsNamed } from '../../../test/jobs.ts'
import { useListeningDeps } from '../../../test/listening-server.ts'
import { endWaits } from '../../../test/short-patience.ts'

const { t, origin } = await useListeningDeps({ SEED_DEMO: 'off' })
let scene: ReturnType<typeof discordScene>
let boss: Person
let ana: Person
let channelId = ''
let messageId = ''
beforeAll(() => {
  scene = discordScene(t, origin)
})
beforeEach(async () => {
  await scene.fail(0, 500)
  boss = await t.person('boss', { role: 'admin' })
  ana = await t.person('ana', { coins: 1_000 })
  await t.rows(`UPDATE users SET discord_id = 'd-ana' WHERE id = $1`, [ana.id])
  channelId = await scene.addServer(boss)
  messageId = await post()
})

const post = async () => {
  const body = { channelId }
  const answer = await boss.send('POST', '/api/admin/discord/test-claim', body)
  return answer.json().messageId as string
}
const runJobs = async () => {
  for (const job of jobsNamed('discord-')) await job.run(t.deps)
}
const balance = async () => (await ana.get('/api/auth/me')).json().redCoinBalance

describe('a click', () => {
  it('pays the linked user once and says so to nobody else', async () => {
    const heard: unknown[] = []
    t.deps.events.subscribe((event) => heard.push(event))
    expect(await scene.click(messageId, 'd-ana')).toEqual({
      status: 200,
      type: 4,
      content: 'You received 25 RedCoin. Your balance is now 1,025.',
      ephemeral: true,
    })
    expect(await scene.click(messageId, 'd-ana')).toMatchObject({
      content: 'You have already claimed this reward.',
      ephemeral: true,
    })
    expect(await balance()).toBe(1_025)
    const paid = await t.rows(
      'SELECT amount, type FROM red_coin_transactions ORDER BY id DESC LIMIT 1',
    )
    expect(paid).toEqual([{ amount: 25, type: 'discord_reward' }])
    expect(heard).toEqual([
      { type: 'user_changed', userId: ana.id },
      { type: 'leaderboard_changed' },
    ])
    expect(await t.brokenBooks()).toEqual([])
  })

  it('pays what the message was posted with, whatever the settings say now', async () => {
    const setReward = (rewardAmount: number) =>
      boss.send('PUT', '/api/admin/discord/bot-settings', { rewardAmount })
    await setReward(40)
    const posted = await post()
    await setReward(9_999)
    await scene.click(posted, 'd-ana')
    expect(await balance()).toBe(1_040)
  })

  it('of somebody who is not linked shows the way to the profile', async () => {
    const answer = await scene.click(messageId, 'd-stranger')
    expect(answer).toMatchObject({ type: 4, ephemeral: true })
    expect(answer.content).toContain('not linked yet')
    const { json } = await webhook(press({ discordUserId: 'd-other' }))
    expect(json.data).toMatchObject({
      flags: 64,
      allowed_mentions: { parse: [] },
      components: [{ type: 1, components: [{ type: 2, style: 5, url: `${origin}/profile` }] }],
    })
  })

  it('is too late once the time of the message is over, also before its button is taken back', async () => {
    t.clock.advance(3_599)
    expect((await scene.click(messageId, 'd-ana')).content).toContain('You received')
    const second = await post()
    t.clock.advance(3_601)
    expect((await scene.click(second, 'd-ana')).content).toBe('This reward has expired.')
    expect(await balance()).toBe(1_025)
  })

  it('pays nothing once the server is off the whitelist, and says why', async () => {
    const sentence = 'Rewards are no longer given in this channel.'
    for (const off of [
      'UPDATE discord_servers SET is_active = false',
      'DELETE FROM discord_servers',
    ]) {
      await t.rows(off)
      for (const who of ['d-ana', 'd-stranger']) {
        const answer = await scene.click(messageId, who)
        expect([answer.content, answer.ephemeral]).toEqual([sentence, true])
      }
    }
    expect(await balance()).toBe(1_000)
    t.clock.advance(25 * 3_600)
    expect((await scene.click(messageId, 'd-ana')).content).toBe('This reward has expired.')
  })

  it('pays nobody who may not earn', async () => {
    await t.rows('UPDATE users SET is_earning_blocked = true WHERE id = $1', [ana.id])
    const { content } = await scene.click(messageId, 'd-ana')
    expect(content).toBe('Your account cannot earn rewards.')
    expect(await balance()).toBe(1_000)
  })

  it('asks to press again where it could not be paid, and has claimed nothing then', async () => {
    const has = (coins: number) =>
      t.plant(`UPDATE users SET red_coin_balance = ${coins} WHERE id = ${ana.id}`)
    await has(Number.MAX_SAFE_INTEGER)
    expect((await scene.click(messageId, 'd-ana')).content).toBe(
      'Something went wrong on our side. Please press the button again.',
    )
    await has(1_000)
    expect((await scene.click(messageId, 'd-ana')).content).toContain('You received 25')
  })

  it('pays the same Discord account once, also when it is linked to somebody else', async () => {
    await scene.click(messageId, 'd-ana')
    await t.rows('UPDATE users SET discord_id = NULL WHERE id = $1', [ana.id])
    await t.rows(`UPDATE users SET discord_id = 'd-ana' WHERE id = $1`, [boss.id])
    const { content } = await scene.click(messageId, 'd-ana')
    expect(content).toBe('You have already claimed this reward.')
  })

  it('counts when it comes before we know what the message is called', async () => {
    await t.rows('UPDATE discord_messages SET message_id = NULL')
    expect((await scene.click(messageId, 'd-ana')).content).toContain('You received 25')
    expect(await t.rows('SELECT message_id FROM discord_messages')).toEqual([
      { message_id: messageId },
    ])
  })

  it('on a message that was posted twice pays once, whichever of the two is pressed', async () => {
    const presses = [press({ messageId: '77' }), press()]
    const said: string[] = []
    for (const each of presses) said.push((await webhook(each)).json.data.content)
    expect(said).toEqual([
      'You received 25 RedCoin. Your balance is now 1,025.',
      'You have already claimed this reward.',
    ])
  })

  it('on a button that is not ours, or in another channel, is not known', async () => {
    for (const change of [
      { customId: 'claim:v1:unknown-post' },
      { customId: 'other' },
      { channelId: '5' },
    ]) {
      const { json } = await webhook(press(change))
      expect(json.data).toMatchObject({
        content: 'We do not recognize this reward.',
      })
    }
  })
})

const publicKey = '3b6def90eef3ba82d711f8eeb2a626b7de13f4a1e18ceb973fab3128a394ed5c'
const key = createPrivateKey({
  key: Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    createHash('sha256').update('sandbox of discord').digest(),
  ]),
  format: 'der',
  type: 'pkcs8',
})

let pressed = 0
function press(change: Record<string, unknown> = {}) {
  pressed += 1
  return {
    id: change['id'] ?? `interaction-${pressed}`,
    application_id: change['applicationId'] ?? 'sandbox-discord',
    type: change['type'] ?? 3,
    token: 'token',
    version: 1,
    channel_id: change['channelId'] ?? channelId,
    data: { component_type: 2, custom_id: change['customId'] ?? buttonId },
    message: { id: change['messageId'] ?? messageId },
    member: { user: { id: change['discordUserId'] ?? 'd-ana', username: 'ana' } },
  }
}
let buttonId = ''
beforeEach(async () => {
  const [row] = await t.rows<{ nonce: string }>('SELECT nonce FROM discord_messages')
  buttonId = `claim:v1:${row!.nonce}`
})

interface Signing {
  readonly at?: Date
  readonly signature?: string | undefined
  readonly timestamp?: string | undefined
  readonly signed?: string
  readonly url?: string
}

async function webhook(body: unknown, signing: Signing = {}) {
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  const at = signing.at ?? t.clock.now()
  const timestamp =
    'timestamp' in signing ? signing.timestamp : String(Math.floor(at.getTime() / 1000))
  const signature =
    'signature' in signing
      ? signing.signature
      : sign(null, Buffer.from(`${timestamp}${signing.signed ?? payload}`), key).toString('hex')
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (timestamp !== undefined) headers['x-signature-timestamp'] = timestamp
  if (signature !== undefined) headers['x-signature-ed25519'] = signature
  const { url = '/api/discord/interactions' } = signing
  const answer = await t.app.inject({ method: 'POST', url, headers, payload })
  const json = answer.body === '' ? undefined : answer.json()
  return { status: answer.statusCode, json, headers }
}

describe('the webhook', () => {
  it('answers a ping, and agrees with an independent verifier about signatures', async () => {
    const ping = { id: '1', application_id: 'sandbox-discord', type: 1, token: 't', version: 1 }
    const { status, json, headers } = await webhook(ping)
    expect([status, json]).toEqual([200, { type: 1 }])
    const sent = JSON.stringify(ping)
    const judge = (body: string) =>
      verifyKey(body, headers['x-signature-ed25519']!, headers['x-signature-timestamp']!, publicKey)
    expect(await judge(sent)).toBe(true)
    expect(await judge(`${sent} `)).toBe(false)
    expect(t.deps.config.discord.publicKey).toBe(publicKey)
  })

  it('passes the check that Discord makes before it accepts the address', async () => {
    expect(await scene.control('probe', {})).toEqual({ ping: 200, forged: 401 })
  })

  it('believes nothing that is not signed for exactly these bytes', async () => {
    const body = JSON.stringify(press())
    const wrong: Signing[] = [
      { signed: `${body} ` },
      { signature: 'ab'.repeat(64) },
      { signature: 'zz' },
      { signature: '' },
      { signature: undefined },
      { timestamp: undefined },
      { timestamp: 'now' },
    ]
    for (const signing of wrong) expect((await webhook(body, signing)).status).toBe(401)
    expect(await balance()).toBe(1_000)
    expect(await t.rows('SELECT * FROM discord_interactions')).toEqual([])
  })

  it.each([-301, 301])('believes nothing that was signed %i seconds from now', async (seconds) => {
    const at = new Date(t.clock.now().getTime() + seconds * 1000)
    expect((await webhook(press(), { at })).status).toBe(401)
    const near = new Date(t.clock.now().getTime() + seconds * 980)
    expect((await webhook(press(), { at: near })).status).toBe(200)
  })

  it('is for our application alone', async () => {
    const { status, json } = await webhook(press({ applicationId: 'another' }))
    expect([status, json.message]).toEqual([401, 'The request signature is not valid'])
    expect(await balance()).toBe(1_000)
  })

  it('gives a repeated interaction no second effect', async () => {
    const click = press()
    expect((await webhook(click)).json.data.content).toContain('You received')
    await runJobs()
    const again = await webhook(click)
    expect(again.json.data).toMatchObject({ content: 'This click was already handled.', flags: 64 })
    expect(await balance()).toBe(1_025)
    t.clock.advance(3_601)
    await runJobs()
    expect(await t.rows('SELECT * FROM discord_interactions')).toEqual([])
  })

  it('answers what it does not handle, and bodies of any kind, without failing', async () => {
    const bodies = [press({ type: 2 }), '{}', '[]', 'null', '{', 'x', '', { ...press(), data: {} }]
    for (const body of bodies) expect((await webhook(body)).status).toBe(200)
    expect((await webhook(press({ type: 2 }))).json).toMatchObject({
      type: 4,
      data: { content: 'This is not something we can answer.', flags: 64 },
    })
    const huge = await webhook('x'.repeat(70_000))
    expect(huge.status).toBe(413)
  })

  /** Presses the button while the payment is held up for longer than Discord may wait. */
  async function slowClick() {
    const text = 'SELECT id FROM users WHERE id = $1 FOR UPDATE'
    const lock = await heldTransaction(t.db, (tx) => tx.run({ name: 'hold_ana', text }, [ana.id]))
    // The patience that ends at once ends before this.
    endWaits(1_500, () => setTimeout(lock.end, 50))
    const answer = await scene.click(messageId, 'd-ana')
    await lock.end()
    return answer
  }
  const late = {
    status: 200,
    type: 5,
    content: 'You received 25 RedCoin. Your balance is now 1,025.',
    ephemeral: true,
  }

  it('puts an answer off that takes too long, and delivers it later', async () => {
    expect(await slowClick()).toEqual(late)
  })

  it.each([404, 503])(
    'delivers a late answer that was refused with %i at first',
    async (status) => {
      await scene.fail(1, status)
      expect(await slowClick()).toEqual(late)
    },
  )
})

describe('webhook events', () => {
  const url = '/api/discord/events'
  const withdrawn = (id: string, change: object = {}) => ({
    version: 1,
    application_id: 'sandbox-discord',
    type: 1,
    event: {
      type: 'APPLICATION_DEAUTHORIZED',
      timestamp: '2026-11-25T12:00:00.000000',
      data: { user: { id, username: 'ana' }, scopes: ['identify'] },
    },
    ...change,
  })
  const linked = async () => (await ana.get('/api/auth/me')).json().discordId

  it('end the link that its owner has withdrawn, and what it earned ends with it', async () => {
    expect((await webhook(withdrawn('d-somebody'), { url })).status).toBe(204)
    expect(await linked()).toBe('d-ana')
    expect((await webhook(withdrawn('d-ana'), { url })).status).toBe(204)
    expect(await linked()).toBeNull()
    expect((await scene.click(messageId, 'd-ana')).content).toContain('not linked yet')
    // Told again, as Discord does when an answer is lost, it changes nothing.
    expect((await webhook(withdrawn('d-ana'), { url })).status).toBe(204)
    expect(
      await t.rows(`SELECT actor_id, target_id, reason FROM audit_log
         WHERE action = 'discord.unlink'`),
    ).toEqual([{ actor_id: null, target_id: String(ana.id), reason: 'Withdrawn in Discord' }])
  })

  it('that come late end no link that was made after them', async () => {
    const told = new Date('2026-11-25T12:00:00.000Z').getTime()
    const linkedAt = (seconds: number) =>
      t.rows('UPDATE users SET discord_linked_at = $2 WHERE id = $1', [
        ana.id,
        new Date(told + seconds * 1000),
      ])
    await linkedAt(6)
    expect((await webhook(withdrawn('d-ana'), { url })).status).toBe(204)
    expect(await linked()).toBe('d-ana')
    await linkedAt(4)
    expect((await webhook(withdrawn('d-ana'), { url })).status).toBe(204)
    expect(await linked()).toBeNull()
  })

  it('are believed when they are signed for us, and are else no reason to fail', async () => {
    const forged = { signature: 'ab'.repeat(64), url }
    expect((await webhook(withdrawn('d-ana'), forged)).status).toBe(401)
    const other = withdrawn('d-ana', { application_id: 'another' })
    expect((await webhook(other, { url })).status).toBe(401)
    expect((await webhook('x'.repeat(70_000), { url })).status).toBe(413)
    const ping = { version: 1, application_id: 'sandbox-discord', type: 0 }
    const unknown = withdrawn('d-ana', { event: { type: 'QUEST_USER_ENROLLMENT', data: {} } })
    for (const body of [ping, unknown, withdrawn('d-ana', { event: null })]) {
      expect((await webhook(body, { url })).status).toBe(204)
    }
    expect(await linked()).toBe('d-ana')
  })
})
