// Where the product listens, under which names browsers reach it, and whom it believes about
// addresses.

import { isIP } from 'node:net'
import type { Settings } from './settings.ts'

export interface Reach {
  readonly host: string
  readonly port: number
  /** True when the stand-ins are mounted. */
  readonly sandbox: boolean
  /** True when others than this machine may see the stand-ins. */
  readonly isSandboxOpen: boolean
  /** Origin under which browsers reach the product, without a slash at the end. */
  readonly publicUrl: string
  /** False when nobody has said it: then the name that a browser used counts. */
  readonly isPublicUrlSet: boolean
  /** Further names that the product answers to, lower case, without ports. */
  readonly allowedHosts: readonly string[]
  /** Addresses and networks whose forwarded addresses are believed. */
  readonly trustedProxies: readonly string[]
}

/** Reads them; `sandboxDefault` applies where SANDBOX is not set. */
export function readReach(
  settings: Settings,
  isProduction: boolean,
  sandboxDefault: boolean,
): Reach {
  const host = settings.text('HOST') ?? '127.0.0.1'
  const port = settings.port('PORT', 3000)
  const shownHost = isIP(host) === 6 ? `[${host}]` : host
  const isPublicUrlSet = settings.text('PUBLIC_URL') !== undefined
  const protocols = isProduction ? ['https:'] : ['http:', 'https:']
  const publicUrl = settings.url('PUBLIC_URL', protocols, `http://${shownHost}:${port}`)
  if (/[^/]\/[^/]|[?#]/.test(publicUrl.replace(/^\w+:\/\//, ''))) {
    settings.refuse('PUBLIC_URL', 'must be an address without a path: the product is served at /')
  }
  if (isProduction && !isPublicUrlSet) settings.refuse('PUBLIC_URL', 'is required in production')
  return {
    host,
    port,
    sandbox: readSandbox(settings, { host, publicUrl, isProduction }, sandboxDefault),
    isSandboxOpen: settings.text('SANDBOX') === 'open',
    publicUrl: new URL(publicUrl).origin,
    isPublicUrlSet,
    allowedHosts: readAllowedHosts(settings),
    trustedProxies: readTrustedProxies(settings),
  }
}

/**
 * The stand-ins let anybody be anybody, so they are served to this machine alone; whoever wants
 * others to see them says so.
 */
function readSandbox(
  settings: Settings,
  { host, publicUrl, isProduction }: { host: string; publicUrl: string; isProduction: boolean },
  fallback: boolean,
): boolean {
  const value = settings.text('SANDBOX') ?? (fallback ? 'on' : 'off')
  if (value !== 'on' && value !== 'open' && value !== 'off') {
    settings.refuse('SANDBOX', `must be on, open or off, not "${value}"`)
    return fallback
  }
  if (value !== 'off' && isProduction) {
    settings.refuse('SANDBOX', `cannot be ${value} with NODE_ENV=production`)
  }
  if (value === 'on' && !isLoopback(host)) {
    const why = `must be a loopback address in sandbox mode, not "${host}"`
    settings.refuse('HOST', `${why}; SANDBOX=open serves any address`)
  }
  const { hostname } = new URL(publicUrl)
  if (
    value === 'on' &&
    !isProduction &&
    isLoopback(host) &&
    !isLoopback(hostname.replace(/^\[|\]$/g, ''))
  ) {
    const why = 'must be an address of this machine in sandbox mode'
    settings.refuse('PUBLIC_URL', `${why}: set TWITCH_CLIENT_ID, or SANDBOX=open to let others in`)
  }
  return value !== 'off'
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

const hostName = /^(?=.{1,253}$)[a-z0-9_-]+(\.[a-z0-9_-]+)*$/

function readAllowedHosts(settings: Settings): string[] {
  const names = settings.list('ALLOWED_HOSTS').map((name) => name.toLowerCase())
  const bad = names.find((name) => !hostName.test(name))
  if (bad !== undefined) {
    settings.refuse('ALLOWED_HOSTS', `must be names with commas between them, without "${bad}"`)
  }
  return names
}

function readTrustedProxies(settings: Settings): string[] {
  const proxies = settings.list('TRUSTED_PROXIES')
  const bad = proxies.find((proxy) => !isProxy(proxy))
  if (bad !== undefined) {
    const what = 'must be addresses and networks like 10.0.0.0/8 with commas between them'
    settings.refuse('TRUSTED_PROXIES', `${what}, without "${bad}"`)
  }
  return proxies.length === 0 ? ['loopback'] : proxies
}

/** An address, a network that is not everything, or the word for this machine. */
function isProxy(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  if (text === 'loopback') return true
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  if (bits === undefined) return true
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128)
}
