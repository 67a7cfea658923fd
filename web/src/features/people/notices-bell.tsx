// The bell in the bar: how much is unread, and the list behind it.

import { Bell } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatNumber, plural } from '../../lib/format.ts'
import { announce } from '../../ui/feedback/live-region.tsx'
import { IconButton } from '../../ui/form/icon-button.tsx'
import { lazyComponent, useLazy } from '../../ui/overlay/lazy-component.tsx'
import { useNotices } from './notice-queries.ts'
import type { NoticesDialogProps } from './notices-dialog.tsx'

/** More than this is shown as this and a plus. */
const shownMax = 9

const noticesDialog = lazyComponent<NoticesDialogProps>(
  async () => (await import('./notices-dialog.tsx')).NoticesDialog,
)

export function NoticesBell() {
  const { data } = useNotices()
  const [isOpen, setOpen] = useState(false)
  const NoticesDialog = useLazy(noticesDialog, isOpen, () => setOpen(false))
  const unread = data?.unreadCount ?? 0
  const known = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (data === undefined) return
    const before = known.current
    known.current = unread
    if (before !== undefined && unread > before) {
      announce(`${plural(unread - before, 'new notice', 'new notices')}`)
    }
  }, [data, unread])
  return (
    <>
      <IconButton
        {...noticesDialog.intent}
        label={unread === 0 ? 'Notices' : `Notices, ${formatNumber(unread)} unread`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
        className="relative flex-none"
      >
        <Bell aria-hidden="true" />
        {unread > 0 && (
          <span
            aria-hidden="true"
            className="absolute start-[1.625rem] top-1 grid h-4 min-w-4 place-items-center rounded-full bg-primary px-1 text-[0.6875rem] leading-none font-bold text-primary-label"
          >
            {unread > shownMax ? `${shownMax}+` : unread}
          </span>
        )}
      </IconButton>
      {NoticesDialog && <NoticesDialog isOpen={isOpen} onOpenChange={setOpen} />}
    </>
  )
}
