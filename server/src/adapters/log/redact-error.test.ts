// What may be told of an error, and what may not.

import { describe, expect, it } from 'vitest'
import { embeddedTestDatabase } from '../../../test/test-database.ts'
import { TwitchFault } from '../../shared/far-side-faults.ts'
import { statement } from '../db/database.ts'
import { describeError, redactError, withoutCredentials } from './redact-error.ts'

const canary = 'Kanarienvogel'

/** What the work throws, or else answers. */
async function caught(work: () => unknown): Promise<Error> {
  try {
    return (await work()) as Error
  } catch (error) {
    return error as Error
  }
}

describe('an error', () => {
  it.each<[string, () => unknown]>([
    ['JSON that cannot be read', () => JSON.parse(`"${canary}" "x"`)],
    ['an address that is none', () => new URL(`${canary} x`)],
    ['a number that is none', () => BigInt(canary)],
    ['a value that Node refuses', () => Buffer.alloc(canary as never)],
    ['a value in quotes', () => new Error(`The user "${canary}" is gone`)],
    ['an open quote', () => new Error(`The text "${canary}`)],
    ['an address', () => new Error(`No answer from https://u:${canary}@h/x?t=${canary}`)],
    ['a person', () => new Error(`No mail to ${canary}@example.org`)],
    ['a secret', () => new Error(`Not accepted: ${canary}0123456789abcdef`)],
    ['text that is no error', () => `${canary}`],
    ['a name', () => Object.assign(new Error('x'), { name: `${canary} !` })],
    ['a code', () => Object.assign(new Error('x'), { code: `${canary} !` })],
    ['a field', () => Object.assign(new Error('x'), { detail: canary, body: canary })],
    ['a cause', () => new Error('x', { cause: new SyntaxError(canary) })],
  ])('with %s does not tell it', async (_what, work) => {
    const error = await caught(work)
    expect(JSON.stringify(redactError(error, true))).not.toContain(canary)
    expect(describeError(error)).not.toContain(canary)
  })

  it('of our own says what it was made to say, with its causes', () => {
    const cause = new Error('Twitch answered 500', { cause: new Error('inner') })
    expect(
      redactError(new TwitchFault('unreachable', 'Twitch cannot be reached', { cause })),
    ).toEqual({
      type: 'TwitchFault',
      message: 'Twitch cannot be reached',
      cause: {
        type: 'Error',
        message: 'Twitch answered 500',
        cause: { type: 'Error', message: 'inner' },
      },
    })
  })

  it('keeps the frames from our folders on, and no path of the machine', async () => {
    const { stack = '' } = redactError(new Error('x'), true)
    expect(stack).toMatch(/^\S* ?\(?server\/src\/adapters\/log\/redact-error\.test\.ts:\d+/)
    expect(stack).not.toContain(process.cwd())
    expect(redactError(new Error('x'))).not.toHaveProperty('stack')
  })

  it('is told from wherever in the program it was thrown', async () => {
    const late = await new Promise<Error>((resolve) => {
      setTimeout(() => resolve(new Error('took too long\nto end')), 1)
    })
    expect(describeError(late)).toBe('took too long to end')
  })

  it('that goes round in circles has an end', () => {
    const error = new Error('round')
    error.cause = error
    expect(JSON.stringify(redactError(error)).length).toBeLessThan(500)
  })
})

describe('an error of the database', () => {
  it('names the constraint and no value', async () => {
    const db = await embeddedTestDatabase()
    const run = (name: string, text: string, values: unknown[]) =>
      caught(() => db.run(statement(`told_${name}`, text), values))
    const add =
      'INSERT INTO users (twitch_id, username, display_name, role) VALUES ($1, $1, $1, $2)'
    await db.run(statement('told_first', add), [canary, 'user'])
    const failures = {
      unique: await run('unique', add, [canary, 'user']),
      check: await run('check', add, [`${canary}2`, canary]),
      text: await run('text', 'SELECT $1::text::int', [canary]),
      table: await run('table', 'SELECT * FROM nowhere WHERE $1::text = $1', [canary]),
      raised: await run('raised', `SELECT 1 / length(left($1, 0))`, [canary]),
    }
    expect(failures.unique.message + JSON.stringify(failures.unique)).toContain(canary)
    for (const error of Object.values(failures)) {
      expect(JSON.stringify(redactError(error, true))).not.toContain(canary)
    }
    expect(redactError(failures.unique)).toMatchObject({ code: '23505', table: 'users' })
    expect(redactError(failures.unique).constraint).toMatch(/^users_\w+$/)
    expect(redactError(failures.table)).toMatchObject({ code: '42P01' })
    await db.close()
  }, 60_000)
})

it('an address in a sentence loses its user and password', () => {
  expect(withoutCredentials('at postgres://me:se@cret@host:5432/db and redis://:x@h')).toBe(
    'at postgres://…@host:5432/db and redis://…@h',
  )
})
