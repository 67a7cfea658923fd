// The Solana wallet: connected through the Phantom extension or by typing its address.

import { type Profile, usersContract } from '@redpack/contract'
import { Pencil, Unlink, Wallet } from 'lucide-react'
import { useRef, useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { useCall } from '../../lib/use-call.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Button } from '../../ui/form/button.tsx'
import { CopyButton } from '../../ui/form/copy-button.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { presentPhantom } from './phantom.ts'
import { PhantomConnect } from './phantom-connect.tsx'
import { profileQuery } from './profile-queries.ts'
import { shortAddress } from './wallet-address.ts'
import { WalletAddressForm } from './wallet-address-form.tsx'
import { WalletProof } from './wallet-proof.tsx'

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
        onError: (error) =>
          toast({
            title: 'Error',
            description: messageOf(error, 'Failed to update wallet'),
            variant: 'destructive',
          }),
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
            <p className="text-muted">Link your Solana wallet with your profile.</p>
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
        <Button tone="secondary" onClick={onChange} aria-expanded={isChanging}>
          {!isChanging && <Pencil aria-hidden="true" />}
          {isChanging ? 'Cancel' : 'Update Wallet'}
        </Button>
        <Button tone="secondary" onClick={onDisconnect} disabled={isPending}>
          <Unlink aria-hidden="true" />
          Disconnect
        </Button>
      </div>
    </>
  )
}
