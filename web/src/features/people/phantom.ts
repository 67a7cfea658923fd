// Finds the Phantom wallet extension in the page and asks it for an address.
// Protocol: Phantom's provider API for browser extensions (docs.phantom.com, "Detecting the
// provider").

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
