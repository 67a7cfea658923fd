// The Security tab: the second factor of the local account.

import {
  type RecoveryCodes,
  type SecondFactorStatus,
  secondFactorContract,
} from '@redpack/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, ShieldCheck, ShieldOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDateTime, plural } from '../../lib/format.ts'
import { saveText } from '../../lib/save-file.ts'
import { useCall } from '../../lib/use-call.ts'
import { toastDone } from '../../ui/feedback/outcome.ts'
import { Badge, DataState, Notice } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { CopyButton } from '../../ui/form/copy-button.tsx'
import { CheckboxField } from '../../ui/form/toggle-fields.tsx'
import { Card, CardHeader, PanelHeader } from '../../ui/layout/section.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { QrCode } from '../../ui/media/qr-code.tsx'
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx'
import { useIsStaff } from '../session/queries.ts'
import { CodeForm } from './code-form.tsx'

/** Below this many recovery codes left, the card says so. */
const fewCodes = 3

export function SecurityPanel() {
  const secondFactor = useEndpoint(secondFactorContract.status, {
    shows: ['second_factor'],
    enabled: useIsStaff(),
  })
  return (
    <section aria-labelledby="security-title" className="min-w-0">
      <PanelHeader id="security-title" title="Security" className="mb-4" />
      <DataState
        query={secondFactor}
        what="security"
        title="Error loading the second factor"
        skeleton="h-48 w-full"
        isOnPage
        isBrief
      >
        {(status) => <SecondFactorCard status={status} />}
      </DataState>
    </section>
  )
}

type Step = 'rest' | 'enrol' | 'renew' | 'turn-off'

function SecondFactorCard({ status }: { readonly status: SecondFactorStatus }) {
  const [step, setStep] = useState<Step>('rest')
  const queryClient = useQueryClient()
  const { data: made } = useQuery<RecoveryCodes | null>({
    queryKey: recoveryCodesKey,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const rest = () => setStep('rest')
  const card = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    // What was pressed is gone; the dialog of the other step takes the focus itself.
    if (step !== 'enrol') (card.current?.querySelector('input') ?? card.current)?.focus()
  }, [step])
  return (
    <Card ref={card} tabIndex={-1} className="max-w-2xl">
      <CardHeader
        level={3}
        title="Second factor"
        description="Asks for a code from an authenticator app after your password."
        action={<StatusBadge status={status} />}
      />
      {!status.isAvailable && (
        <Notice tone="info">
          You sign in with Twitch, which has a second factor of its own. Only the local account can
          be secured here.
        </Notice>
      )}
      {status.isAvailable && !status.isEnabled && (
        <Button icon={ShieldCheck} onClick={() => setStep('enrol')}>
          Set up
        </Button>
      )}
      {status.isEnabled && <EnabledPart status={status} step={step} onStep={setStep} />}
      {step === 'enrol' && <EnrolDialog onClose={rest} />}
      {made && (
        <RecoveryCodesDialog
          codes={made.recoveryCodes}
          onClose={() => queryClient.setQueryData(recoveryCodesKey, null)}
        />
      )}
    </Card>
  )
}

function StatusBadge({ status }: { readonly status: SecondFactorStatus }) {
  return status.isEnabled ? (
    <Badge tone="success" icon={<ShieldCheck />}>
      On
    </Badge>
  ) : (
    <Badge tone={status.isAvailable ? 'warning' : 'idle'} icon={<ShieldOff />}>
      Off
    </Badge>
  )
}

interface EnabledPartProps {
  readonly status: SecondFactorStatus
  readonly step: Step
  readonly onStep: (step: Step) => void
}

function EnabledPart({ status, step, onStep }: EnabledPartProps) {
  const renew = useCall(secondFactorContract.renewCodes, recoveryCodesKey)
  const turnOff = useCall(secondFactorContract.turnOff)
  const left = status.recoveryCodesLeft
  return (
    <div className="grid gap-4">
      <p>
        {status.enabledAt !== null && `On since ${formatDateTime(status.enabledAt)}. `}
        {plural(left, 'recovery code', 'recovery codes')} left.
      </p>
      {left < fewCodes && (
        <Notice tone="warning">Make new recovery codes before the last one is used.</Notice>
      )}
      {step === 'renew' && (
        <CodeForm
          submitLabel="Make new codes"
          isPending={renew.isPending}
          error={renew.error}
          onCancel={() => onStep('rest')}
          onSubmit={async (code) => {
            await renew.mutateAsync({ body: { code } })
            onStep('rest')
            toastDone('New recovery codes are made')
          }}
        />
      )}
      {step === 'turn-off' && (
        <CodeForm
          submitLabel="Turn off"
          isDanger
          hint="A recovery code works too."
          isPending={turnOff.isPending}
          error={turnOff.error}
          onCancel={() => onStep('rest')}
          onSubmit={async (code) => {
            await turnOff.mutateAsync({ body: { code } })
            onStep('rest')
            toastDone('The second factor is off')
          }}
        />
      )}
      {step === 'rest' && (
        <div className="flex flex-wrap gap-3">
          <Button tone="secondary" onClick={() => onStep('renew')}>
            New recovery codes
          </Button>
          <Button tone="danger" onClick={() => onStep('turn-off')}>
            Turn off
          </Button>
        </div>
      )}
    </div>
  )
}

interface RecoveryCodesDialogProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** Stays until the person says that the codes are kept. */
function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const [isKept, setKept] = useState(false)
  const text = codes.join('\n')
  return (
    <Dialog
      onOpenChange={(isOpen) => !isOpen && isKept && onClose()}
      title="Recovery codes"
      description="Each signs you in once without the app."
    >
      <Notice tone="warning">They are shown only once. Keep them apart from your password.</Notice>
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
        <Button
          icon={Download}
          tone="secondary"
          onClick={() => saveText('recovery-codes.txt', `${text}\n`, 'text/plain')}
        >
          Save as a file
        </Button>
      </div>
      <CheckboxField label="I have saved these codes" isOn={isKept} onChange={setKept} />
      <DialogActions>
        <Button onClick={onClose} disabled={!isKept}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Where new codes for a lost device wait to be shown, also while their card is off the screen. */
export const recoveryCodesKey = ['recovery-codes'] as const

export function EnrolDialog({ onClose }: { readonly onClose: () => void }) {
  const { mutate: enrol, data, error, isPending } = useCall(secondFactorContract.enrol)
  const confirm = useCall(secondFactorContract.confirm, recoveryCodesKey)
  useEffect(() => void enrol({}), [enrol])
  return (
    <Dialog
      onOpenChange={onClose}
      title="Set up the second factor"
      description="Scan the code with an authenticator app, then enter what it shows."
    >
      <DataState
        query={{ data, error, isFetching: isPending, refetch: async () => enrol({}) }}
        what="the secret"
        label="Creating a secret"
        skeleton="size-52"
        title="The second factor could not be set up"
        isBrief
      >
        {(data) => (
          <div className="grid gap-5">
            <Masked what="Secret" isBlock>
              <div className="grid gap-3">
                <QrCode text={data.otpauthUrl} label="QR code for your authenticator app" />
                <div>
                  <p className="text-sm text-muted">No camera? Type this secret into the app:</p>
                  <p className="flex items-center gap-2">
                    <code className="break-words font-mono">
                      {/* As people read it out. */}
                      {data.secret.match(/.{1,4}/g)?.join(' ')}
                    </code>
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
      </DataState>
    </Dialog>
  )
}
