// The address that the product listens on: whether it is available, and if not, why.

import { connect, createServer } from 'node:net'
import type { Config } from '../config/config.ts'

type Address = Pick<Config, 'host' | 'port'>

/** The address cannot be listened on; the message says why. */
export class UnusableAddress extends Error {}

/** A port that is free now. */
export async function freePort(host: string): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(unusableAddress({ host, port: 0 }, error)))
    server.listen(0, host, resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

const probeMillisMax = 1_000
const anyAddress: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/**
 * Finds out by a connection whether another program listens there. Listening for a moment would
 * take connections that a proxy meant for this process and then drop them.
 * @throws UnusableAddress when one does
 */
export async function refuseUsedPort(address: Address): Promise<void> {
  const isUsed = await new Promise<boolean>((resolve) => {
    const probe = connect(address.port, anyAddress[address.host] ?? address.host)
    const finish = (answer: boolean) => {
      probe.destroy()
      resolve(answer)
    }
    probe.setTimeout(probeMillisMax, () => finish(false))
    probe.once('connect', () => finish(true)).once('error', () => finish(false))
  })
  if (isUsed) throw unusableAddress(address, { code: 'EADDRINUSE' })
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it; stop that program or choose another PORT',
  EACCES: 'this user may not open it; choose a PORT above 1023',
  EADDRNOTAVAIL: 'HOST is no address of this machine',
  ENOTFOUND: 'HOST is no address of this machine',
}

/** The same error in one sentence for whoever started the program. */
export function unusableAddress(address: Address, error: unknown): UnusableAddress {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  const why = reasons[code] ?? (code || String(error))
  return new UnusableAddress(
    `Port ${address.port} on ${address.host} cannot be listened on: ${why}`,
    { cause: error },
  )
}
