// The codes for a lost device, shown once.

import { Download } from 'lucide-react'
import { useState } from 'react'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/form/button.tsx'
import { CopyButton } from '../../ui/form/copy-button.tsx'
import { CheckboxField } from '../../ui/form/toggle-fields.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx'

export interface RecoveryCodesDialogProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

function saveText(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'recovery-codes.txt'
  link.click()
  window.setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Stays until the person says that the codes are kept. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const [isKept, setKept] = useState(false)
  const text = codes.join('\n')
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && isKept && onClose()}
      title="Recovery codes"
      description="Each of them signs you in once when the app is not at hand."
    >
      <Notice tone="warning">They are shown only now. Keep them where the password is not.</Notice>
      <Masked what="Recovery codes" isBlock>
        <ul className="my-4 grid list-none grid-cols-2 gap-2 p-0 font-mono">
          {codes.map((code) => (
            <li key={code} className="card px-3 py-2 text-center">
              {code}
            </li>
          ))}
        </ul>
      </Masked>
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <CopyButton text={text} label="Copy recovery codes" />
        <Button tone="secondary" onClick={() => saveText(`${text}\n`)}>
          <Download aria-hidden="true" />
          Save as a file
        </Button>
      </div>
      <CheckboxField label="I have kept these codes" isOn={isKept} onChange={setKept} />
      <DialogActions>
        <Button onClick={onClose} disabled={!isKept}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}
