// What people say about where news reaches them: an address, a proof of it, what, and when not.

import type { Body, notificationsContract as contract } from '@redpack/contract'
import { pushDevicesMax } from '@redpack/contract/limits'
import { verifyLinkHours } from '@redpack/contract/notification-kinds'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { Actor } from '../../rules/roles.ts'
import { DomainError, signedOut, Unavailable } from '../../shared/domain-error.ts'
import {
  askForAddress,
  countLink,
  forgetAddressOf,
  forgetLinks,
  holdUser,
  linkAsker,
  pendingKeyOf,
  proveAddress,
  switchDiscord,
  switchMailOff,
  writeLiveStreams,
  writePreferences,
  writeQuietHours,
} from './address-tables.ts'
import { deviceIdOf, forgetOwnDevice, holdSession, keepDevice } from './device-tables.ts'
import { isLinkToken, userOfToken } from './mail-links.ts'

const hourSeconds = 3_600
const dayMillis = 24 * hourSeconds * 1000
const linkMillis = verifyLinkHours * hourSeconds * 1000
/** Links that one person may have sent, and that may go to one address, whoever asks. */
const linksMax = { hour: 5, day: 10, address: 5 }

/**
 * Sends a link to the address, which is used once it was followed. A link that was sent before
 * works no more.
 * @throws Unavailable where no mail can be sent; DomainError rate_limited for too many links
 */
export async function askToVerify(deps: Deps, userId: number, address: string): Promise<void> {
  if (!deps.mailer.isSetUp) throw new Unavailable('Email is not set up here')
  const now = deps.clock.now()
  const until = new Date(now.getTime() + linkMillis)
  const key = deps.random.uuid()
  await deps.db.transaction(async (tx) => {
    await askForAddress(tx, { userId, address, key, until }, now)
    const count = (kind: string, value: string) =>
      countLink(tx, deps.encryption.fingerprint(kind, value), now)
    const asked = await count('link_asker', await linkAsker(tx, userId))
    const there = await count('link_address', address.toLowerCase())
    if (asked.day > linksMax.day || there.day > linksMax.address) throw tooManyLinks('tomorrow', 24)
    if (asked.hour > linksMax.hour) throw tooManyLinks('in an hour', 1)
  })
}

/** Forgets who asked for links, and for which addresses, once no limit counts it any more. */
export async function forgetOldLinks({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await forgetLinks(db, new Date(clock.now().getTime() - dayMillis))
}

const tooManyLinks = (when: string, hours: number) =>
  new DomainError('rate_limited', `Too many links were sent, try again ${when}`, {
    retryAfterSeconds: hours * hourSeconds,
  })

/**
 * Has the address used from now on that the link with the token was sent to; it works once.
 * @throws DomainError not_found for any other token
 */
export async function verifyAddress(deps: Deps, token: string): Promise<void> {
  const userId = userOfToken(token)
  if (userId === undefined) throw isOver()
  const now = deps.clock.now()
  const key = await pendingKeyOf(deps.db, userId, now)
  if (!key || !isLinkToken(deps.encryption, 'verify-address', token, key)) throw isOver()
  if (!(await proveAddress(deps.db, userId, key, now))) throw isOver()
  deps.events.publish({ type: 'user_changed', userId })
}

const isOver = () =>
  new DomainError(
    'not_found',
    'This link was used or has expired. Get a new one from your profile.',
  )

/**
 * Switches email off for whoever the token belongs to, also what waits.
 * @throws DomainError not_found for a token of nobody
 */
export async function unsubscribe(deps: Deps, token: string): Promise<void> {
  const userId = userOfToken(token)
  const now = deps.clock.now()
  const isDone =
    userId !== undefined &&
    isLinkToken(deps.encryption, 'unsubscribe', token) &&
    (await switchMailOff(deps.db, userId, now))
  if (!isDone) throw new DomainError('not_found', 'This link does not belong to anybody')
  deps.events.publish({ type: 'user_changed', userId })
}

/**
 * Changes what is given; the rest stays.
 * @throws DomainError unauthorized for whoever has left since their call was let in
 */
export async function changeSettings(
  tx: Queryable,
  userId: number,
  { channels, liveStreams, preferences, quietHours }: Body<typeof contract.update>,
): Promise<void> {
  if (!(await holdUser(tx, userId))) throw signedOut()
  if (preferences !== undefined) await writePreferences(tx, userId, preferences)
  if (liveStreams !== undefined) await writeLiveStreams(tx, userId, liveStreams)
  if (quietHours !== undefined) {
    await writeQuietHours(tx, userId, quietHours?.from ?? null, quietHours?.until ?? null)
  }
  if (channels?.discord !== undefined) await switchDiscord(tx, userId, channels.discord)
  if (channels?.email === null) await forgetAddressOf(tx, userId)
}

/**
 * Has news shown by a browser, until another person registers it with the same keys.
 * @throws Unavailable where nothing can be pushed; DomainError invalid_input for an address that is
 * not on the internet, duplicate for one that is known with other keys, unauthorized where the
 * session has ended
 */
export async function addDevice(
  deps: Deps,
  { userId, sessionHash }: Actor,
  { endpoint, keys }: Body<typeof contract.addDevice>,
  userAgent: string | undefined,
): Promise<void> {
  if (deps.pusher.publicKey === undefined) throw new Unavailable('Push is not set up here')
  if (!deps.pusher.accepts(endpoint)) {
    throw new DomainError('invalid_input', 'This is not the address of a push service')
  }
  const device = { endpoint, ...keys, label: deviceLabel(userAgent) }
  const now = deps.clock.now()
  const isKept = await deps.db.transaction(async (tx) => {
    // Whoever is signed out everywhere meanwhile adds no device that would stay.
    if (!(await holdSession(tx, sessionHash))) throw signedOut()
    return keepDevice(tx, userId, device, { now, devicesMax: pushDevicesMax })
  })
  if (!isKept) throw new DomainError('duplicate', 'This device is known with other keys')
}

/** Forgets a device of the user, by its endpoint or its id. */
export async function forgetDevice(
  db: Queryable,
  userId: number,
  { endpoint, id }: Body<typeof contract.forgetDevice>,
): Promise<void> {
  const named = endpoint === undefined ? id : deviceIdOf(endpoint)
  if (named !== undefined) await forgetOwnDevice(db, userId, named)
}

const browsers = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const
const systems = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

/** Such as `Firefox on Windows`; `A browser` where nothing of it is known. */
function deviceLabel(userAgent = ''): string {
  const known = (list: readonly (readonly [string, RegExp])[]) =>
    list.find(([, sign]) => sign.test(userAgent))?.[0]
  const [browser = 'A browser', system] = [known(browsers), known(systems)]
  return system === undefined ? browser : `${browser} on ${system}`
}
