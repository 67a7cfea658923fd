// The role of a user: a dropdown, or why there is none.

import { type AdminUser, type Role, roles } from '@redpack/contract'
import { Lock } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { isShutToChanges, protectedWords, roleNames } from './user-words.ts'

const choices = roles.map((value) => ({ value, label: roleNames[value] }))

export interface RoleFieldProps {
  readonly user: AdminUser
  /** True for the person's own row: the server refuses it, so nothing is offered. */
  readonly isOwn: boolean
  readonly onChange: (role: Role) => void
}

export function RoleField({ user, isOwn, onChange }: RoleFieldProps) {
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
  if (isOwn) {
    return (
      <span className="whitespace-nowrap">
        {roleNames[user.role]} <span className="text-sm text-muted">(you)</span>
      </span>
    )
  }
  return (
    <SelectField
      label={`Role of ${user.displayName}`}
      isLabelHidden
      choices={choices}
      value={user.role}
      onChange={(event) => onChange(event.target.value as Role)}
      className="min-w-32 ps-2.5 pe-8 text-sm"
    />
  )
}
