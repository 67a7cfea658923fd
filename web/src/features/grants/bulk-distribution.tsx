// Bulk Distribution: files of packs and of RedCoin, the same for everyone, what was done before.

import { useNavigate } from '@tanstack/react-router'
import { useSearchValue } from '../../lib/search-value.ts'
import { BatchDialog } from './batch-dialog.tsx'
import { BatchesList } from './batches-list.tsx'
import { BulkFileCard } from './bulk-file-card.tsx'
import { GrantToAll } from './grant-to-all.tsx'

/** The batch whose receipt is open, in the address; what was shown of another one is forgotten. */
function useOpenBatch(): [open: string, setOpen: (id: string) => void] {
  const [open] = useSearchValue('batch')
  const navigate = useNavigate()
  const setOpen = (id: string) => {
    navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({
        ...before,
        batch: id || undefined,
        rows: undefined,
        rowPage: undefined,
      }),
      replace: id === '',
      resetScroll: false,
    }).catch(() => undefined)
  }
  return [open, setOpen]
}

export function BulkDistribution() {
  const [open, setOpen] = useOpenBatch()
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <BulkFileCard kind="packs" onOpenBatch={setOpen} />
        <BulkFileCard kind="redcoin" onOpenBatch={setOpen} />
      </div>
      <GrantToAll />
      <BatchesList onOpen={setOpen} />
      {open !== '' && <BatchDialog id={open} onClose={() => setOpen('')} onOpen={setOpen} />}
    </div>
  )
}
