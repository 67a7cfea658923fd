// The way from a list to what was deleted from it.

import { Undo2 } from 'lucide-react'
import { LinkButton } from '../../../ui/form/link-button.tsx'

export interface DeletedLinkProps {
  /** Under which the audit log keeps the deletions, for example `prize.delete`. */
  readonly action: string
  readonly children: string
}

/** Leads to the audit log, where each deletion can be undone. */
export function DeletedLink({ action, children }: DeletedLinkProps) {
  return (
    <LinkButton
      icon={Undo2}
      to="."
      search={{ tab: 'audit', action }}
      tone="faint"
      className="justify-self-start"
    >
      {children}
    </LinkButton>
  )
}
