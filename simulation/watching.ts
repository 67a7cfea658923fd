// Streams: who is live, who watches, and what Twitch and Discord tell of it, twice or late.

import { signedEvent } from '../server/test/signed-event.ts'
import { channels, signIn } from './founding.ts'
import type { Watched } from './model.ts'
import { type Change, habit, type Scene, to } from './scene.ts'
import { leave } from './viewer.ts'
import { type Body, eventSecret } from './world.ts'

const [watchSeconds, rewardCoins, creditSecondsMax] = [240, 30, 90]

/** A broadcast, as an account watches it and as a Twitch account was paid for it. */
function broadcast({ accountId, person, model, row }: Scene, watched: Watched) {
  const { streamId, streamSessionId } = watched
  const place = `${streamId} ${streamSessionId}`
  const [watch, paid] = [`${accountId} ${place}`, `${person.twitchId} ${place}`]
  const text = `SELECT total_watch_time AS "totalWatchTime", is_completed AS "isCompleted"
    FROM viewer_sessions WHERE user_id = $1 AND stream_id = $2 AND stream_session_id = $3`
  const isPaid = () => model.paid.get(paid) === true
  const wrongState = () => isPaid() || model.accounts.get(accountId)?.isBlocked || 'maybe'
  const held = (): Promise<Body> => row(text, accountId, streamId, streamSessionId)
  return { watch, paid, isPaid, wrongState, held }
}

/** Opens a stream in a tab. */
async function beginToWatch(scene: Scene): Promise<Change | undefined> {
  const { person, model, chance, now } = scene
  const streams = await scene.read('twitch/active-streams')
  const live = streams?.filter(({ isLive }: Body) => isLive) ?? []
  if (live.length === 0) return scene.tell('finds nobody live')
  const paidFor = person.paidFor?.streamSessionId
  const again = live.find((one: Body) => one.currentStreamId === paidFor)
  const chosen = again !== undefined && chance.isLikely(0.8) ? again : chance.pick<Body>(live)
  const watched: Watched = { streamId: chosen.id, streamSessionId: chosen.currentStreamId }
  const { watch, isPaid, wrongState, held } = broadcast(scene, watched)
  return {
    ...to('POST twitch/watch-sessions', `begins to watch stream ${chosen.id}`, watched),
    refusals: () => ({
      ...{ already_completed: isPaid(), not_found: 'maybe', wrong_state: wrongState() },
    }),
    apply: () =>
      model.watches.set(watch, model.watches.get(watch) ?? { seconds: 0, countedAt: now }),
    // What was there before tells nothing of a call that nobody heard of.
    find: async () => (model.watches.get(watch) === undefined ? held() : undefined),
    after(granted) {
      if (granted !== undefined) person.watching = watched
    },
  }
}

/** One heartbeat of a tab, or of two at once. */
async function beat(scene: Scene): Promise<Change[] | Change | undefined> {
  const { person, model, chance } = scene
  const { watching } = person
  if (watching === undefined) return beginToWatch(scene)
  if (chance.isLikely(0.04)) person.watching = undefined
  const { watch, wrongState, held } = broadcast(scene, watching)
  const known = () => model.watches.get(watch)
  const change: Change = {
    ...to('POST twitch/heartbeat', `watches stream ${watching.streamId}`, watching),
    refusals: () => ({ not_found: known() === undefined, wrong_state: wrongState() }),
    apply: (answer) => bookBeat(scene, watching, answer),
    /** What a beat that nobody heard of has left; undefined when it has done nothing. */
    async find() {
      const row = await held()
      return row?.totalWatchTime === known()?.seconds ? undefined : row
    },
    after(granted) {
      if (granted === undefined && chance.isLikely(0.5)) person.watching = undefined
    },
  }
  const isDouble = chance.isLikely(0.15) && !scene.isRisky
  return isDouble ? [change, { ...change, after: undefined }] : change
}

function bookBeat(scene: Scene, watched: Watched, answer: Body): void {
  const { model, accountId, person, now } = scene
  const { watch: name, paid } = broadcast(scene, watched)
  const watch = model.watches.get(name)
  if (watch === undefined) return
  const { totalWatchTime: seconds, isCompleted } = answer
  const since = Math.max(watch.countedAt, model.credited.of(accountId))
  const most = Math.min(creditSecondsMax, (now - since) / 1000)
  const more = seconds - watch.seconds
  scene.check(more >= 0 && more <= most, `credits ${more} s where at most ${most} s have passed`)
  if (more > 0) {
    const countedAt = more === creditSecondsMax ? now : since + more * 1000
    model.watches.set(name, { seconds, countedAt })
    model.credited.set(accountId, countedAt)
  }
  const isDue = more > 0 && seconds >= watchSeconds
  scene.check(isCompleted === isDue, `says ${isCompleted} of completion after ${seconds} s`)
  if (!isDue) return
  model.paid.set(paid, true)
  model.completions.add(accountId, 1)
  model.coins.add(accountId, rewardCoins)
  // Streams were founded in the order of pack types, one reward each.
  const packTypeId = model.packTypes.toSorted((a, b) => a - b)[watched.streamId - 1] ?? 0
  model.packs.add(`${accountId} ${packTypeId}`, 1)
  const isGreedy = scene.chance.isLikely(0.25)
  Object.assign(person, { watching: undefined, paidFor: watched, isGreedy })
}

export const watchHabits = [
  habit('watch', 10, beat),
  // Leaves with a reward, comes back, and watches the same broadcast for another.
  habit('leave-for-more', 1, ({ scene, person, world }) => {
    person.isGreedy = false
    const live = [...world.far.live.values()].map(({ broadcastId }) => broadcastId)
    if (!live.includes(person.paidFor?.streamSessionId ?? '')) return beat(scene)
    const comeBack = habit('watch-again', 1, beginToWatch)
    return leave(scene, async () => (await signIn(scene)) && scene.live(comeBack))
  }),
  // Presses the button of a reward in Discord, once or again.
  habit('press', 6, async ({ scene, world, person, model, chance, now, check }) => {
    const { discordId: discordUserId } = person
    const posts = world.far.messages.filter(({ buttonId }) => buttonId !== undefined).slice(-4)
    if (posts.length === 0) return scene.tell('finds no reward in Discord')
    const { id: messageId, buttonId, channelId } = chance.pick(posts)
    const place = { buttonId, messageId, channelId, discordUserId }
    const click = { kind: 'click', interactionId: scene.ownKey, token: 'token', ...place }
    const type = 'application/octet-stream'
    const request = {
      ...({ line: 'POST discord/interactions', cookie: '' } as const),
      body: Buffer.from(JSON.stringify(click)),
      headers: { 'x-signature-ed25519': 'genuine', 'content-type': type },
    }
    const heard = await scene.call(request)
    if (heard.isHeard && chance.isLikely(0.2)) await scene.call(request)
    const said = String(heard.body?.data?.content ?? '')
    const text = `SELECT user_id AS "userId", red_coin_amount::int AS amount, claimed_at AS at
      FROM discord_reward_claims WHERE message_id = $1 AND discord_user_id = $2`
    const row = await scene.row(text, messageId, discordUserId)
    scene.tell(`presses a button in Discord: ${heard.isHeard ? said : 'no answer'}`)
    const name = `${messageId} ${discordUserId}`
    const isNew = row?.at.getTime() === now && model.paid.get(name) !== true
    const isPaid = said.startsWith('You received')
    check(isNew || !isPaid, 'pays a press of Discord a second time, or without a row of it')
    if (!isNew) return
    const account = model.accounts.get(row.userId)
    check(account?.discordId === discordUserId, 'pays a press to somebody else')
    const isShut = account?.isBlocked !== false || model.isSuspended(row.userId, now)
    check(!isShut, 'pays somebody who may not earn')
    model.paid.set(name, true)
    model.coins.add(row.userId, row.amount)
  }),
]

export const streamerHabits = [
  // Goes live or offline, and has Twitch say so: not at all, twice, or late.
  habit('go-live', 1, async ({ world, chance, now, ownKey, tell, call, check }) => {
    const { live } = world.far
    const channelId = chance.pick(channels)
    const isLive = live.delete(channelId)
    if (!isLive) live.set(channelId, { broadcastId: `b-${ownKey}`, startedAt: new Date(now) })
    tell(`channel ${channelId} goes ${isLive ? 'offline' : 'live'}`)
    const times = chance.pick([0, 1, 1, 2, 3])
    const at = new Date(now - (chance.isLikely(0.2) ? 700_000 : 0))
    const { payload: body, headers } = signedEvent(eventSecret, at, {
      ...{ id: `event-${ownKey}`, type: 'notification' },
      subscriptionType: isLive ? 'stream.offline' : 'stream.online',
      body: { event: { broadcaster_user_id: channelId, type: 'live' } },
    })
    for (let sent = 0; sent < times; sent += 1) {
      const heard = await call({ line: 'POST twitch/eventsub', cookie: '', body, headers })
      const isFine = !heard.isHeard || heard.status === 200
      check(isFine, `refuses an event of Twitch: ${heard.text}`)
    }
  }),
]
