// Sets the contract's endpoints against the application's routes and the list of later work.

import { addressesOf, allEndpoints, type Method } from '@redpack/contract'

/** The part of the application that is asked. */
export interface Routes {
  hasRoute(route: { method: Method; url: string }): boolean
}

const heading = '## Endpoints of later work'
const row = /^\| `(GET|POST|PUT|PATCH|DELETE) (\/\S+)` \| ([^|]+) \|$/

/** `METHOD /path` of every endpoint and alias without a route in `app`, in the contract's order. */
export function unregisteredEndpoints(app: Routes): string[] {
  return allEndpoints.flatMap((endpoint) =>
    addressesOf(endpoint)
      .filter(({ method, path }) => !app.hasRoute({ method, url: routePath(path) }))
      .map(({ method, path }) => `${method} ${path}`),
  )
}

function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

/**
 * The endpoints the page excuses, in its order.
 * @throws when a row has no reason or stands twice
 */
export function laterEndpoints(page: string): string[] {
  const section = page.split(heading)[1]?.split('\n## ')[0] ?? ''
  const found = section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [, method, path, reason = ''] = row.exec(line) ?? []
      if (method === undefined || reason.trim() === '') throw new Error(`Not a row: ${line}`)
      return `${method} ${path}`
    })
  const twice = found.find((name, index) => found.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`${twice} is listed twice`)
  return found
}
