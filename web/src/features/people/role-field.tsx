// The role of a user: a dropdown, or why there is none.

import { type AdminUser, type Role, roles } from '@redpack/contract'
import { Lock } from 'lucide-react'
import { Badge } from '../../ui/feedback/badge.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { isShutToChanges, protectedWords, roleNames } from './user-words.ts'

/** Where roles are strict, who is no super user sees the role and cannot choose it. */
function choicesOf(mayChangeSuperUsers: boolean) {
  return roles.map((value) => ({
    value,
    label: roleNames[value],
    isDisabled: value === 'super_user' && !mayChangeSuperUsers,
  }))
}

export interface RoleFieldProps {
  readonly user: AdminUser
  /** True for the person's own row, which says so. */
  readonly isOwn: boolean
  /** False where only super users make super users, and the person is none. */
  readonly mayChangeSuperUsers: boolean
  readonly onChange: (role: Role) => void
}

export function RoleField({ user, isOwn, mayChangeSuperUsers, onChange }: RoleFieldProps) {
  if (isShutToChanges(user)) {
    return (
      <span className="inline-flex flex-wrap gap-1.5">
        <Badge tone="accent">{protectedWords.role}</Badge>
        <Badge tone="warning" icon={<Lock aria-hidden="true" />}>
          {protectedWords.lock}
        </Badge>
      </span>
    )
  }
  if (user.role === 'super_user' && !mayChangeSuperUsers) {
    return (
      <span className="block whitespace-nowrap">
        {roleNames[user.role]}
        <span className="block text-sm text-muted">Only a super user changes this</span>
      </span>
    )
  }
  return (
    <span className="flex items-center gap-2">
      <SelectField
        label={`Role of ${user.displayName}`}
        isLabelHidden
        choices={choicesOf(mayChangeSuperUsers)}
        value={user.role}
        onChange={(event) => onChange(event.target.value as Role)}
        className="min-w-32 ps-2.5 pe-8 text-sm"
      />
      {isOwn && <span className="text-sm text-muted">(you)</span>}
    </span>
  )
}
