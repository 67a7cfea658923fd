// Remembers that someone was signed in here, so that the next visit waits instead of inviting.

const storageKey = 'redpack:signed-in'

/** The mark that the page's first script looks for; gone when nobody is signed in. */
export const visitHint = {
  isSet(): boolean {
    try {
      return localStorage.getItem(storageKey) !== null
    } catch {
      return false
    }
  },
  set(isSignedIn: boolean): void {
    try {
      if (isSignedIn) localStorage.setItem(storageKey, '1')
      else localStorage.removeItem(storageKey)
    } catch {
      // Without storage every visit begins with the invitation.
    }
  },
}
