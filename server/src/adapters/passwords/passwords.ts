// Turns passwords into hashes that are slow to guess.

import { hash, verify } from '@node-rs/argon2'

/**
 * Argon2id with 19 MiB, two passes and one lane: the least the OWASP Password Storage Cheat Sheet
 * names.
 */
const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

export type Passwords = typeof argon2Passwords

export const argon2Passwords = {
  hash: (password: string): Promise<string> => hash(password, cost),
  /** Takes the same time for a right and a wrong password. */
  isRight: (hashed: string, password: string): Promise<boolean> => verify(hashed, password),
}
