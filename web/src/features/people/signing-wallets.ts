// Wallets in the page that can sign a text: the Phantom extension, and every wallet that makes
// itself known by the Wallet Standard (wallet-standard.org, "window" events).

import * as z from 'zod/mini'
import { findPhantom } from './phantom.ts'

/** A wallet that can prove that it holds an address. */
export interface SigningWallet {
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
export async function findSigningWallets(): Promise<SigningWallet[]> {
  const standard = standardWallets()
  const phantom = await phantomWallet()
  if (!phantom) return standard
  return [phantom, ...standard.filter(({ name }) => name !== phantom.name)]
}
