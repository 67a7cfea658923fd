// The whole table of who may do what, written out: there are few enough roles.

import { describe, expect, it } from 'vitest'
import { isStaff, mayActOnEverybody, mayChangeRole, type Role, roles } from './roles.ts'

const everyChange = roles.flatMap((from) => roles.map((to) => ({ from, to })))

describe('staff', () => {
  it('are admins and super users', () => {
    expect(roles.filter((role) => isStaff(role))).toEqual(['admin', 'super_user'])
  })

  it('act on everybody, and only super users do where roles are strict', () => {
    const may = (isStrict: boolean) => roles.filter((role) => mayActOnEverybody(role, isStrict))
    expect(may(false)).toEqual(['admin', 'super_user'])
    expect(may(true)).toEqual(['super_user'])
  })
})

describe('a change of roles', () => {
  it.each([true, false])('is nothing for players, strict roles or not (%s)', (isStrict) => {
    for (const { from, to } of everyChange) {
      expect(mayChangeRole('user', from, to, isStrict)).toBe(false)
    }
  })

  it.each<[Role, boolean]>([
    ['admin', false],
    ['super_user', false],
    ['super_user', true],
  ])('is free for %s, strict: %s', (own, isStrict) => {
    for (const { from, to } of everyChange) {
      expect(mayChangeRole(own, from, to, isStrict)).toBe(true)
    }
  })

  it('leaves super users out of the reach of admins where roles are strict', () => {
    const may = everyChange.filter(({ from, to }) => mayChangeRole('admin', from, to, true))
    expect(may).toEqual([
      { from: 'user', to: 'user' },
      { from: 'user', to: 'admin' },
      { from: 'admin', to: 'user' },
      { from: 'admin', to: 'admin' },
    ])
  })
})
