// Remembers that someone was signed in here, so that the next visit waits instead of inviting.

import { keepInBrowser, keptInBrowser } from './browser-switch.ts'

const storageKey = 'redpack:signed-in'

/** The mark that the page's first script looks for; gone when nobody is signed in. */
export const visitHint = {
  isSet: (): boolean => typeof keptInBrowser(storageKey) === 'string',
  set: (isSignedIn: boolean): void => keepInBrowser(storageKey, isSignedIn ? '1' : undefined),
}
