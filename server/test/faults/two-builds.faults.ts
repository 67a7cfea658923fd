// Two releases side by side behind a real proxy: each has scripts that the other does not.

import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort } from '../product-process.ts'
import { haproxy, nginx, type RunningProxy } from './proxies.ts'

let proxy: RunningProxy | undefined
const closing: (() => void)[] = []
afterEach(async () => {
  await proxy?.stop()
  for (const close of closing.splice(0)) close()
})

/** Has one script, and nothing but that; counts what it is asked for besides its health. */
function startBuild(port: number, script: string) {
  const build = { asked: 0 }
  const server = createServer((request, response) => {
    const isHealth = request.url === '/health/ready'
    if (!isHealth) build.asked += 1
    response.writeHead(isHealth || request.url === script ? 200 : 404).end()
  })
  server.listen(port, '127.0.0.1')
  closing.push(() => server.close().closeAllConnections())
  return build
}

for (const kind of [nginx, haproxy]) {
  describe.skipIf(!kind.isInstalled)(`two releases behind ${kind.name}`, () => {
    it('a script that one of them has is found, and one that none has is soon given up', async () => {
      const ports = {
        proxy: await freePort(),
        processes: [await freePort(), await freePort()],
      } as const
      const [old, next] = ['/assets/page-old.js', '/assets/page-new.js'] as const
      const builds = [startBuild(ports.processes[0], old), startBuild(ports.processes[1], next)]
      proxy = await kind.start(ports)
      const statusOf = async (path: string) =>
        (await fetch(`http://127.0.0.1:${ports.proxy}${path}`)).status
      for (let time = 0; time < 10; time += 1) {
        expect([await statusOf(old), await statusOf(next)]).toEqual([200, 200])
      }
      const before = builds.reduce((sum, { asked }) => sum + asked, 0)
      expect(await statusOf('/assets/none.js')).toBe(404)
      expect(builds.reduce((sum, { asked }) => sum + asked, 0) - before).toBeLessThanOrEqual(3)
      // Only files are asked for twice.
      expect(new Set([await statusOf('/api/none'), await statusOf('/other')])).toEqual(
        new Set([404]),
      )
    })
  })
}
