import { describe, expect, it } from 'vitest'
import { databaseAddresses, hostOf } from './postgres-addresses.ts'

describe('the address of a database', () => {
  it.each([
    ['postgres://h/db', ['postgres://h/db']],
    ['postgresql://u:p%40@[::1]:6432/db', ['postgresql://u:p%40@[::1]:6432/db']],
    [
      'postgres://u:p@h1:1,h2:2/db?sslmode=verify-full&target_session_attrs=read-write',
      ['postgres://u:p@h1:1/db?sslmode=verify-full', 'postgres://u:p@h2:2/db?sslmode=verify-full'],
    ],
    ['postgres://h/db?sslmode=require', ['postgres://h/db?sslmode=verify-full']],
    [
      'postgres://h/db?uselibpqcompat=true&sslmode=require',
      ['postgres://h/db?uselibpqcompat=true&sslmode=require'],
    ],
    ['postgres:///db?host=/run/postgresql', ['postgres:///db?host=/run/postgresql']],
    ['postgres://a,b,c', ['postgres://a', 'postgres://b', 'postgres://c']],
  ])('%s', (url, addresses) => {
    expect(databaseAddresses(url)).toEqual(addresses)
  })

  it.each([
    'mysql://h/db',
    'postgres://h1,,h2/db',
    'postgres://h:port/db',
    'postgres://h1,h2/db?target_session_attrs=standby',
  ])('%s is refused', (url) => {
    expect(databaseAddresses(url)).toBeUndefined()
  })

  it('is shown without its password', () => {
    expect(hostOf('postgres://u:secret@h:5432/db')).toBe('h:5432')
    expect(hostOf('postgres:///db?host=/run/postgresql&password=secret')).toBe('/run/postgresql')
  })
})
