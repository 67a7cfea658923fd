// Public logs as lying operators would serve them, with trees that fit their entries.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseTileName } from '@redpack/fair/tree'
import type { SignedLog } from '../../../fair/src/sample-log.fixture.ts'

/** Serves logs while `use` runs, each at an address of its own. */
export async function whileServed<T>(
  logs: readonly SignedLog[],
  use: (origins: readonly string[]) => Promise<T>,
) {
  const server = createServer((request, response) => {
    const [, number, path = ''] = /^\/(\d+)\/log\/(.*)$/.exec(request.url ?? '') ?? []
    const log = logs[Number(number)]
    const name = parseTileName(path.replace('tile/', ''))
    response.end(name ? log?.tile(name) : log?.checkpoint())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as AddressInfo
    return await use(logs.map((_log, number) => `http://127.0.0.1:${port}/${number}`))
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
