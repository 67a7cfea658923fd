import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { BadSettings, withSecretFiles } from './read-settings.ts'
import { refusedLines } from './refused-lines.fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'redpack-secrets-'))
const file = join(folder, 'key')
writeFileSync(file, ` ${'7c'.repeat(32)}\n`)
afterAll(() => rmSync(folder, { recursive: true }))

const linesOf = (environment: Record<string, string>) =>
  refusedLines(() => withSecretFiles(environment))

describe('secrets in files', () => {
  it('are read in place of settings, without the line end', () => {
    const environment = { PORT: '1', ENCRYPTION_KEY_FILE: file, ENCRYPTION_KEY: ' ' }
    expect(withSecretFiles(environment)).toMatchObject({
      PORT: '1',
      ENCRYPTION_KEY: '7c'.repeat(32),
    })
    expect(withSecretFiles({ LOG_SIGNING_KEY_FILE: ' ', PORT_FILE: file })).toEqual({
      LOG_SIGNING_KEY_FILE: ' ',
      PORT_FILE: file,
    })
  })

  it('are refused by name where they stand twice or cannot be read, and never shown', () => {
    const secret = 'a-secret-of-mine'
    const empty = join(folder, 'empty')
    writeFileSync(empty, ' \n')
    expect(
      linesOf({
        DATABASE_URL_FILE: join(folder, 'none'),
        METRICS_TOKEN_FILE: file,
        METRICS_TOKEN: secret,
        SMTP_URL_FILE: empty,
      }),
    ).toEqual([
      'DATABASE_URL_FILE names a file that cannot be read: ENOENT',
      'METRICS_TOKEN_FILE cannot be set together with METRICS_TOKEN',
      'SMTP_URL_FILE names an empty file',
    ])
    expect(() => withSecretFiles({ METRICS_TOKEN_FILE: folder })).toThrow(BadSettings)
  })
})
