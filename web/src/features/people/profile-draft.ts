// Keeps unsaved changes of the profile when the session ends in the middle of the form.

import * as z from 'zod/mini'
import type { ProfileValues } from './profile-values.ts'

const storageKey = 'redpack:profile-draft'

const Draft = z.object({
  userId: z.int(),
  values: z.object({
    displayName: z.string(),
    email: z.string(),
    bio: z.string(),
    country: z.string(),
    timezone: z.string(),
    notifications: z.object({ email: z.boolean(), prizes: z.boolean(), rewards: z.boolean() }),
  }),
})

/** Lives as long as the tab; without storage nothing is kept. */
export const profileDraft = {
  /** The unsaved changes of this user, if there are any. */
  read(userId: number): ProfileValues | undefined {
    try {
      const draft = Draft.parse(JSON.parse(sessionStorage.getItem(storageKey) ?? 'null'))
      return draft.userId === userId ? draft.values : undefined
    } catch {
      return undefined
    }
  },
  write(userId: number, values: ProfileValues): void {
    try {
      sessionStorage.setItem(storageKey, JSON.stringify({ userId, values }))
    } catch {
      // The changes are still in the form.
    }
  },
  clear(): void {
    try {
      sessionStorage.removeItem(storageKey)
    } catch {
      // Then there was none either.
    }
  },
}
