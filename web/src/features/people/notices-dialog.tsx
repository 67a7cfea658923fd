// The notices of the last months in their dialog.

import { Dialog } from '../../ui/overlay/dialog.tsx'
import { NoticesList } from './notices-list.tsx'

export interface NoticesDialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}

export function NoticesDialog({ isOpen, onOpenChange }: NoticesDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Notices"
      description="What happened to your prizes and rewards in the last 90 days"
    >
      <NoticesList onLeave={() => onOpenChange(false)} />
    </Dialog>
  )
}
