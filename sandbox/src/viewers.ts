// Everybody who exists in the sandbox: known viewers, and whoever is named for the first time.

import { createHash } from 'node:crypto'
import type { KnownViewer } from './controls.ts'

const animals = ['fox', 'owl', 'cat', 'robot', 'frog', 'bear', 'ghost', 'octopus'] as const
/**
 * Numbers of 19 digits that begin with a 9. Twitch counts its accounts one by one and has come to
 * ten digits; a snowflake of Discord holds its time, and these are of the year 2083 and later. So
 * nobody of the sandbox can be taken for a real account, whatever becomes of the database.
 */
const neverGiven = 9_000_000_000_000_000_000n
const idMin = neverGiven + 1_000_000_000n
const idCount = 8_000_000_000n
const snowflakeMin = neverGiven
const snowflakeCount = 200_000_000_000_000_000n
const namePattern = /^[^\s\p{C}]{1,50}$/u

export interface Viewers {
  /** Those the consent pages offer. */
  readonly offered: readonly KnownViewer[]
  /** The viewer of this name, made when it is new; undefined when it can be nobody's name. */
  named(name: string): KnownViewer | undefined
  withId(id: string): KnownViewer | undefined
}

/**
 * Names that nobody had before become viewers whose number follows from the name, on any machine.
 */
export function sandboxViewers(known: readonly KnownViewer[]): Viewers {
  const byLogin = new Map(known.map((viewer) => [viewer.login, viewer]))
  const byId = new Map(known.map((viewer) => [viewer.id, viewer]))
  return {
    offered: known,
    named(name) {
      const displayName = name.trim().normalize('NFC')
      if (!namePattern.test(displayName)) return undefined
      const login = displayName.toLowerCase()
      const existing = byLogin.get(login)
      if (existing !== undefined) return existing
      const number = numberOf(`viewer ${login}`)
      const viewer: KnownViewer = {
        id: String(idMin + (number % idCount)),
        login,
        displayName,
        avatar: avatarOf(number),
      }
      byLogin.set(login, viewer)
      byId.set(viewer.id, viewer)
      return viewer
    },
    withId: (id) => byId.get(id),
  }
}

/** One of the drawn animals, always the same for a number. */
export function avatarOf(number: bigint): string {
  return `/art/avatar-${animals[Number(number % BigInt(animals.length))]}.svg`
}

/** The Discord account of a viewer: a snowflake that follows from the name. */
export function discordIdOf(login: string): string {
  return String(snowflakeMin + (numberOf(`discord ${login}`) % snowflakeCount))
}

function numberOf(text: string): bigint {
  return createHash('sha256').update(text).digest().readBigUInt64BE()
}
