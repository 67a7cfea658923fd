// Verbs for tests of the Discord bot: a product that listens, its staff, and the stand-in's
// controls.

import { letTimePass } from '../../tools/test-clock.ts'
import { nextSlot } from '../src/rules/post-schedule.ts'
import type { Person, TestDeps } from './deps.ts'

export interface PostedMessage {
  readonly id: string
  readonly channelId: string
  readonly content: string
  readonly components: readonly {
    readonly components: readonly {
      readonly label: string
      readonly custom_id: string
      readonly disabled: boolean
    }[]
  }[]
  readonly editedAt: string | null
}

export interface ClickAnswer {
  readonly status: number
  readonly type: number
  readonly content: string
  readonly ephemeral: boolean
}

export interface DiscordScene {
  control<Answer = unknown>(path: string, body: unknown): Promise<Answer>
  messages(channelId: string): Promise<PostedMessage[]>
  click(messageId: string, discordUserId: string): Promise<ClickAnswer>
  fail(next: number, status: number, more?: Record<string, unknown>): Promise<unknown>
  /** Puts a server with a channel on the whitelist through the API; answers the channel's id. */
  addServer(staff: Person): Promise<string>
  /** Moves the clock to the next slot of the schedule; answers the slot. */
  toNextSlot(schedule?: readonly number[]): Date
}

export const discordDefaults: readonly number[] = [6, 12, 18, 24]
let counted = 0
/** A snowflake that nobody had before. */
export function snowflake(): string {
  counted += 1
  return String(910_000_000_000_000_000n + BigInt(process.pid) * 100_000n + BigInt(counted))
}

/** The application of `t` must listen at `origin`. */
export function discordScene(t: TestDeps, origin: string): DiscordScene {
  // The library that calls Discord rests by the time on the wall.
  letTimePass()
  const control = async <Answer>(path: string, body: unknown): Promise<Answer> => {
    const answer = await fetch(`${origin}/sandbox/control/discord/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
  return {
    control,
    async messages(channelId) {
      const query = new URLSearchParams({ channelId })
      const answer = await fetch(`${origin}/sandbox/control/discord/messages?${query}`)
      return (await answer.json()) as PostedMessage[]
    },
    click: (messageId, discordUserId) => control('click', { messageId, discordUserId }),
    fail: (next, status, more = {}) => control('fail', { next, status, ...more }),
    async addServer(staff) {
      const [serverId, channelId] = [snowflake(), snowflake()]
      const server = { serverName: 'Server', serverId, channelId, channelName: 'rewards' }
      const answer = await staff.send('POST', '/api/admin/discord/servers', server)
      if (answer.statusCode !== 200) throw new Error(answer.body)
      return channelId
    },
    toNextSlot(schedule = discordDefaults) {
      const slot = nextSlot(schedule, t.clock.now())
      if (slot === undefined) throw new Error('The schedule has no slot')
      t.clock.advance((slot.getTime() - t.clock.now().getTime()) / 1000 + 1)
      return slot
    },
  }
}
