// Secrets that nobody has chosen: made once, kept in the data folder, readable by its owner alone.

import { createECDH } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncPath } from '../db/embedded.ts'
import type { Random } from '../random/random.ts'

const encryptionKeyFile = 'encryption.key'
const logKeyFile = 'log-signing.key'
const pushKeyFile = 'vapid.key'
const localPasswordFile = 'local-admin-password'
const keyBytes = 32
/** 18 bytes are 144 bits, 24 characters. */
const localPasswordBytes = 18

/** 32 bytes as 64 hexadecimal digits, for tokens and contact details at rest. */
export function generatedEncryptionKey(folder: string, random: Pick<Random, 'bytes'>): string {
  return keep(folder, encryptionKeyFile, () => random.bytes(keyBytes).toString('hex'))
}

/** 32 bytes as 64 hexadecimal digits: the seed of the key that signs the public log. */
export function generatedLogKey(folder: string, random: Pick<Random, 'bytes'>): string {
  return keep(folder, logKeyFile, () => random.bytes(keyBytes).toString('hex'))
}

/** 32 bytes as base64url, by which push services know the product. */
export function generatedPushKey(folder: string): string {
  return keep(folder, pushKeyFile, () => {
    const pair = createECDH('prime256v1')
    pair.generateKeys()
    // Leading zeros are left out otherwise.
    return Buffer.from(pair.getPrivateKey('hex').padStart(keyBytes * 2, '0'), 'hex').toString(
      'base64url',
    )
  })
}

/** The key that was generated into the folder earlier, undefined when there is none. */
export function keptEncryptionKey(folder: string): string | undefined {
  return read(join(folder, encryptionKeyFile))
}

/** The password of the local account in sandbox mode, and the file that keeps it. */
export function generatedLocalPassword(
  folder: string,
  random: Pick<Random, 'bytes'>,
): { readonly password: string; readonly file: string } {
  const password = keep(folder, localPasswordFile, () =>
    random.bytes(localPasswordBytes).toString('base64url'),
  )
  return { password, file: join(folder, localPasswordFile) }
}

/**
 * Reads the file or makes it, whole or not at all. Linking refuses an existing name, so of several
 * processes that share a folder all go on with the value of the first.
 */
function keep(folder: string, name: string, make: () => string): string {
  const file = join(folder, name)
  const kept = read(file)
  if (kept !== undefined) return kept
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, `${make()}\n`, { mode: 0o600 })
  syncPath(temporary)
  try {
    linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  syncPath(folder)
  const made = read(file)
  if (made === undefined) throw new Error(`The file ${file} is empty`)
  return made
}

function read(file: string): string | undefined {
  try {
    const value = readFileSync(file, 'utf8').trim()
    return value === '' ? undefined : value
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
