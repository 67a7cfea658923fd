// The two cookies: what browsers are told about them, and how they are found among others.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { productCookies, sessionCookieName } from './sessions-cookie.ts'

const plain = { publicUrl: 'http://127.0.0.1:3000' }
const secure = { publicUrl: 'https://packs.example.test' }
const token = 'aB3-_'.repeat(9).slice(0, 43)

/** A reply that keeps its headers, as Fastify does. */
function reply(first?: string | string[]) {
  const headers = new Map<string, string | string[]>()
  const kept = {
    getHeader: (name: string) => headers.get(name),
    removeHeader: (name: string) => headers.delete(name),
    // Cookies are the one header that Fastify adds to instead of putting another in its place.
    header: (name: string, value: string[]) =>
      headers.set(name, [headers.get(name) ?? [], value].flat()),
  }
  if (first !== undefined) headers.set('set-cookie', first)
  return { asReply: kept as unknown as FastifyReply, lines: () => headers.get('set-cookie') }
}

const requestWith = (cookie: string | undefined) => ({ headers: { cookie } }) as FastifyRequest
const read = (cookie: string | undefined, config = plain) =>
  productCookies(config).session.read(requestWith(cookie))

describe('the session cookie', () => {
  it('is bound to its host under https, and has its bare name without', () => {
    expect(sessionCookieName(secure)).toBe('__Host-sid')
    expect(sessionCookieName(plain)).toBe('sid')
  })

  it('is out of reach of scripts and of other sites', () => {
    const { asReply, lines } = reply()
    productCookies(secure).session.set(asReply, token, 60.9)
    expect(lines()).toEqual([
      `__Host-sid=${token}; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure`,
    ])
  })

  it('is set without Secure where there is no https', () => {
    const { asReply, lines } = reply()
    productCookies(plain).session.set(asReply, token, 60)
    expect(lines()).toEqual([`sid=${token}; Max-Age=60; Path=/; HttpOnly; SameSite=Lax`])
  })

  it('takes the place of what the answer said about it, and leaves other cookies alone', () => {
    const { asReply, lines } = reply(['other=1', `sid=${token}; Max-Age=60`])
    const { session, signInBrowser } = productCookies(plain)
    session.clear(asReply)
    signInBrowser.set(asReply, token, signInBrowser.maxAgeSeconds)
    expect(lines()).toEqual([
      'other=1',
      'sid=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/; HttpOnly; SameSite=Lax',
      `signin=${token}; Max-Age=600; Path=/; HttpOnly; SameSite=Lax`,
    ])
  })

  it('joins a single header that is there already', () => {
    const { asReply, lines } = reply('other=1')
    productCookies(plain).session.set(asReply, token, 60)
    expect(lines()).toHaveLength(2)
  })
})

describe('the cookie of a request', () => {
  it('is found wherever it stands', () => {
    expect(read(`sid=${token}`)).toBe(token)
    expect(read(`a=1; sid=${token}; b=2`)).toBe(token)
    expect(read(`a=1;sid=${token} ;b=2`)).toBe(token)
    expect(read(`__Host-sid=${token}`, secure)).toBe(token)
  })

  it('is not one whose name merely ends alike', () => {
    expect(read(`xsid=${token}`)).toBeUndefined()
    expect(read(`xsid=other; sid=${token}`)).toBe(token)
    expect(read(`__Host-sid=${token}`)).toBeUndefined()
  })

  it('is undefined when there is none, and empty when it is malformed', () => {
    expect(read(undefined)).toBeUndefined()
    expect(read('a=1')).toBeUndefined()
    for (const wrong of ['', token.slice(1), `${token}x`, `${token.slice(1)}!`]) {
      expect(read(`sid=${wrong}`)).toBe('')
    }
  })
})
