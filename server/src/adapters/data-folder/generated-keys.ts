// Generated secrets: made once and kept in the data folder, readable by its owner only.

import { createECDH } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hexKey, webKey } from '../../config/setting-kinds.ts'
import { syncPath } from '../db/embedded.ts'
import type { Random } from '../random/random.ts'
import { refusalOf, UnusableFolder } from './data-folder.ts'

const encryptionKeyFile = 'encryption.key'
const logKeyFile = 'log-signing.key'
const pushKeyFile = 'vapid.key'
const localPasswordFile = 'local-admin-password'
const keyBytes = 32
/** Of anything else a part would be read, or nothing, and be a key that others can guess. */
const hexText = { form: hexKey, words: '64 hexadecimal digits' }
const webText = { form: webKey, words: '43 characters of base64url' }
const anyText = { form: /./, words: 'a password' }
/** 18 bytes are 144 bits, 24 characters. */
const localPasswordBytes = 18

/** 32 bytes as 64 hexadecimal digits, for tokens and contact details at rest. */
export function generatedEncryptionKey(folder: string, random: Pick<Random, 'bytes'>): string {
  return keep(folder, encryptionKeyFile, hexText, () => random.bytes(keyBytes).toString('hex'))
}

/** 32 bytes as 64 hexadecimal digits: the seed of the key that signs the public log. */
export function generatedLogKey(folder: string, random: Pick<Random, 'bytes'>): string {
  return keep(folder, logKeyFile, hexText, () => random.bytes(keyBytes).toString('hex'))
}

/** 32 bytes as base64url, by which push services know the product. */
export function generatedPushKey(folder: string): string {
  return keep(folder, pushKeyFile, webText, () => {
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
  return read(join(folder, encryptionKeyFile), hexText)
}

/** The password of the local account in sandbox mode, and the file that keeps it. */
export function generatedLocalPassword(
  folder: string,
  random: Pick<Random, 'bytes'>,
): { readonly password: string; readonly file: string } {
  const password = keep(folder, localPasswordFile, anyText, () =>
    random.bytes(localPasswordBytes).toString('base64url'),
  )
  return { password, file: join(folder, localPasswordFile) }
}

interface Kind {
  readonly form: RegExp
  readonly words: string
}

/**
 * Reads the file or makes it, whole or not at all. Linking refuses an existing name, so of several
 * processes that share a folder all go on with the value of the first.
 */
function keep(folder: string, name: string, kind: Kind, make: () => string): string {
  const file = join(folder, name)
  const kept = read(file, kind)
  if (kept !== undefined) return kept
  const temporary = `${file}.${process.pid}`
  try {
    writeFileSync(temporary, `${make()}\n`, { mode: 0o600 })
    syncPath(temporary)
    linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new UnusableFolder(`The file ${file} cannot be made: ${refusalOf(error) ?? error}`)
    }
  } finally {
    rmSync(temporary, { force: true })
  }
  syncPath(folder)
  const made = read(file, kind)
  if (made === undefined) throw new Error(`The file ${file} is empty`)
  return made
}

/** @throws with a line for the operator when the file holds something else */
function read(file: string, { form, words }: Kind): string | undefined {
  let value: string
  try {
    value = readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  if (value === '' || form.test(value)) return value || undefined
  throw new Error(`The file ${file} must hold ${words} and nothing else: bring back what it held`)
}
