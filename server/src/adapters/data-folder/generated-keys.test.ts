import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemRandom } from '../random/random.ts'
import { makeDataFolder, refusalOf } from './data-folder.ts'
import {
  generatedEncryptionKey,
  generatedLocalPassword,
  generatedLogKey,
  generatedPushKey,
  keptEncryptionKey,
} from './generated-keys.ts'
import { lastCheckpointIn } from './last-checkpoint.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'redpack-keys-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('generated secrets', () => {
  it('are made once and stay the same', () => {
    const key = generatedEncryptionKey(folder, systemRandom)
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(generatedEncryptionKey(folder, systemRandom)).toBe(key)
    const logKey = generatedLogKey(folder, systemRandom)
    expect(logKey).toMatch(/^[0-9a-f]{64}$/)
    expect(logKey).not.toBe(key)
    expect(generatedLogKey(folder, systemRandom)).toBe(logKey)
    const { password } = generatedLocalPassword(folder, systemRandom)
    expect(password.length).toBeGreaterThanOrEqual(15)
    expect(generatedLocalPassword(folder, systemRandom).password).toBe(password)
  })

  it.each([
    ['encryption.key', generatedEncryptionKey, '64 hexadecimal digits'],
    ['log-signing.key', generatedLogKey, '64 hexadecimal digits'],
    ['vapid.key', generatedPushKey, '43 characters of base64url'],
  ] as const)('are not taken from a file that holds something else: %s', (name, read, words) => {
    const file = join(folder, name)
    // As openssl prints another key, as a setting, and cut off.
    for (const text of ['q5xyzrTn8V0=', `ENCRYPTION_KEY=${'5e'.repeat(32)}`, 'ab'.repeat(20)]) {
      writeFileSync(file, text)
      expect(() => read(folder, systemRandom)).toThrow(`The file ${file} must hold ${words}`)
      expect(readFileSync(file, 'utf8')).toBe(text)
    }
    writeFileSync(join(folder, 'encryption.key'), 'zzz')
    expect(() => keptEncryptionKey(folder)).toThrow('must hold 64 hexadecimal digits')
  })

  it('can be read by their owner alone, and no temporary file is left', () => {
    generatedEncryptionKey(folder, systemRandom)
    const { file } = generatedLocalPassword(folder, systemRandom)
    expect(readdirSync(folder).sort()).toEqual(['encryption.key', 'local-admin-password'])
    expect(statSync(join(folder, 'encryption.key')).mode & 0o777).toBe(0o600)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

describe('what the file system refuses', () => {
  it('is told in words, also by the numbers of the engine', () => {
    const full = 'the disk is full'
    expect(refusalOf({ code: 'ENOSPC', syscall: 'write' })).toBe(full)
    expect(refusalOf({ name: 'ErrnoError', errno: 51 })).toBe(full)
    expect(refusalOf({ name: 'ErrnoError', errno: 7 })).toBe('error 7 of the file system')
    expect(refusalOf({ code: 'EIO', syscall: 'read' })).toBe('EIO')
    expect(refusalOf(Object.assign(new Error('x'), { code: '40001' }))).toBeUndefined()
    expect(() => generatedLogKey(join(folder, 'none'), systemRandom)).toThrow(
      `The file ${join(folder, 'none/log-signing.key')} cannot be made: the place does not exist`,
    )
  })
})

describe('the last checkpoint', () => {
  it('is remembered by the folder, whole, and replaced', () => {
    const memory = lastCheckpointIn(folder)
    expect(memory.read()).toBeUndefined()
    memory.keep('first\n')
    memory.keep('second\n')
    expect(lastCheckpointIn(folder).read()).toBe('second\n')
    expect(readdirSync(folder)).toEqual(['log-checkpoint'])
  })
})

describe('a data folder', () => {
  it('that cannot be made is refused with the reason', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => makeDataFolder(join(folder, 'file', 'inside'))).toThrow(
      'a part of the path is a file',
    )
    expect(() => makeDataFolder(join(folder, 'file'))).toThrow('it is a file')
  })

  it('is readable by its owner alone', () => {
    makeDataFolder(join(folder, 'new'))
    expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700)
  })
})
