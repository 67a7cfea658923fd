// Carries one message over its channel, and says of every failure what it means.

import type { Deps } from '../../adapters/deps.ts'
import { DeliveryFault } from '../../shared/delivery-fault.ts'
import { DiscordFault } from '../../shared/discord-fault.ts'
import { devicesOf, forgetDevices } from './device-tables.ts'
import { discordTextOf, letterOf, pushOf } from './letters.ts'
import { mailOf } from './mail-texts.ts'
import type { News } from './news-tables.ts'
import type { Channel } from './recipient-sql.ts'
import type { DueMessage, Recipient } from './sending-tables.ts'

export interface Delivery {
  readonly message: DueMessage
  readonly to: Recipient
  readonly news: readonly News[]
}

/** The channels over which the product can reach anybody. */
export function channelsOf({ mailer, pusher, discord }: Deps): Channel[] {
  const isSetUp: Record<Channel, boolean> = {
    email: mailer.isSetUp,
    push: pusher.publicKey !== undefined,
    discord: discord.hasToken,
  }
  return (Object.keys(isSetUp) as Channel[]).filter((channel) => isSetUp[channel])
}

/** @throws DeliveryFault when the far side has not taken it, or its answer never came */
export async function deliver(deps: Deps, delivery: Delivery): Promise<void> {
  const { channel, kind } = delivery.message
  if (channel === 'email' || kind === 'verify_address') {
    return deps.mailer.send(mailOf(deps, delivery))
  }
  const letter = letterOf(kind, delivery.news, delivery.to.sentence)
  const name = `outbox-${delivery.message.id}`
  if (channel === 'push') {
    const payload = { ...pushOf(letter), path: letter.button.path, tag: name }
    return pushToAll(deps, delivery.message.user_id, JSON.stringify(payload), name)
  }
  const text = discordTextOf(letter, deps.config.publicUrl)
  await deps.discord.tell(delivery.to.discord_id ?? '', text, name).catch((error: unknown) => {
    throw error instanceof DiscordFault ? faultOfDiscord(error) : error
  })
}

/**
 * To every device of the person. Where one has to be asked again all are: those that have shown the
 * message put the same one in its place.
 */
async function pushToAll(deps: Deps, userId: number, payload: string, topic: string) {
  const devices = await devicesOf(deps.db, userId)
  const faults: DeliveryFault[] = []
  const gone: string[] = []
  const sending = devices.map((device) =>
    deps.pusher.send(device, payload, topic).catch((error: unknown) => {
      if (!(error instanceof DeliveryFault)) throw error
      if (error.kind === 'recipient') gone.push(device.id)
      else faults.push(error)
    }),
  )
  await Promise.all(sending)
  if (gone.length > 0) {
    await forgetDevices(deps.db, gone)
    deps.events.publish({ type: 'user_changed', userId })
  }
  const later = faults.find(({ kind }) => kind === 'later')
  const isShown = gone.length + faults.length < devices.length
  if (later !== undefined) throw later
  if (!isShown) throw faults[0] ?? new DeliveryFault('recipient', 'No device is left')
}

/** Numbers of Discord for people whom the bot cannot write to, whatever it writes. */
const closedToUs = new Set([10_013, 50_007, 50_033, 50_278])

function faultOfDiscord(cause: DiscordFault): DeliveryFault {
  const { kind, code = 0 } = cause
  const meaning = () => {
    if (closedToUs.has(code)) return 'recipient'
    return kind === 'token' || kind === 'unreachable' || kind === 'rate_limited'
      ? 'unreachable'
      : 'refused'
  }
  const words = code === 0 ? cause.message : `Discord refused this (${code})`
  return new DeliveryFault(meaning(), words, { cause })
}
