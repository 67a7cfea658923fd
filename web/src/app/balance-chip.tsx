// The balance in the bar: counts to a new value, and has the final one read out when no dialog is
// open.

import { useEffect, useRef } from 'react'
import { useShownBalance } from '../features/session/queries.ts'
import { formatRedCoin } from '../lib/format.ts'
import { useStreamerMode } from '../lib/streamer-mode.ts'
import { useDialogOpen } from '../ui/dialog-shell.ts'
import { announce } from '../ui/live-region.tsx'
import { Masked } from '../ui/masked.tsx'
import { RollingNumber } from '../ui/rolling-number.tsx'

/** An answered opening has its dialog on screen by then, in milliseconds. */
const announcementDelayMs = 300

export function BalanceChip() {
  const balance = useShownBalance()
  const isDialogOpen = useDialogOpen()
  const isMasked = useStreamerMode()
  const known = useRef(balance)
  useEffect(() => {
    // A reveal comes before the balance that it leads to.
    if (isDialogOpen || known.current === balance) return
    const timer = window.setTimeout(() => {
      known.current = balance
      announce(isMasked ? 'Your balance has changed' : `Your balance is ${formatRedCoin(balance)}`)
    }, announcementDelayMs)
    return () => window.clearTimeout(timer)
  }, [balance, isDialogOpen, isMasked])
  return (
    <p className="flex min-h-9 min-w-0 items-center gap-1.5 rounded-[1.125rem] border border-line bg-raised px-2.5 font-display text-sm leading-4 font-bold sm:whitespace-nowrap sm:px-3">
      <img
        src="/art/redcoin.svg"
        alt=""
        width={20}
        height={20}
        className="size-5 max-[22.5rem]:hidden"
      />
      <span className="min-w-0 text-center">
        <Masked what="Balance" className="leading-4 max-sm:[&>svg]:hidden">
          <RollingNumber value={balance} />
        </Masked>{' '}
        RedCoin
      </span>
    </p>
  )
}
