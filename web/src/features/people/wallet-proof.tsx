// Proving that the connected wallet is the player's own: a signature, which moves and costs
// nothing.

import { walletProofContract } from '@redpack/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { BadgeCheck, PenLine } from 'lucide-react'
import { useState } from 'react'
import * as z from 'zod/mini'
import { call } from '../../lib/api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { formatMoment } from '../../lib/format.ts'
import { logFailure } from '../../lib/log.ts'
import { streamerMode } from '../../lib/streamer-mode.ts'
import { useAct } from '../../lib/use-call.ts'
import { toastError } from '../../ui/feedback/outcome.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Button } from '../../ui/form/button.tsx'
import { isUnlikelyAddress, shortAddress } from './wallet-address.ts'

/** Says that the wallet is proven, or offers to prove it. Nothing while that is not known. */
export function WalletProof({ address }: { readonly address: string }) {
  const { data } = useWalletStatus()
  if (data?.walletAddress !== address || isUnlikelyAddress(address)) return null
  if (data.verifiedAt !== null) {
    return (
      <p className="mt-4 flex items-start gap-2 text-sm text-muted">
        <BadgeCheck className="size-5 flex-none text-success" />
        <span>
          <strong className="text-success">Verified.</strong> You proved that this wallet is yours{' '}
          {formatMoment(data.verifiedAt)}.
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
          <Button
            icon={PenLine}
            pendingLabel="Waiting for your wallet..."
            tone="secondary"
            onClick={look}
            isPending={isBusy}
          >
            Verify ownership
          </Button>
        )}
        {choices.map((wallet) => (
          <Button
            icon={PenLine}
            key={wallet.name}
            tone="secondary"
            onClick={() => proveWith(wallet)}
            disabled={isBusy}
          >
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
      description: 'The message was not signed. You can try again anytime.',
    })
    return
  }
  if (!(error instanceof ApiError)) logFailure('The wallet could not be verified', error)
  toastError(error, 'The wallet could not be verified', { title: 'Verification Failed' })
}

const walletQuery = endpointQuery(walletProofContract.status, { shows: ['user'] })

/** The caller's wallet, and whether it is proven to be theirs. */
export function useWalletStatus() {
  return useQuery(walletQuery)
}

/** The wallet in the page holds another address than the profile. */
class OtherAddress extends Error {
  readonly address: string

  constructor(address: string) {
    super('The wallet holds another address')
    this.address = address
  }
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/**
 * Has the wallet sign a text of the server and sends it the signature.
 * @throws OtherAddress, or whatever the wallet or the server refuses with
 */
async function prove(wallet: SigningWallet, walletAddress: string) {
  const held = await wallet.connect()
  if (held !== walletAddress) throw new OtherAddress(held)
  const { message } = await call(walletProofContract.challenge, { body: { walletAddress } })
  const signature = base64(await wallet.sign(message))
  return call(walletProofContract.prove, { body: { message, signature } })
}

function useProveWallet(walletAddress: string) {
  const queryClient = useQueryClient()
  return useAct({
    mutationFn: (wallet: SigningWallet) => prove(wallet, walletAddress),
    onSuccess: (status) => queryClient.setQueryData(walletQuery.queryKey, status),
  })
}

/** A wallet that can prove that it holds an address. */
interface SigningWallet {
  readonly name: string
  /** Asks the wallet which address it holds. */
  connect(): Promise<string>
  /** The 64 bytes of the signature. The wallet shows the text and asks its owner. */
  sign(text: string): Promise<Uint8Array>
}

const Account = z.object({ address: z.string() })
const Wallet = z.object({
  name: z.string(),
  chains: z.array(z.string()),
  features: z.record(z.string(), z.unknown()),
})
const Connect = z.object({
  connect: z.custom<() => Promise<unknown>>((value) => typeof value === 'function'),
})
const SignMessage = z.object({
  signMessage: z.custom<(input: object) => Promise<unknown>>(
    (value) => typeof value === 'function',
  ),
})
const Signed = z.array(z.object({ signature: z.instanceof(Uint8Array) }))

/** Wallets announce themselves with whatever they like, so what they say is checked. */
function standardWallet(announced: unknown): SigningWallet | undefined {
  const wallet = Wallet.safeParse(announced).data
  if (!wallet?.chains.some((chain) => chain.startsWith('solana:'))) return undefined
  const connector = Connect.safeParse(wallet.features['standard:connect']).data
  const signer = SignMessage.safeParse(wallet.features['solana:signMessage']).data
  if (!connector || !signer) return undefined
  let account: unknown
  return {
    name: wallet.name,
    async connect() {
      const { accounts } = z
        .object({ accounts: z.array(z.unknown()) })
        .parse(await connector.connect())
      account = accounts[0]
      return Account.parse(account).address
    },
    async sign(text) {
      const message = new TextEncoder().encode(text)
      const [signed] = Signed.parse(await signer.signMessage({ account, message }))
      if (!signed) throw new Error('The wallet gave no signature')
      return signed.signature
    },
  }
}

/** The wallets that have announced themselves by now. */
function standardWallets(): SigningWallet[] {
  const found: SigningWallet[] = []
  const register = (...announced: unknown[]) => {
    for (const one of announced) {
      const wallet = standardWallet(one)
      if (wallet) found.push(wallet)
    }
    return () => undefined
  }
  const listen = (event: Event) => {
    // Wallets bring an event class of their own.
    const announce: unknown = 'detail' in event ? event.detail : undefined
    if (typeof announce === 'function') announce({ register })
  }
  window.addEventListener('wallet-standard:register-wallet', listen)
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: { register } }))
  window.removeEventListener('wallet-standard:register-wallet', listen)
  return found
}

const Signature = z.object({ signature: z.instanceof(Uint8Array) })

async function phantomWallet(): Promise<SigningWallet | undefined> {
  const provider = await findPhantom()
  if (!provider?.signMessage) return undefined
  return {
    name: 'Phantom',
    async connect() {
      return (await provider.connect()).publicKey.toString()
    },
    async sign(text) {
      const answer = await provider.signMessage?.(new TextEncoder().encode(text), 'utf8')
      return Signature.parse(answer).signature
    },
  }
}

/** Every wallet that can sign, each once. Waits up to a second for Phantom to appear. */
async function findSigningWallets(): Promise<SigningWallet[]> {
  const standard = standardWallets()
  const phantom = await phantomWallet()
  if (!phantom) return standard
  return [phantom, ...standard.filter(({ name }) => name !== phantom.name)]
}

/** What of the extension's provider is used here. */
export interface PhantomProvider {
  readonly isPhantom?: boolean
  connect(): Promise<{ readonly publicKey: { toString(): string } }>
  disconnect?(): Promise<void>
  /** Missing where the device behind the extension cannot sign messages. */
  signMessage?(message: Uint8Array, display: 'utf8'): Promise<unknown>
}

declare global {
  interface Window {
    readonly phantom?: { readonly solana?: PhantomProvider }
    /** Where older versions of the extension stand. */
    readonly solana?: PhantomProvider
  }
}

/** How long an extension may take to appear in the page, and how often it is looked for. */
const injectionWaitMs = 1000
const injectionStepMs = 100

/** The extension as it stands in the page now. */
export function presentPhantom(): PhantomProvider | undefined {
  const candidates = [window.phantom?.solana, window.solana]
  return candidates.find((provider) => provider?.isPhantom === true)
}

/** The extension; waits up to a second for one that appears late. */
export async function findPhantom(): Promise<PhantomProvider | undefined> {
  for (let waitedMs = 0; waitedMs < injectionWaitMs; waitedMs += injectionStepMs) {
    const provider = presentPhantom()
    if (provider) return provider
    await new Promise((resolve) => window.setTimeout(resolve, injectionStepMs))
  }
  return presentPhantom()
}

const userRejected = 4001

/** True when the person closed or declined the extension's own dialog. */
export function isDeclined(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === userRejected
  )
}
