// Tells one event of the story: each kind is one use-case of the product, or a few.

import { insertTwitchUser, updateDiscord } from '../features/account/tables.ts'
import { changeStock } from '../features/catalogue/prizes.ts'
import { addServer, checkServer, saveSettings } from '../features/discord-bot/bot-settings.ts'
import { planPosts } from '../features/discord-bot/posts.ts'
import { redeemReward } from '../features/discord-bot/redeem-reward.ts'
import { postCarrier } from '../features/discord-bot/send-post.ts'
import { applyBatch, readOrder, reverseBatch } from '../features/grants/batches.ts'
import { distribute, packsAnswer, redCoinAnswer } from '../features/grants/distribute.ts'
import { sendingJob } from '../features/outbox/send-messages.ts'
import { purchasePacks } from '../features/packs/purchase-packs.ts'
import { showName, suspend } from '../features/people/standing.ts'
import { addNote, blockEarning, changeRole } from '../features/people/user-changes.ts'
import { pollLive } from '../features/watch/live.ts'
import { creditHeartbeat, startSession } from '../features/watch/watch-sessions.ts'
import { latestMessage } from './demo-tables.ts'
import { sayAddresses, workOnClaims } from './story-claims.ts'
import type { StoryAct, StoryEvent } from './story-events.ts'
import { foundDemo, localAccountId } from './story-founding.ts'
import { type StoryScene, viewerNamed } from './story-scene.ts'

type Act<Kind extends StoryAct['kind']> = Extract<StoryAct, { kind: Kind }>
type Tellers = { [Kind in StoryAct['kind']]: (scene: StoryScene, act: Act<Kind>) => Promise<void> }

/** One post a day, at two in the afternoon in New York. */
const postingHour = 14
const postedReward = 25
const demoServer = {
  serverId: '9000000000990200001',
  serverName: 'Example Community',
  channelId: '9000000000990300001',
  channelName: 'rewards',
}

/** Moves the story's clock to the event and lets it happen. */
export async function tellEvent(scene: StoryScene, { at, act }: StoryEvent): Promise<void> {
  scene.at = at
  const teller = tellers[act.kind] as (scene: StoryScene, act: StoryAct) => Promise<void>
  await teller(scene, act)
}

const tellers: Tellers = {
  found: foundDemo,
  join,
  async make_staff(scene, { viewer }) {
    const keeper = await localAccountId(scene)
    const actor = { userId: keeper, role: 'super_user', sessionHash: '' } as const
    const change = { actor, userId: await scene.userId(viewer), role: 'admin' } as const
    const nobodyRenews = () => Promise.reject(new Error('The local account keeps its role'))
    await scene.command(keeper, (tx, by) => changeRole(tx, by, scene.deps, change, nobodyRenews))
  },
  async open(scene, { asks }) {
    const orders = await Promise.all(
      asks.map(async ({ viewer, packType, quantity }) => {
        const packTypeId = await scene.packTypeId(packType)
        const order = { packTypeId, quantity, idempotencyKey: undefined }
        return { userId: await scene.userId(viewer), order }
      }),
    )
    await Promise.all(orders.map(({ userId, order }) => scene.opening.open(userId, order)))
  },
  async buy(scene, { viewer, packType, quantity }) {
    const order = { listingId: await scene.listingId(packType), quantity }
    await scene.command(await scene.userId(viewer), (tx, by) => purchasePacks(tx, by, order))
  },
  async look_at_twitch(scene, { live }) {
    scene.live = live
    await pollLive(scene.deps)
  },
  async start_watching(scene, { viewer, broadcast }) {
    const order = await watchOrder(scene, broadcast)
    await startSession(scene.deps, await scene.userId(viewer), order)
  },
  async watch_on(scene, { viewer, broadcast }) {
    const order = await watchOrder(scene, broadcast)
    await creditHeartbeat(scene.deps, await scene.userId(viewer), order)
  },
  async start_discord(scene) {
    const check = await checkServer(scene.deps, demoServer)
    await scene.byStaff(0, (tx, by) => addServer(tx, by, demoServer, check))
    const settings = { rewardAmount: postedReward, isActive: true, postSchedule: [postingHour] }
    await scene.byStaff(0, (tx, by) => saveSettings(tx, by, settings))
  },
  async post_reward(scene) {
    await planPosts(scene.deps)
    await sendingJob('post', postCarrier).run(scene.deps)
  },
  async claim_reward(scene, { viewer }) {
    const { discordId } = viewerNamed(viewer)
    const messageId = await latestMessage(scene.deps.db)
    if (discordId !== null && messageId !== undefined) {
      await redeemReward(scene.deps, discordId, messageId)
    }
  },
  async pause_discord(scene) {
    await sendingJob('post', postCarrier).run(scene.deps)
    await scene.byStaff(1, (tx, by) => saveSettings(tx, by, { isActive: false }))
  },
  say_addresses: (scene) => sayAddresses(scene),
  work_on_claims: workOnClaims,
  give_by_file: giveByFile,
  async reverse_file(scene, { fileName }) {
    const batchId = await scene.batchOf(fileName)
    const reversalId = scene.deps.random.uuidInOrder()
    await scene.byStaff(0, (tx, by) => reverseBatch(tx, by, batchId, reversalId))
  },
  async give_to_all(scene, { packType, quantity, reason }) {
    const order = {
      packTypeId: await scene.packTypeId(packType),
      target: { kind: 'all' },
      amount: quantity,
      description: reason,
    } as const
    const batchId = scene.deps.random.uuidInOrder()
    await scene.byStaff(0, (tx, by) => distribute(tx, by, order, batchId, packsAnswer))
  },
  async write_note(scene, { viewer, text }) {
    const userId = await scene.userId(viewer)
    await scene.byStaff(1, (tx, by) => addNote(tx, by, userId, text))
  },
  async block_earning(scene, { viewer, reason }) {
    const change = { userId: await scene.userId(viewer), isBlocked: true, reason }
    const { encryption } = scene.deps
    await scene.byStaff(1, (tx, by) => blockEarning(tx, by, encryption, change))
  },
  async replace_name(scene, { viewer, ...shown }) {
    const order = { userId: await scene.userId(viewer), ...shown }
    await scene.byStaff(0, (tx, by) => showName(tx, by, order))
  },
  async suspend(scene, { viewer, reason }) {
    const order = { userId: await scene.userId(viewer), until: null, reason }
    await scene.byStaff(1, (tx, by) => suspend(tx, by, order))
  },
  async add_stock(scene, { prize, units }) {
    const id = await scene.prizeId(prize)
    await scene.byStaff(1, (tx, by) => changeStock(tx, by, id, { add: units }))
  },
}

async function join(scene: StoryScene, { viewer, isGreeted }: Act<'join'>): Promise<void> {
  const { deps, clock } = scene
  const person = viewerNamed(viewer)
  const { twitchId, username, displayName, avatar, discordId } = person
  const platform = { twitchId, username, displayName, email: null, avatar }
  const userId = await insertTwitchUser(deps.db, { ...platform, now: clock.now() })
  if (userId === undefined) throw new Error(`The demo knows ${viewer} already`)
  if (discordId !== null) {
    const account = { id: discordId, username: viewer, avatar: null }
    await updateDiscord(deps.db, { ...account, userId, now: clock.now() })
  }
  if (!isGreeted) return
  const order = {
    packTypeId: undefined,
    target: { kind: 'user', userId },
    amount: person.startingRedCoin,
    description: 'Welcome aboard',
  } as const
  const batchId = deps.random.uuidInOrder()
  await scene.byStaff(userId, (tx, by) => distribute(tx, by, order, batchId, redCoinAnswer))
}

async function watchOrder(
  scene: StoryScene,
  { channelId, broadcastId }: Act<'watch_on'>['broadcast'],
) {
  return { streamId: await scene.streamId(channelId), streamSessionId: broadcastId }
}

async function giveByFile(scene: StoryScene, act: Act<'give_by_file'>): Promise<void> {
  const { fileName, packType, rows } = act
  const column = packType === undefined ? 'amount' : 'quantity'
  const lines = [`username,${column}`, ...rows.map((row) => row.join(','))]
  const order = {
    kind: packType === undefined ? 'redcoin' : 'packs',
    packTypeId: packType && (await scene.packTypeId(packType)),
    fileName,
    contentType: 'text/csv',
    bytes: Buffer.from(`${lines.join('\n')}\n`),
  } as const
  const batchId = scene.deps.random.uuidInOrder()
  const read = readOrder(order)
  await scene.byStaff(rows.length, (tx, by) => applyBatch(tx, by, order, read, batchId))
}
