// What a role lets staff do, as the panel asks before it offers something.

import type { StaffPowers } from '@redpack/contract'
import { mayActOnEverybody, mayChangeRole, type Role } from '../../rules/roles.ts'

export function powersOf(role: Role, isStrict: boolean): StaffPowers {
  return {
    mayActOnEverybody: mayActOnEverybody(role, isStrict),
    mayChangeSuperUsers: mayChangeRole(role, 'user', 'super_user', isStrict),
  }
}
