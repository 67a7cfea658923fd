import { describe, expect, it } from 'vitest'
import { inOrder, positional } from './database.ts'

describe('names in a statement', () => {
  it('get their numbers by first appearance, the same one wherever they stand', () => {
    expect(positional('SELECT :b::int, :a WHERE x = :b')).toEqual({
      text: 'SELECT $1::int, $2 WHERE x = $1',
      parameters: ['b', 'a'],
    })
  })

  it.each([
    "SELECT ':a', 'it''s :a'",
    'SELECT ":a"',
    "SELECT 1 -- not :a, or it's\n",
    'SELECT /* :a */ 1',
    'SELECT x::int[], (y)::text',
    'SELECT f(x := 1)',
    'SELECT a[1 : 2]',
    'SELECT $1::int',
    'DO $$ SELECT :a $$',
    'SELECT $tag$ $$ :a $tag$',
  ])('are none in %s', (text) => {
    expect(positional(text)).toEqual({ text, parameters: [] })
  })

  it.each(['SELECT :a, $1', 'SELECT $1, :a'])('are refused beside numbers in %s', (text) => {
    expect(() => positional(text)).toThrow('either names or numbers')
  })
})

describe('values of a statement', () => {
  const named = { name: 'some', parameters: ['b', 'a'] }

  it('follow the numbers of their names, and undefined and null stay', () => {
    expect(inOrder(named, { a: 1, b: null })).toEqual([null, 1])
    expect(inOrder(named, { a: undefined, b: 2 })).toEqual([2, undefined])
  })

  it('may stand beside others', () => {
    expect(inOrder(named, { a: 1, b: 2, c: 3 })).toEqual([2, 1])
  })

  it.each([[{ a: 1 }], [{ a: 1, c: 3 }], [[2, 1]]])('are refused when they are %j', (values) => {
    expect(() => inOrder(named, values)).toThrow('The statement some takes')
  })

  it('pass as they are where the text has numbers, and names are refused there', () => {
    const numbered = { name: 'some', parameters: [] }
    expect(inOrder(numbered, [2, 1])).toEqual([2, 1])
    expect(() => inOrder(numbered, { a: 1 })).toThrow('The statement some takes')
  })
})
