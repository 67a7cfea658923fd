// The Solana wallet: connected through the Phantom extension or by typing its address.

import { type Profile, usersContract } from '@redpack/contract'
import { Ghost, Pencil, Unlink, Wallet } from 'lucide-react'
import { useRef, useState } from 'react'
import { logFailure } from '../../lib/log.ts'
import { useCall } from '../../lib/use-call.ts'
import { toastError } from '../../ui/feedback/outcome.ts'
import { Badge } from '../../ui/feedback/state.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Button } from '../../ui/form/button.tsx'
import { CopyButton } from '../../ui/form/copy-button.tsx'
import { TextField, verbatim } from '../../ui/form/text-field.tsx'
import { Card, CardHeader } from '../../ui/layout/section.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { useQuestion } from '../../ui/overlay/question.tsx'
import { profileQuery } from './use-profile-form.ts'
import {
  isUnlikelyAddress,
  shortAddress,
  walletHint,
  walletProblem,
  walletProblems,
} from './wallet-address.ts'
import { findPhantom, isDeclined, presentPhantom, WalletProof } from './wallet-proof.tsx'

/** How the wallet came to its state during this visit; unknown for one connected earlier. */
type Origin = 'extension' | 'manual' | 'disconnected' | undefined

export function WalletCard({ profile }: { readonly profile: Profile }) {
  const address = profile.solanaWallet
  const [origin, setOrigin] = useState<Origin>()
  const [isChanging, setChanging] = useState(false)
  const update = useCall(usersContract.updateWallet, profileQuery.queryKey)
  const card = useRef<HTMLDivElement>(null)

  const save = (next: string | null, from: Origin) =>
    update.mutate(
      { body: { walletAddress: next } },
      {
        onSuccess: () => {
          // What was pressed goes away with the state it belonged to; the focus stays on the card.
          card.current?.focus()
          setOrigin(from)
          setChanging(false)
          toast({ title: 'Success', description: successText(address, next) })
        },
        onError: (error) => toastError(error, 'Failed to update wallet'),
      },
    )
  const disconnect = () => {
    // The extension forgets this site too; the address is gone either way.
    presentPhantom()
      ?.disconnect?.()
      .catch(() => undefined)
    save(null, 'disconnected')
  }
  return (
    <Card ref={card} role="group" aria-label="Solana Wallet" tabIndex={-1}>
      <CardHeader
        title="Solana Wallet"
        icon={Wallet}
        action={<WalletState address={address} origin={origin} />}
      />
      {address !== null && (
        <Connected
          address={address}
          isPending={update.isPending}
          isChanging={isChanging}
          onChange={() => setChanging(!isChanging)}
          onDisconnect={disconnect}
        />
      )}
      {address !== null && !isChanging && <WalletProof address={address} />}
      {(address === null || isChanging) && (
        <div className="grid grid-cols-1 gap-4">
          {address === null && (
            <p className="text-muted">Connect your Solana wallet to your profile.</p>
          )}
          <PhantomConnect
            isPending={update.isPending}
            onAddress={(next) => save(next, 'extension')}
          />
          <WalletAddressForm
            action={address === null ? 'Connect' : 'Update'}
            isPending={update.isPending}
            onAddress={(next) => save(next, 'manual')}
          />
        </div>
      )}
    </Card>
  )
}

function successText(before: string | null, after: string | null): string {
  if (after === null) return 'Wallet disconnected successfully!'
  return before === null ? 'Wallet connected successfully!' : 'Wallet updated successfully!'
}

function WalletState({ address, origin }: { address: string | null; origin: Origin }) {
  if (address === null) {
    return <Badge tone="idle">{origin === 'disconnected' ? 'Disconnected' : 'Not connected'}</Badge>
  }
  return (
    <Badge tone="success">{origin === 'extension' ? 'Connected with Phantom' : 'Connected'}</Badge>
  )
}

interface ConnectedProps {
  readonly address: string
  readonly isPending: boolean
  readonly isChanging: boolean
  readonly onChange: () => void
  readonly onDisconnect: () => void
}

function Connected({ address, isPending, isChanging, onChange, onDisconnect }: ConnectedProps) {
  return (
    <>
      <div className="mb-4 flex min-h-11 items-center justify-between gap-2 rounded-control border border-line bg-page ps-3">
        <Masked what="Wallet address">
          <span className="flex min-w-0 flex-1 items-center justify-between gap-2">
            <code title={address} className="min-w-0 truncate text-sm">
              <span aria-hidden="true">{shortAddress(address)}</span>
              <span className="sr-only">{address}</span>
            </code>
            <CopyButton
              text={address}
              label="Copy wallet address"
              onCopied={() =>
                toast({ title: 'Copied', description: 'Wallet address copied to clipboard!' })
              }
            />
          </span>
        </Masked>
      </div>
      <div className={isChanging ? 'mb-6 flex flex-wrap gap-3' : 'flex flex-wrap gap-3'}>
        <Button icon={Pencil} tone="secondary" onClick={onChange} aria-expanded={isChanging}>
          {isChanging ? 'Cancel' : 'Update Wallet'}
        </Button>
        <Button icon={Unlink} tone="secondary" onClick={onDisconnect} disabled={isPending}>
          Disconnect
        </Button>
      </div>
    </>
  )
}

interface PhantomConnectProps {
  readonly isPending: boolean
  readonly onAddress: (address: string) => void
}

const notFound = {
  title: 'Phantom Wallet Not Found',
  description: 'Please install Phantom wallet extension to connect automatically.',
  variant: 'destructive',
} as const

const failed = {
  title: 'Connection Failed',
  description: 'Failed to connect to Phantom wallet. Please try again.',
} as const

function PhantomConnect({ isPending, onAddress }: PhantomConnectProps) {
  const [step, setStep] = useState<'idle' | 'looking' | 'asking'>('idle')

  const connect = async () => {
    setStep('looking')
    const provider = await findPhantom()
    if (!provider) {
      setStep('idle')
      toast(notFound)
      return
    }
    setStep('asking')
    try {
      const { publicKey } = await provider.connect()
      onAddress(publicKey.toString())
    } catch (error) {
      logFailure('Phantom did not connect', error)
      // Declining is an answer of the person's own: said, but not in alarm.
      toast({ ...failed, variant: isDeclined(error) ? 'default' : 'destructive' })
    } finally {
      setStep('idle')
    }
  }
  return (
    <Button
      tone="secondary"
      onClick={connect}
      icon={Ghost}
      isPending={step !== 'idle'}
      disabled={isPending}
      className="justify-self-start"
    >
      {step === 'idle' && 'Connect with Phantom'}
      {step === 'looking' && 'Looking for Phantom...'}
      {step === 'asking' && 'Waiting for Phantom...'}
    </Button>
  )
}

// Typing a wallet address: checked before it is sent, with a hint at what looks wrong.
interface WalletAddressFormProps extends PhantomConnectProps {
  readonly action: 'Connect' | 'Update'
}

function WalletAddressForm({ action, isPending, onAddress }: WalletAddressFormProps) {
  const [typed, setTyped] = useState('')
  const [isChecked, setChecked] = useState(false)
  const [ask, question] = useQuestion(() => ({
    title: 'Unusual address',
    description: 'This does not look like a Solana address. Connect it anyway?',
    confirmLabel: action,
    tone: 'primary',
    onConfirm: () => onAddress(typed),
  }))

  const submit = () => {
    if (isPending) return
    const problem = walletProblem(typed)
    if (problem === undefined) {
      if (isUnlikelyAddress(typed)) ask()
      else onAddress(typed)
      return
    }
    setChecked(true)
    toast({ ...walletProblems[problem], variant: 'destructive' })
  }
  return (
    <>
      <TextField
        label="Wallet address"
        hint="Paste or type the address, 32 to 44 characters."
        value={typed}
        // Addresses hold no white space; a pasted one often brings some along.
        onChange={(event) => setTyped(event.target.value.trim())}
        onBlur={() => setChecked(typed !== '')}
        onKeyDown={(event) => {
          // A disabled button would keep Enter from doing anything, so a blank field could not be
          // named.
          if (event.key === 'Enter') submit()
        }}
        error={isChecked ? walletHint(typed) : undefined}
        {...verbatim}
        className="font-mono text-sm"
        end={
          <Button tone="secondary" onClick={submit} isPending={isPending} disabled={typed === ''}>
            {action}
          </Button>
        }
      />
      {question}
    </>
  )
}
