// One line for many people, within the length of a chat message, and never a command.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chatMessageMax, composeMessage } from './bot.ts'

describe('a message', () => {
  it('names everybody it speaks to', () => {
    const say = (...names: string[]) => composeMessage('Well done {username}!', names).text
    expect(say('Ana')).toBe('Well done Ana!')
    expect(say('Ana', 'Ben')).toBe('Well done Ana and Ben!')
    expect(say('Ana', 'Ben', 'Cem')).toBe('Well done Ana, Ben and Cem!')
  })

  it('takes no sign of a name for one of its own', () => {
    expect(composeMessage('Well done {username}!', ['Ca$$h$&']).text).toBe('Well done Ca$$h$&!')
  })

  it('without a place for names is said once for all', () => {
    expect(composeMessage('Well done!', ['Ana', 'Ben'])).toEqual({ text: 'Well done!', count: 2 })
  })

  it('is no command, whatever the words or the name begin with', () => {
    expect(composeMessage('/ban {username}', ['ana']).text).toBe('ban ana')
    expect(composeMessage(' . / ./me {username}', ['ana']).text).toBe('me ana')
    expect(composeMessage('{username} won', ['/timeout']).text).toBe('timeout won')
    expect(composeMessage('a\r\n/ban {username}\u2028b', ['x\ny']).text).toBe('a /ban x y b')
  })

  it('leaves for the next one whom it has no room for', () => {
    const names = Array.from({ length: 60 }, (_, n) => `viewer_number_${n}`)
    const { text, count } = composeMessage('Thanks {username}', names)
    expect(text.length).toBeLessThanOrEqual(chatMessageMax)
    expect(count).toBeGreaterThan(20)
    expect(count).toBeLessThan(60)
    expect(text).toContain(` and viewer_number_${count - 1}`)
  })

  it('always fits, takes at least one name, and starts with neither / nor .', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 700 }),
        fc.array(fc.string({ unit: 'binary', maxLength: 30 }), { minLength: 1, maxLength: 40 }),
        fc.boolean(),
        (words, names, hasPlace) => {
          const { text, count } = composeMessage(hasPlace ? `${words}{username}` : words, names)
          expect(text.length).toBeLessThanOrEqual(chatMessageMax)
          expect(count).toBeGreaterThanOrEqual(1)
          expect(count).toBeLessThanOrEqual(names.length)
          expect(text).not.toMatch(/^[\s/.]|[\r\n]|[\uD800-\uDBFF]$/)
        },
      ),
    )
  })
})
