// The endpoints of the contract that an application serves, each with an address that fits its
// path.

import { addressesOf, allEndpoints, type Method, type NamedEndpoint } from '@redpack/contract'
import type { FastifyInstance } from 'fastify'

/** One method and path of an endpoint; an alias is a place of its own. */
export interface Place {
  readonly endpoint: NamedEndpoint
  readonly method: Method
  /** Path with `{name}` for each parameter. */
  readonly path: string
}

export function placesOf(app: FastifyInstance): { served: Place[]; missing: Place[] } {
  const places = allEndpoints.flatMap((endpoint) =>
    addressesOf(endpoint).map(({ method, path }): Place => ({ endpoint, method, path })),
  )
  const isServed = ({ method, path }: Place) =>
    app.hasRoute({ method, url: path.replace(/\{(\w+)\}/g, ':$1') })
  return { served: places.filter(isServed), missing: places.filter((place) => !isServed(place)) }
}

/** An address of the place whose parameters are well formed and name nothing. */
export function addressOf({ path }: Place): string {
  return path.replace('{hash}', '0'.repeat(64)).replace(/\{\w+\}/g, '2000000000')
}
