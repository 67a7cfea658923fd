// Holds the port while the database is being opened: the process lives, but cannot serve yet.

import { createServer, type RequestListener } from 'node:http'
import type { Config } from './config.ts'

/** The address cannot be listened on; the message says why. */
export class UnusableAddress extends Error {}

const waitSeconds = 5

/** Listens at once, so that a port in use is found out before anything else happens. */
export async function openWaitingServer(
  config: Pick<Config, 'host' | 'port'>,
): Promise<{ close(): Promise<void> }> {
  const server = createServer(answer)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(unusableAddress(config, error)))
    server.listen(config.port, config.host, resolve)
  })
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

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

const answer: RequestListener = (request, response) => {
  const isLive = request.url?.split('?')[0] === '/health/live'
  const message = 'The service is starting, please try again in a moment'
  response.writeHead(isLive ? 200 : 503, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...(isLive ? {} : { 'retry-after': String(waitSeconds) }),
  })
  response.end(
    JSON.stringify(
      isLive ? { status: 'ok' } : { code: 'service_unavailable', message, error: message },
    ),
  )
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it; stop that program or choose another PORT',
  EACCES: 'this user may not open it; choose a PORT above 1023',
  EADDRNOTAVAIL: 'HOST is no address of this machine',
  ENOTFOUND: 'HOST is no address of this machine',
}

/** The same error in one sentence for whoever started the program. */
export function unusableAddress(
  config: Pick<Config, 'host' | 'port'>,
  error: unknown,
): UnusableAddress {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  const why = reasons[code] ?? (code || String(error))
  return new UnusableAddress(
    `Port ${config.port} on ${config.host} cannot be listened on: ${why}`,
    { cause: error },
  )
}
