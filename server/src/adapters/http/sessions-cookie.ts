// The two cookies of the product: the session, and the browser that started a provider sign-in.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'

/** 32 random bytes in base64url. */
const tokenPattern = /^[A-Za-z0-9_-]{43}$/
const signInBrowserSeconds = 600

/**
 * Under https the names carry the `__Host-` prefix, which makes browsers refuse a cookie with a
 * Domain, another path or without Secure; plain http, for development, uses the bare names.
 */
export function productCookies(config: Pick<Config, 'publicUrl'>) {
  const isSecure = config.publicUrl.startsWith('https:')
  const session = tokenCookie('sid', isSecure)
  const signInBrowser = tokenCookie('signin', isSecure)
  return {
    session,
    signInBrowser: { ...signInBrowser, maxAgeSeconds: signInBrowserSeconds },
    /** Ends both, so that nothing of a sign-in under way outlives a sign-out. */
    clearAll(reply: FastifyReply): void {
      session.clear(reply)
      signInBrowser.clear(reply)
    },
  }
}

/** Name of the cookie that carries the session. */
export function sessionCookieName(config: Pick<Config, 'publicUrl'>): string {
  return cookieName('sid', config.publicUrl.startsWith('https:'))
}

function cookieName(bareName: string, isSecure: boolean): string {
  return isSecure ? `__Host-${bareName}` : bareName
}

function tokenCookie(bareName: string, isSecure: boolean) {
  const name = cookieName(bareName, isSecure)
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  // Lax and not Strict: the way back from a provider is a navigation started by another site.
  const write = (reply: FastifyReply, value: string) => {
    const header = reply.getHeader('set-cookie')
    const others = (Array.isArray(header) ? header : [header]).filter(
      (line): line is string => typeof line === 'string' && !line.startsWith(`${name}=`),
    )
    reply.removeHeader('set-cookie')
    reply.header('set-cookie', [...others, `${name}=${value}`])
  }
  return {
    /** The token of a request, undefined when there is none. A malformed one is the empty text. */
    read: (request: FastifyRequest) => readToken(request.headers.cookie, name),
    /** Sets the cookie, in place of what this answer said about it before. */
    set: (reply: FastifyReply, token: string, maxAgeSeconds: number) =>
      write(reply, `${token}; Max-Age=${Math.floor(maxAgeSeconds)}; ${attributes}`),
    clear: (reply: FastifyReply) =>
      write(reply, `; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; ${attributes}`),
  }
}

/** Finds one cookie without taking the others apart: this runs on every request. */
function readToken(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined
  for (let from = 0; from < header.length; ) {
    const start = header.indexOf(`${name}=`, from)
    if (start === -1) return undefined
    if (start === 0 || header[start - 1] === ' ' || header[start - 1] === ';') {
      const valueStart = start + name.length + 1
      const end = header.indexOf(';', valueStart)
      const value = header.slice(valueStart, end === -1 ? header.length : end).trim()
      return tokenPattern.test(value) ? value : ''
    }
    from = start + 1
  }
  return undefined
}
