// Signing in by plain HTTP, as a browser would: redirects followed by hand, cookies kept.

import type { Deps } from '../src/adapters/deps.ts'
import type { TwitchIdentity } from '../src/adapters/twitch/identity.ts'
import { signInWithTwitch, startAttempt } from '../src/features/account/provider-sign-in.ts'

/** A Twitch that takes everybody for this person. */
export const twitchOf = (id: string, login: string, displayName = login): TwitchIdentity => ({
  isConfigured: true,
  authorizeUrl: () => '',
  identify: async () => {
    const tokens = { accessToken: 'at', refreshToken: undefined }
    return { id, login, displayName, email: undefined, avatar: undefined, tokens }
  },
})

/** A whole sign-in without HTTP; answers the id of the account. */
export async function signInAs(
  deps: Deps,
  twitch: TwitchIdentity,
  welcome: () => void = () => undefined,
): Promise<number> {
  const attempt = await startAttempt(deps, 'twitch', { token: undefined })
  const callback = { ...attempt, code: 'c', redirectUri: '', sessionToken: undefined }
  const session = await signInWithTwitch(deps, twitch, callback, async () => welcome())
  if (typeof session === 'string') throw new Error(session)
  return session.userId
}

/** One browser: its cookies go with every request and redirects are left to the test. */
export class Browser {
  readonly cookies = new Map<string, string>()
  private readonly origin: string

  constructor(origin: string) {
    this.origin = origin
  }

  /** What it sends of its cookies. */
  get cookie(): string {
    return [...this.cookies].map((pair) => pair.join('=')).join('; ')
  }

  /** Another tab, which is signed in as this one is now. */
  tab(origin = this.origin): Browser {
    const tab = new Browser(origin)
    for (const [name, value] of this.cookies) tab.cookies.set(name, value)
    return tab
  }

  async open(path: string, init: RequestInit = {}): Promise<Response> {
    const { cookie } = this
    const headers = { ...(cookie === '' ? {} : { cookie }), ...init.headers }
    const answer = await fetch(new URL(path, this.origin), { ...init, headers, redirect: 'manual' })
    this.keep(answer.headers)
    return answer
  }

  /** What a call answers that is granted; with a body it is a POST unless something is said. */
  async json<Answer>(path: string, body?: unknown, init: RequestInit = {}): Promise<Answer> {
    const answer = await this.open(path, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      ...init,
      headers: { 'content-type': 'application/json', ...init.headers },
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${text}`)
    return JSON.parse(text) as Answer
  }

  protected keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      if (/max-age=0/i.test(line)) this.cookies.delete(pair.slice(0, at))
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
  }

  /** Opens a path and answers where it redirects to. */
  async redirectOf(path: string, init: RequestInit = {}): Promise<string> {
    const answer = await this.open(path, init)
    await answer.arrayBuffer()
    return answer.headers.get('location') ?? `no redirect, status ${answer.status}`
  }

  /** Sends the consent form of the page at `address`; answers where it redirects to. */
  consent(address: string, login: string, action = 'allow'): Promise<string> {
    const body = new URLSearchParams({ login, action })
    return this.redirectOf(address, { method: 'POST', body })
  }

  /** The whole way through the sandbox's consent page; answers where it ends. */
  async signIn(login: string, action = 'allow'): Promise<string> {
    const authorize = await this.redirectOf('/api/auth/twitch')
    return this.redirectOf(await this.consent(authorize, login, action))
  }
}
