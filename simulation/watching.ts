// Streams: who is live, who watches, and what Twitch and Discord tell of it, twice or late.

import { createHmac } from 'node:crypto'
import { channels } from './founding.ts'
import type { Habit } from './habit.ts'
import type { Model } from './model.ts'
import type { Body } from './moment.ts'
import type { Scene } from './scene.ts'
import { signIn } from './sign-in.ts'
import { leave } from './viewer.ts'

const watchSeconds = 240
const rewardCoins = 30
const creditSecondsMax = 90

const watchName = (accountId: number, streamId: number, broadcast: string) =>
  `${accountId} ${streamId} ${broadcast}`
/** Names what a Twitch account was paid for, whatever account it has here. */
const paidName = (twitchId: string, streamId: number, broadcast: string) =>
  `${twitchId} ${streamId} ${broadcast}`

const isPaid = ({ model, person }: Scene, streamId: number, broadcast: string) =>
  model.get('paid', paidName(person.twitchId, streamId, broadcast)) === true

/** Opens a stream in a tab. */
async function beginToWatch(scene: Scene): Promise<void> {
  const { person, model, accountId, chance } = scene
  const streams = await scene.read('/api/twitch/active-streams')
  const live = streams?.filter(({ isLive }: Body) => isLive) ?? []
  if (live.length === 0) return scene.tell('finds nobody live')
  const again = live.find((one: Body) => one.currentStreamId === person.paidFor?.broadcast)
  const isTriedAgain = again !== undefined && chance.isLikely(0.8)
  const { id: streamId, currentStreamId: broadcast } = isTriedAgain
    ? again
    : chance.pick<Body>(live)
  const name = watchName(accountId, streamId, broadcast)
  const done = isPaid(scene, streamId, broadcast)
  const granted = await scene.change({
    method: 'POST',
    url: '/api/twitch/watch-sessions',
    words: `begins to watch stream ${streamId}`,
    body: { streamId, streamSessionId: broadcast },
    refusals: () => ({
      already_completed: done,
      not_found: 'maybe',
      wrong_state: model.get('account', accountId)?.isBlocked === true || 'maybe',
    }),
    apply() {
      if (model.get('watch', name) !== undefined) return
      model.set('watch', name, { seconds: 0, countedAt: scene.now, isCompleted: false })
    },
    find: async () =>
      (await sessionRow(scene, streamId, broadcast)) === undefined ? undefined : {},
  })
  if (granted !== undefined) person.watching = { streamId, broadcast }
}

interface SessionRow {
  readonly totalWatchTime: number
  readonly isCompleted: boolean
}

async function sessionRow(scene: Scene, streamId: number, broadcast: string) {
  const [row] = await scene.world.rows<SessionRow>(
    'watch_session',
    `SELECT total_watch_time AS "totalWatchTime", is_completed AS "isCompleted"
     FROM viewer_sessions WHERE user_id = $1 AND stream_id = $2 AND stream_session_id = $3`,
    [scene.accountId, streamId, broadcast],
  )
  return row
}

/** The session as a beat that nobody heard of has left it; undefined when it has done nothing. */
async function newsOf(scene: Scene, streamId: number, broadcast: string) {
  const row = await sessionRow(scene, streamId, broadcast)
  const watch = scene.model.get('watch', watchName(scene.accountId, streamId, broadcast))
  return row?.totalWatchTime === watch?.seconds ? undefined : row
}

/** One heartbeat of a tab, or of two at once. */
async function beat(scene: Scene): Promise<void> {
  const { person, model, accountId, chance } = scene
  const { watching } = person
  if (watching === undefined) return beginToWatch(scene)
  if (chance.isLikely(0.04)) person.watching = undefined
  const { streamId, broadcast } = watching
  const change = {
    method: 'POST',
    url: '/api/twitch/heartbeat',
    words: `watches stream ${streamId}`,
    body: { streamId, streamSessionId: broadcast },
    refusals: () => ({
      not_found: model.get('watch', watchName(accountId, streamId, broadcast)) === undefined,
      wrong_state:
        isPaid(scene, streamId, broadcast) ||
        model.get('account', accountId)?.isBlocked === true ||
        ('maybe' as const),
    }),
    apply: (answer: Body) => bookBeat(scene, streamId, broadcast, answer),
    find: () => newsOf(scene, streamId, broadcast),
  } as const
  const tabs = chance.isLikely(0.15) && !scene.isRisky ? [change, change] : [change]
  const before = await scene.together(tabs)
  if (before[0] === undefined && chance.isLikely(0.5)) person.watching = undefined
}

function bookBeat(scene: Scene, streamId: number, broadcast: string, answer: Body): void {
  const { model, accountId, person, now } = scene
  const name = watchName(accountId, streamId, broadcast)
  const watch = model.get('watch', name)
  if (watch === undefined) return
  const { totalWatchTime: seconds, isCompleted } = answer
  const since = Math.max(watch.countedAt, model.get('credited', accountId) ?? 0)
  const most = Math.min(creditSecondsMax, (now - since) / 1000)
  const more = seconds - watch.seconds
  scene.check(more >= 0 && more <= most, `credits ${more} s where at most ${most} s have passed`)
  if (more > 0) {
    const countedAt = more === creditSecondsMax ? now : since + more * 1000
    model.set('watch', name, { ...watch, seconds, countedAt })
    model.set('credited', accountId, countedAt)
  }
  const isDue = more > 0 && seconds >= watchSeconds
  scene.check(isCompleted === isDue, `says ${isCompleted} of completion after ${seconds} s`)
  if (!isDue) return
  model.change('watch', name, { isCompleted: true })
  model.set('paid', paidName(person.twitchId, streamId, broadcast), true)
  model.add('completions', String(accountId), 1)
  model.add('coins', String(accountId), rewardCoins)
  model.add('packs', `${accountId} ${packTypeOf(model, streamId)}`, 1)
  person.watching = undefined
  person.paidFor = { streamId, broadcast }
  person.isGreedy = scene.chance.isLikely(0.25)
}

/** Leaves with a reward, comes back, and watches the same broadcast for another. */
async function leaveForMore(scene: Scene): Promise<void> {
  const { person, world } = scene
  person.isGreedy = false
  const isLive = [...world.far.live.values()].some(
    ({ broadcastId }) => broadcastId === person.paidFor?.broadcast,
  )
  if (!isLive) return beat(scene)
  await leave(scene)
  if (await signIn(scene)) await beginToWatch(scene)
}

/** Streams were founded in the order of pack types, one reward each. */
const packTypeOf = (model: Model, streamId: number): number => {
  const types = [...new Set(model.all('listing').map(({ packTypeId }) => packTypeId))]
  return types.toSorted((a, b) => a - b)[streamId - 1] ?? 0
}

/** Presses the button of a reward in Discord, once or again. */
async function press(scene: Scene): Promise<void> {
  const { world, person, model, chance, now } = scene
  const posts = world.far.messages.filter(({ buttonId }) => buttonId !== undefined).slice(-4)
  if (posts.length === 0) return scene.tell('finds no reward in Discord')
  const post = chance.pick(posts)
  const click = {
    ...{ kind: 'click', interactionId: `${person.name}-${scene.turn}`, token: 'token' },
    ...{ buttonId: post.buttonId, messageId: post.id, channelId: post.channelId },
    discordUserId: person.discordId,
  }
  const headers = { 'x-signature-ed25519': 'genuine', 'content-type': 'application/octet-stream' }
  const url = '/api/discord/interactions'
  const request = {
    method: 'POST',
    url,
    body: Buffer.from(JSON.stringify(click)),
    headers,
  } as const
  const heard = await scene.call({ ...request, cookie: '' })
  if (heard.isHeard && chance.isLikely(0.2)) await scene.call({ ...request, cookie: '' })
  const said = String(heard.body?.data?.content ?? '')
  const [row] = await world.rows<{ userId: number; amount: number; at: Date }>(
    'redeemed',
    `SELECT user_id AS "userId", red_coin_amount::int AS amount, claimed_at AS at
     FROM discord_reward_claims WHERE message_id = $1 AND discord_user_id = $2`,
    [post.id, person.discordId],
  )
  scene.tell(`presses a button in Discord: ${heard.isHeard ? said : 'no answer'}`)
  const name = `${post.id} ${person.discordId}`
  const isNew = row !== undefined && row.at.getTime() === now && model.get('paid', name) !== true
  if (said.startsWith('You received')) {
    scene.check(isNew, 'pays a press of Discord a second time, or without a row of it')
  }
  if (!isNew) return
  const account = model.get('account', row.userId)
  scene.check(account?.discordId === person.discordId, 'pays a press to somebody else')
  scene.check(account?.isBlocked === false, 'pays somebody who may not earn')
  model.set('paid', name, true)
  model.add('coins', String(row.userId), row.amount)
}

/** Goes live or offline, and has Twitch say so: not at all, twice, or late. */
async function turnStream(scene: Scene): Promise<void> {
  const { world, chance, now } = scene
  const channelId = chance.pick(channels)
  const isLive = world.far.live.has(channelId)
  const broadcastId = `b-${scene.person.name}-${scene.turn}`
  if (isLive) world.far.live.delete(channelId)
  else world.far.live.set(channelId, { broadcastId, startedAt: new Date(now) })
  scene.tell(`channel ${channelId} goes ${isLive ? 'offline' : 'live'}`)
  const subscription = isLive ? 'stream.offline' : 'stream.online'
  const times = chance.pick([0, 1, 1, 2, 3])
  const late = chance.isLikely(0.2) ? 700_000 : 0
  for (let sent = 0; sent < times; sent += 1) {
    await tellEvent(scene, subscription, { broadcaster_user_id: channelId, type: 'live' }, late)
  }
}

async function tellEvent(scene: Scene, type: string, event: object, lateMillis: number) {
  const payload = JSON.stringify({ event })
  const id = `event-${scene.person.name}-${scene.turn}`
  const timestamp = new Date(scene.now - lateMillis).toISOString()
  const signature = createHmac('sha256', 'secret of events').update(id + timestamp + payload)
  const heard = await scene.call({
    method: 'POST',
    url: '/api/twitch/eventsub',
    cookie: '',
    body: Buffer.from(payload),
    headers: {
      'content-type': 'application/octet-stream',
      'twitch-eventsub-message-id': id,
      'twitch-eventsub-message-timestamp': timestamp,
      'twitch-eventsub-message-signature': `sha256=${signature.digest('hex')}`,
      'twitch-eventsub-message-type': 'notification',
      'twitch-eventsub-subscription-type': type,
    },
  })
  if (heard.isHeard) scene.check(heard.status === 200, `refuses an event of Twitch: ${heard.text}`)
}

export const watchHabits: readonly Habit[] = [
  { name: 'watch', weight: 10, act: beat },
  { name: 'leave-for-more', weight: 1, act: leaveForMore },
  { name: 'press', weight: 6, act: press },
]

export const streamerHabits: readonly Habit[] = [{ name: 'go-live', weight: 1, act: turnStream }]
