// How somebody signs in, and what is known of their account.

import type { Account, Model } from './model.ts'
import { type Heard, leftOf } from './moment.ts'
import type { Person } from './person.ts'
import type { Scene } from './scene.ts'

const staffMillis = 12 * 3_600_000

/** True when the person has a session that should work. */
export function isSignedIn({ model, person, now }: Scene): boolean {
  return person.cookie !== undefined && leftOf(model.get('session', person.cookie), now) > 0
}

/** The value of a cookie that an answer sets. */
export function cookieIn({ headers }: Heard, name: string): string | undefined {
  const lines = [headers['set-cookie'] ?? []].flat().map(String)
  const line = lines.find((one) => one.startsWith(`${name}=`))
  return line?.slice(name.length + 1, line.indexOf(';')) || undefined
}

/** Signs in with Twitch; false when something on the way failed. */
export async function signIn(scene: Scene): Promise<boolean> {
  const { person, world } = scene
  world.far.logins.set(person.twitchId, person.login)
  const start = await scene.call({ url: '/api/auth/twitch', cookie: '' })
  const browser = cookieIn(start, 'signin')
  if (!start.isHeard || browser === undefined) return false
  const state = new URL(String(start.headers['location'])).searchParams.get('state')
  const back = await scene.call({
    url: `/api/auth/twitch/callback?code=${person.twitchId}&state=${state}`,
    cookie: `signin=${browser}`,
  })
  const token = cookieIn(back, 'sid')
  if (!back.isHeard || token === undefined) {
    await learnAccount(scene)
    scene.tell('tries to sign in, in vain')
    return false
  }
  if (await enter(scene, token)) return true
  await learnAccount(scene)
  return false
}

/** Whoever was signed in without hearing of it may have an account all the same. */
async function learnAccount({ world, model, person }: Scene): Promise<void> {
  const [row] = await world.rows<{ id: number; username: string }>(
    'account_of_twitch',
    'SELECT id, username FROM users WHERE twitch_id = $1',
    [person.twitchId],
  )
  if (row === undefined) return
  noteAccount(model, person, { ...row, role: 'user' })
  model.settle()
}

type Known = Pick<Account, 'id' | 'username' | 'role'>

/** What is known of an account stays, but for its name. */
export function noteAccount(model: Model, person: Person, { id, username, role }: Known): Account {
  const account: Account = {
    ...{ id, twitchId: person.twitchId, role, roleSince: 0 },
    ...{ isGone: false, isBlocked: false, discordId: undefined },
    ...model.get('account', id),
    username,
  }
  model.set('account', id, account)
  return account
}

/** Takes a session that was just opened, and learns whose it is. */
export async function enter(
  scene: Scene,
  token: string,
  lifeMillis = staffMillis,
): Promise<boolean> {
  const { person, model, now } = scene
  const heard = await scene.call({ url: '/api/auth/me', cookie: token })
  if (!heard.isHeard) return false
  scene.check(heard.status === 200, `opens a session that is none: ${heard.text}`)
  const { id, username, role, redCoinBalance } = heard.body
  const account = model.get('account', id)
  scene.check(account?.isGone !== true, `signs ${person.name} in to an account that was left`)
  scene.check(role === (account?.role ?? role), `gives ${person.name} the role ${role}`)
  scene.checkWhenAlone(
    redCoinBalance === model.count('coins', id),
    `shows ${redCoinBalance} RedCoin where the model has ${model.count('coins', id)}`,
  )
  const known = noteAccount(model, person, { id, username, role })
  if (person.cookie !== undefined) person.oldCookies.push(person.cookie)
  if (person.oldCookies.length > 5) person.oldCookies.shift()
  const millis = known.role === 'user' ? Number.POSITIVE_INFINITY : lifeMillis
  model.set('session', token, { accountId: id, endsAt: now + millis })
  model.settle()
  person.accountId = id
  person.cookie = token
  scene.tell(`signs in as ${username}`)
  return true
}

/** All sessions of an account end. */
export function endSessions(scene: Scene, accountId: number): void {
  const { model, now } = scene
  for (const token of model.names('session')) {
    const session = model.get('session', token)
    if (session?.accountId !== accountId || session.endsAt <= now) continue
    model.set('session', token, { accountId, endsAt: now })
  }
}
