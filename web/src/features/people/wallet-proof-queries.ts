// What proving a wallet asks the server.

import { walletProofContract } from '@redpack/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import type { SigningWallet } from './signing-wallets.ts'

const walletQuery = endpointQuery(walletProofContract.status, { shows: ['user'] })

/** The caller's wallet, and whether it is proven to be theirs. */
export function useWalletStatus() {
  return useQuery(walletQuery)
}

/** The wallet in the page holds another address than the profile. */
export class OtherAddress extends Error {
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

export function useProveWallet(walletAddress: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (wallet: SigningWallet) => prove(wallet, walletAddress),
    onSuccess: (status) => queryClient.setQueryData(walletQuery.queryKey, status),
  })
}
