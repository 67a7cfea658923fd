// Where the story is told: the product's own use-cases in one transaction, at the story's time,
// with nobody outside who could hear of it.

import { type Clock, systemClock } from '../adapters/clock/clock.ts'
import { type Author, type Outcome, runCommand } from '../adapters/commands/run-command.ts'
import type { Database, Queryable, Statement, Values } from '../adapters/db/database.ts'
import type { Deps } from '../adapters/deps.ts'
import { localEvents } from '../adapters/events/events.ts'
import { recordStaffAction } from '../features/audit/tables.ts'
import { Opening } from '../features/packs/open-packs.ts'
import type { DemoPackKey } from './catalogue.ts'
import {
  batchOfFile,
  listingOfPack,
  prizeNamed,
  streamOfChannel,
  userWithTwitchId,
} from './demo-tables.ts'
import type { Broadcast, Name } from './story-events.ts'
import { demoViewers } from './viewers.ts'
import { demoPackIds } from './welcome.ts'

/** One statement after the other, since openings of one moment ask at once. */
function inLine(tx: Queryable): Queryable {
  let last: Promise<unknown> = Promise.resolve()
  return {
    allow: (statementMillisMax) => tx.allow(statementMillisMax),
    run<Row>(statement: Statement, values: Values): Promise<Row[]> {
      const rows = last.then(() => tx.run<Row>(statement, values))
      last = rows.catch(() => undefined)
      return rows
    },
  }
}

/** The transaction as a database of its own: what the use-cases begin and end goes on in it. */
function databaseIn(tx: Queryable, kind: Database['kind']): Database {
  return {
    ...tx,
    kind,
    transaction: (work) => work(tx),
    longTransaction: (_statementMillisMax, work) => work(tx),
    script: () => Promise.reject(new Error('The story of the demo runs no scripts')),
    close: async () => undefined,
  }
}

/** Everything that is said to the outside ends here. */
function quiet(deps: Deps, scene: StoryScene): Pick<Deps, 'discord' | 'twitch'> {
  const messageId = async () => `9${String(scene.clock.now().getTime()).padStart(18, '0')}`
  return {
    discord: {
      ...deps.discord,
      hasToken: true,
      checkPlace: async () => ({ kind: 'fine' }),
      post: messageId,
      say: messageId,
      findText: async () => undefined,
      findPost: async () => undefined,
      closePost: async () => undefined,
    },
    twitch: {
      ...deps.twitch,
      isConfigured: true,
      liveBroadcasts: async () =>
        scene.live.map(({ startedAt, ...on }) => ({ ...on, startedAt: new Date(startedAt) })),
    },
  }
}

export class StoryScene {
  /** The moment of the story, in milliseconds. */
  at = 0
  /** What Twitch would name as live. */
  live: readonly Broadcast[] = []
  readonly clock: Clock = { ...systemClock, now: () => new Date(this.at) }
  readonly deps: Deps
  readonly opening: Opening
  private readonly ids = new Map<string, number>()

  constructor(deps: Deps, tx: Queryable) {
    const events = localEvents(() => undefined)
    const db = databaseIn(inLine(tx), deps.db.kind)
    this.deps = { ...deps, clock: this.clock, db, events, ...quiet(deps, this) }
    this.opening = new Opening(this.deps)
  }

  /** Runs a command as the edge would for this caller, with its entry in the log of staff. */
  async command<Answer>(
    actorId: number,
    run: (tx: Queryable, by: Author) => Promise<Outcome<Answer>>,
  ): Promise<void> {
    const requestId = this.deps.random.uuidInOrder()
    const call = { actorId, requestId, route: 'demo', idempotencyKey: undefined, input: undefined }
    await runCommand({ deps: this.deps, recordAction: recordStaffAction }, call, run)
  }

  /** Those of staff take turns. */
  async byStaff<Answer>(
    turn: number,
    run: (tx: Queryable, by: Author) => Promise<Outcome<Answer>>,
  ): Promise<void> {
    const staff = demoViewers.filter(({ isStaff }) => isStaff)
    const member = staff[turn % staff.length]
    if (member === undefined) throw new Error('The demo has no staff')
    await this.command(await this.userId(member.username), run)
  }

  async userId(viewer: Name): Promise<number> {
    const { twitchId } = viewerNamed(viewer)
    return this.id(`user ${viewer}`, () => userWithTwitchId(this.deps.db, twitchId))
  }

  async packTypeId(key: DemoPackKey): Promise<number> {
    return this.id(`pack ${key}`, async () => (await demoPackIds(this.deps.db)).get(key))
  }

  async listingId(key: DemoPackKey): Promise<number> {
    const packTypeId = await this.packTypeId(key)
    return this.id(`listing ${key}`, () => listingOfPack(this.deps.db, packTypeId))
  }

  async streamId(channelId: string): Promise<number> {
    return this.id(`stream ${channelId}`, () => streamOfChannel(this.deps.db, channelId))
  }

  async prizeId(name: string): Promise<number> {
    return this.id(`prize ${name}`, () => prizeNamed(this.deps.db, name))
  }

  async batchOf(fileName: string): Promise<string> {
    const id = await batchOfFile(this.deps.db, fileName)
    if (id === undefined) throw new Error(`The demo gave nothing by ${fileName}`)
    return id
  }

  private async id(name: string, look: () => Promise<number | undefined>): Promise<number> {
    const id = this.ids.get(name) ?? (await look())
    if (id === undefined) throw new Error(`The demo has no ${name}`)
    this.ids.set(name, id)
    return id
  }
}

export function viewerNamed(viewer: Name) {
  const found = demoViewers.find(({ username }) => username === viewer)
  if (found === undefined) throw new Error(`The demo has no viewer ${viewer}`)
  return found
}
