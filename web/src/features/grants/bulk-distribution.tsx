// Bulk Distribution: files of packs and of RedCoin, what was done before, the same for everyone.

import { useSearchValue } from '../../lib/search-value.ts'
import { BatchDialog } from './batch-dialog.tsx'
import { BatchesList } from './batches-list.tsx'
import { BulkFileCard } from './bulk-file-card.tsx'
import { GrantToAll } from './grant-to-all.tsx'

export function BulkDistribution() {
  const [open, setOpen] = useSearchValue('batch', 'push')
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <BulkFileCard kind="packs" onOpenBatch={setOpen} />
        <BulkFileCard kind="redcoin" onOpenBatch={setOpen} />
      </div>
      <BatchesList onOpen={setOpen} />
      <GrantToAll />
      {open !== '' && <BatchDialog id={open} onClose={() => setOpen('')} onOpen={setOpen} />}
    </div>
  )
}
