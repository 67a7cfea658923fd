// Proving that the connected wallet is the player's own: a signature, which moves and costs
// nothing.

import { BadgeCheck, PenLine } from 'lucide-react'
import { useState } from 'react'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { formatLongDate } from '../../lib/format.ts'
import { logFailure } from '../../lib/log.ts'
import { streamerMode } from '../../lib/streamer-mode.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Button } from '../../ui/form/button.tsx'
import { isDeclined } from './phantom.ts'
import { findSigningWallets, type SigningWallet } from './signing-wallets.ts'
import { isUnlikelyAddress, shortAddress } from './wallet-address.ts'
import { OtherAddress, useProveWallet, useWalletStatus } from './wallet-proof-queries.ts'

/** Says that the wallet is proven, or offers to prove it. Nothing while that is not known. */
export function WalletProof({ address }: { readonly address: string }) {
  const { data } = useWalletStatus()
  if (data?.walletAddress !== address || isUnlikelyAddress(address)) return null
  if (data.verifiedAt !== null) {
    return (
      <p className="mt-4 flex items-start gap-2 text-sm text-muted">
        <BadgeCheck aria-hidden="true" className="size-5 flex-none text-success" />
        <span>
          <strong className="text-success">Verified.</strong> You proved on{' '}
          {formatLongDate(data.verifiedAt)} that this wallet is yours.
        </span>
      </p>
    )
  }
  return <ProveWallet address={address} />
}

function ProveWallet({ address }: { readonly address: string }) {
  const prove = useProveWallet(address)
  const [choices, setChoices] = useState<readonly SigningWallet[]>([])
  const [isLooking, setLooking] = useState(false)

  const proveWith = (wallet: SigningWallet) =>
    prove.mutate(wallet, {
      onSuccess: () => {
        setChoices([])
        toast({ title: 'Wallet Verified', description: 'This wallet is proven to be yours.' })
      },
      onError: (error) => toastFailure(error),
    })
  const look = async () => {
    setLooking(true)
    const wallets = await findSigningWallets()
    setLooking(false)
    const [only] = wallets
    if (!only) toast(noWallet)
    else if (wallets.length === 1) proveWith(only)
    else setChoices(wallets)
  }
  const isBusy = isLooking || prove.isPending
  return (
    <div className="mt-4 border-t border-line pt-4">
      <p className="text-sm text-muted">
        Not verified yet. Sign a message with your wallet to prove that it is yours. Nothing is
        moved, and nothing is paid.
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        {choices.length === 0 && (
          <Button tone="secondary" onClick={look} isPending={isBusy}>
            {!isBusy && <PenLine aria-hidden="true" />}
            {isBusy ? 'Waiting for your wallet...' : 'Verify ownership'}
          </Button>
        )}
        {choices.map((wallet) => (
          <Button
            key={wallet.name}
            tone="secondary"
            onClick={() => proveWith(wallet)}
            disabled={isBusy}
          >
            <PenLine aria-hidden="true" />
            Sign with {wallet.name}
          </Button>
        ))}
      </div>
    </div>
  )
}

const noWallet = {
  title: 'No Wallet Found',
  description: 'No wallet that can sign messages was found in this browser.',
  variant: 'destructive',
} as const

function toastFailure(error: unknown): void {
  if (error instanceof OtherAddress) {
    toast({
      title: 'Another Wallet',
      description: `Your wallet holds ${streamerMode.isOn() ? 'another address' : shortAddress(error.address)}. Switch its account, or update the address here.`,
      variant: 'destructive',
    })
    return
  }
  if (isDeclined(error)) {
    toast({
      title: 'Not Signed',
      description: 'The message was not signed. Try whenever you like.',
    })
    return
  }
  if (!(error instanceof ApiError)) logFailure('The wallet could not be verified', error)
  toast({
    title: 'Verification Failed',
    description: messageOf(error, 'The wallet could not be verified'),
    variant: 'destructive',
  })
}
