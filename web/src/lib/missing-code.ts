// Code of the page that is fetched when it is wanted, and may be gone or out of reach by then.

import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'

/** What browsers say when code could not be fetched; each has its own words. */
const missingCode =
  /dynamically imported module|importing a module script failed|unable to preload/i

export function isMissingCode(error: unknown): boolean {
  return error instanceof Error && missingCode.test(error.message)
}

/** The code of a screen is not on the device, and there is no network to fetch it. */
export class MissingOffline extends Error {}

/**
 * A screen of the module that `load` fetches. The router loads the page anew when a module is
 * missing, for the sake of a newer build; without a network that would end nowhere, and might take
 * the place of where somebody has gone meanwhile.
 */
export function screenCode<Name extends string, Module extends Record<Name, ComponentType>>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(() => load().catch(rethrow), name)
}

function rethrow(error: unknown): never {
  if (navigator.onLine || !isMissingCode(error)) throw error
  // The router knows a missing module by how its message begins.
  throw new MissingOffline(`No network: ${(error as Error).message}`, { cause: error })
}
