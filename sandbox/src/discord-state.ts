// What the Discord stand-in remembers: servers, channels, messages, clicks, and how to fail next.

import type { SandboxControls } from './controls.ts'
import { discordIdOf } from './viewers.ts'

/** Two ids of Discord's begin to count here: the first second of 2015. */
const epochMillis = 1_420_070_400_000n
/** Discord says "the past few minutes" (resources/message, enforce_nonce). */
const nonceMillis = 180_000
const messagesMax = 20_000

export interface SandboxChannel {
  readonly id: string
  guildId: string
  /** What the bot lacks there, as the bits of permissions. */
  deniedPermissions: bigint
  type: number
}

export interface SandboxMessage {
  readonly id: string
  readonly channelId: string
  content: string
  components: unknown[]
  readonly nonce: string | undefined
  readonly createdAt: Date
  editedAt: Date | undefined
}

export interface NextFailures {
  next: number
  /** 0 means no answer at all. */
  status: number
  /** Discord's number of the error; the usual one of the status when absent. */
  code: number | undefined
  retryAfterSeconds: number
  /** True when the call takes effect and only its answer is lost. */
  isAfterwards: boolean
}

export class DiscordState {
  readonly failures: NextFailures = {
    next: 0,
    status: 500,
    code: undefined,
    retryAfterSeconds: 1,
    isAfterwards: false,
  }
  /** Servers and channels that do not exist, as a control call has said. */
  readonly missing = new Set<string>()
  /** What the product answered to clicks that it had put off, by their tokens. */
  readonly replies = new Map<string, { content: string | undefined }>()
  readonly botId = discordIdOf('the bot')
  private readonly channels = new Map<string, SandboxChannel>()
  private readonly messages = new Map<string, SandboxMessage>()
  private readonly now: () => Date
  private lastGuildId: string
  private counted = 0n

  constructor(controls: Pick<SandboxControls, 'clock'>) {
    this.now = () => controls.clock.now()
    this.lastGuildId = discordIdOf('a server')
  }

  newId(): string {
    this.counted += 1n
    const millis = BigInt(this.now().getTime()) - epochMillis
    return String((millis << 22n) | (this.counted & 0x3fffffn))
  }

  /** Any server that is named exists from then on; the next channel that is named is one of it. */
  guild(id: string): string | undefined {
    if (this.missing.has(id)) return undefined
    this.lastGuildId = id
    return id
  }

  /** Any channel that is named exists from then on. */
  channel(id: string): SandboxChannel | undefined {
    if (this.missing.has(id)) return undefined
    const known = this.channels.get(id)
    if (known !== undefined) return known
    const guildId = this.lastGuildId
    const channel: SandboxChannel = { id, guildId, deniedPermissions: 0n, type: 0 }
    this.channels.set(id, channel)
    return channel
  }

  /** The channel as somebody sees it who has just asked for a server: it is one of that server. */
  channelOfLastGuild(id: string): SandboxChannel | undefined {
    const channel = this.channel(id)
    if (channel !== undefined && !this.placed.has(id)) channel.guildId = this.lastGuildId
    return channel
  }

  /** Channels whose server a control call has fixed. */
  readonly placed = new Set<string>()

  /** The message that a nonce stands for already. */
  withNonce(channelId: string, nonce: string): SandboxMessage | undefined {
    const since = this.now().getTime() - nonceMillis
    return this.of(channelId).find(
      (message) => message.nonce === nonce && message.createdAt.getTime() >= since,
    )
  }

  add(message: Omit<SandboxMessage, 'id' | 'createdAt' | 'editedAt'>): SandboxMessage {
    const added = { ...message, id: this.newId(), createdAt: this.now(), editedAt: undefined }
    if (this.messages.size >= messagesMax) {
      const oldest = this.messages.keys().next()
      if (oldest.done !== true) this.messages.delete(oldest.value)
    }
    this.messages.set(added.id, added)
    return added
  }

  edit(message: SandboxMessage, change: { content?: string; components?: unknown[] }): void {
    if (change.content !== undefined) message.content = change.content
    if (change.components !== undefined) message.components = change.components
    message.editedAt = this.now()
  }

  message(id: string): SandboxMessage | undefined {
    return this.messages.get(id)
  }

  /** Messages of a channel, or of all, the oldest first. */
  of(channelId: string | undefined): SandboxMessage[] {
    const all = [...this.messages.values()]
    return channelId === undefined ? all : all.filter((one) => one.channelId === channelId)
  }

  takeFailure(): NextFailures | undefined {
    if (this.failures.next < 1) return undefined
    this.failures.next -= 1
    return { ...this.failures }
  }
}
