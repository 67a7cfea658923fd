// Where the product listens, under which names browsers reach it, and to whom it shows the sandbox.

import { isIP } from 'node:net'
import type { Reading } from './read-settings.ts'

export type NetworkConfig = Readonly<ReturnType<typeof networkConfig>>

/** Holds the settings of the network against each other. */
export function networkConfig(reading: Reading) {
  const { values, isProduction, isSet, refuse } = reading
  const { HOST: host, PORT: port } = values
  // Without the zone of a link-local address, which no browser takes.
  const shownHost = isIP(host) === 6 ? `[${host.replace(/%.*/, '')}]` : host
  const publicUrl = values.PUBLIC_URL ?? `http://${shownHost}:${port}`
  if (/[^/]\/[^/]|[?#]/.test(publicUrl.replace(/^\w+:\/\//, ''))) {
    refuse('PUBLIC_URL', 'must be an address without a path: the product is served at /')
  }
  if (isProduction && !isSet('PUBLIC_URL')) refuse('PUBLIC_URL', 'is required in production')
  const sandbox = values.SANDBOX ?? (isSet('TWITCH_CLIENT_ID') || isProduction ? 'off' : 'on')
  if (sandbox !== 'off' && isProduction) {
    refuse('SANDBOX', `cannot be ${sandbox} with NODE_ENV=production`)
  }
  if (sandbox === 'on') refuseOthers(reading, host, publicUrl)
  return {
    host,
    port,
    /** True when the stand-ins are mounted. */
    sandbox: sandbox !== 'off',
    /** True when others than this machine may see the stand-ins. */
    isSandboxOpen: sandbox === 'open',
    /** Origin under which browsers reach the product, without a slash at the end. */
    publicUrl: new URL(publicUrl).origin,
    /** False when nobody has said it: then the name that a browser used counts. */
    isPublicUrlSet: isSet('PUBLIC_URL'),
    /** Further names that the product answers to, lower case, without ports. */
    allowedHosts: values.ALLOWED_HOSTS.map((name) => name.toLowerCase()),
    /** Addresses and networks whose forwarded addresses are believed. */
    trustedProxies: values.TRUSTED_PROXIES,
  }
}

/**
 * The stand-ins let anybody be anybody, so they are served to this machine alone; whoever wants
 * others to see them says so.
 */
function refuseOthers({ isProduction, refuse }: Reading, host: string, publicUrl: string): void {
  if (!isLoopback(host)) {
    const why = `must be a loopback address in sandbox mode, not "${host}"`
    refuse('HOST', `${why}; SANDBOX=open serves any address`)
  } else if (!isProduction && !isLoopback(new URL(publicUrl).hostname.replace(/^\[|\]$/g, ''))) {
    const why = 'must be an address of this machine in sandbox mode'
    refuse('PUBLIC_URL', `${why}: set TWITCH_CLIENT_ID, or SANDBOX=open to let others in`)
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
