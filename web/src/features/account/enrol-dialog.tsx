// Sets the second factor up: scan the secret, prove it with a code.

import { secondFactorContract } from '@redpack/contract'
import { useEffect } from 'react'
import { useCall } from '../../lib/use-call.ts'
import { LoadError, Loading, Skeleton } from '../../ui/feedback/data-state.tsx'
import { toastDone } from '../../ui/feedback/outcome.ts'
import { CopyButton } from '../../ui/form/copy-button.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { QrCode } from '../../ui/media/qr-code.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { CodeForm } from './code-form.tsx'

/** Where new codes for a lost device wait to be shown, also while their card is off the screen. */
export const recoveryCodesKey = ['recovery-codes'] as const

/** Base32 in groups of four, as people read it out. */
export function groupedSecret(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? ''
}

export function EnrolDialog({ onClose }: { readonly onClose: () => void }) {
  const { mutate: enrol, data, error, isPending } = useCall(secondFactorContract.enrol)
  const confirm = useCall(secondFactorContract.confirm, recoveryCodesKey)
  useEffect(() => enrol({}), [enrol])
  return (
    <Dialog
      onOpenChange={onClose}
      title="Set up the second factor"
      description="Scan the code with an authenticator app, then enter what it shows."
    >
      {!data && !error && (
        <Loading label="Creating a secret">
          <Skeleton className="size-52" />
        </Loading>
      )}
      {error && (
        <LoadError
          title="The second factor could not be set up"
          error={error}
          onRetry={() => enrol({})}
          isRetrying={isPending}
        />
      )}
      {data && (
        <div className="grid gap-5">
          <Masked what="Secret" isBlock>
            <div className="grid gap-3">
              <QrCode text={data.otpauthUrl} label="QR code for your authenticator app" />
              <div>
                <p className="text-sm text-muted">No camera? Type this secret into the app:</p>
                <p className="flex items-center gap-2">
                  <code className="break-words font-mono">{groupedSecret(data.secret)}</code>
                  <CopyButton text={data.secret} label="Copy secret" />
                </p>
              </div>
            </div>
          </Masked>
          <CodeForm
            submitLabel="Turn on"
            isPending={confirm.isPending}
            error={confirm.error}
            onCancel={onClose}
            onSubmit={async (code) => {
              await confirm.mutateAsync({ body: { code } })
              toastDone('The second factor is on')
              onClose()
            }}
          />
        </div>
      )}
    </Dialog>
  )
}
